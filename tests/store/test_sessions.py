"""Sessions end once, and every end is written down in the transaction that makes it (R12.3)."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from guessio.rules.terms import AccountId
from guessio.store import database, sessions
from guessio.store.sessions import End
from tests.services.crowd import an_account

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("app")]

FIRST, SECOND = "a" * 64, "b" * 64


def ends(conn: Connection) -> dict[str, str]:
    return sessions.ends_since(conn, 0)


def test_a_session_that_takes_anothers_place_writes_down_the_end_of_that_one() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        assert sessions.replace(conn, ada, FIRST, 9_000, End(1_000, "replaced")) is None
        assert ends(conn) == {}
        assert sessions.replace(conn, ada, SECOND, 9_000, End(2_000, "replaced")) == FIRST
        assert ends(conn) == {FIRST: "replaced"}
        assert set(sessions.running(conn, [FIRST, SECOND], 2_000)) == {SECOND}


def test_a_session_ends_once_for_the_reason_that_came_first() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        sessions.replace(conn, ada, FIRST, 9_000, End(1_000, "replaced"))
        assert sessions.end(conn, FIRST, End(2_000, "signed_out"))
        assert not sessions.end(conn, FIRST, End(3_000, "ended"))
        assert sessions.end_of_account(conn, ada, End(3_000, "ended")) is None
        assert ends(conn) == {FIRST: "signed_out"}


def test_an_end_that_is_taken_back_was_never_written_down() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        sessions.replace(conn, ada, FIRST, 9_000, End(1_000, "replaced"))
    with pytest.raises(ConnectionError):
        _end_and_fail(ada)
    with database.read() as conn:
        assert ends(conn) == {}
        assert sessions.find(conn, FIRST) is not None


def _end_and_fail(account: AccountId) -> None:
    with database.write() as conn:
        sessions.end_of_account(conn, account, End(2_000, "ended"))
        raise ConnectionError


def test_ends_are_asked_for_and_forgotten_by_their_moments() -> None:
    moments = ((an_account("ada"), FIRST, 2_000), (an_account("bo"), SECOND, 3_000))
    with database.write() as conn:
        for account, token_hash, at_ms in moments:
            sessions.replace(conn, account, token_hash, 9_000, End(1_000, "replaced"))
            sessions.end_of_account(conn, account, End(at_ms, "ended"))
        assert set(sessions.ends_since(conn, 3_000)) == {SECOND}
        assert set(sessions.ends_since(conn, 2_000)) == {FIRST, SECOND}
        assert sessions.forget_ends(conn, 3_000) == 1
        assert set(ends(conn)) == {SECOND}
