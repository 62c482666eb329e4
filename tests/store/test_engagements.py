"""One thing at a time, kept by the database itself (R3.6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from guessio.rules.terms import AccountId, EngagementKind
from guessio.store import database, engagements, schema, searches
from guessio.store.engagements import Engagement
from tests.services.crowd import DUO, an_account

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("app")]


def test_an_account_is_bound_once() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        assert engagements.bind(conn, ada, EngagementKind.SEARCH)
        assert not engagements.bind(conn, ada, EngagementKind.DUEL_OFFER, "o1")
        assert engagements.find(conn, ada) == Engagement(ada, EngagementKind.SEARCH, "")


def test_the_database_refuses_a_second_row() -> None:
    ada = an_account("ada")
    row = {"account_id": ada, "kind": "search", "ref": ""}
    with pytest.raises(IntegrityError), database.write() as conn:
        conn.execute(insert(schema.engagements), [row, row])


def test_only_what_is_named_is_released() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        engagements.bind(conn, ada, EngagementKind.MATCH, "m2")
        assert engagements.release(conn, [ada], EngagementKind.MATCH, "m1") == 0
        assert engagements.release(conn, [ada], EngagementKind.SEARCH) == 0
        assert engagements.release(conn, [ada], EngagementKind.MATCH, "m2") == 1


def test_moving_counts_those_who_were_free_to_move() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    with database.write() as conn:
        engagements.bind(conn, ada, EngagementKind.SEARCH)
        engagements.bind(conn, bo, EngagementKind.DUEL, "d1")
        assert engagements.move(conn, [ada, bo], EngagementKind.SEARCH, EngagementKind.MATCH, "m1") == 1
        assert engagements.by_ref(conn, EngagementKind.MATCH, "m1") == (ada,)


@pytest.mark.postgres
def test_of_many_at_once_one_binds() -> None:
    ada = an_account("ada")
    together = Barrier(6)

    def bind(number: int) -> bool:
        with database.write() as conn:
            together.wait()
            return engagements.bind(conn, ada, EngagementKind.MATCH, f"m{number}")

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(bind, range(6))) == 1


@pytest.mark.postgres
def test_who_holds_the_line_keeps_the_others_waiting() -> None:
    crowd = [an_account(f"p{number}") for number in range(12)]

    def join(one: AccountId) -> None:
        with database.write() as conn:
            searches.hold(conn)
            searches.join(conn, one, DUO, now_ms=5)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(join, crowd))
    with database.read() as conn:
        places = [search.place for search in searches.waiting(conn, DUO)]
    assert places == list(range(5, 17)), "no two may have the same place"
