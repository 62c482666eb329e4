"""Sessions: one an account, ended everywhere at once (R12.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from sqlalchemy import Connection, event

from guessio import bus
from guessio.rules.terms import AccountId, AccountState
from guessio.services import heartbeat, sessions, sweep, upkeep
from guessio.services.sessions import EndReason
from guessio.store import database, schema
from guessio.store import sessions as rows
from tests.kit.fake_clock import FakeClock
from tests.kit.signed_in import new_account

pytestmark = pytest.mark.db


@pytest.fixture
def ended() -> Iterator[list[bus.SessionEnded]]:
    """The notices of ended sessions, as a stream hears them."""
    heard: list[bus.SessionEnded] = []
    unsubscribe = bus.subscribe(sessions.TOPIC, lambda _topic, message: heard.append(message))
    yield heard
    unsubscribe()


def statements() -> list[str]:
    """Everything that the database is asked from now on."""
    asked: list[str] = []
    event.listen(database.engine(), "before_cursor_execute", lambda *args: asked.append(args[2]))
    return asked


def test_a_token_leads_to_its_account_and_is_not_stored(app: Flask) -> None:
    token = sessions.start(new_account("mira"))
    actor = sessions.find(token)
    assert actor is not None
    assert actor.username == "mira"
    with database.read() as conn:
        stored = conn.execute(schema.sessions.select()).one()
    assert token not in str(stored)
    assert sessions.find(token + "x") is None


def test_a_new_sign_in_ends_the_earlier_session_and_says_so(app: Flask, ended: list[bus.SessionEnded]) -> None:
    account = new_account("mira")
    first, second = sessions.start(account), sessions.start(account)
    assert sessions.find(first) is None
    assert sessions.find(second) is not None
    assert ended == [bus.SessionEnded(sessions.hash_of(first), EndReason.REPLACED)]
    assert sessions.why_ended(account) is EndReason.REPLACED


def test_signing_out_ends_the_session_for_good(app: Flask, ended: list[bus.SessionEnded]) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    sessions.end(token)
    assert sessions.find(token) is None
    assert not sessions.alive(sessions.hash_of(token))
    assert [notice.token_hash for notice in ended] == [sessions.hash_of(token)]
    assert sessions.why_ended(account) is EndReason.EXPIRED


def test_a_session_that_was_met_costs_no_query_until_it_must_be_asked_again(fake_clock: FakeClock, app: Flask) -> None:
    token = sessions.start(new_account("mira"))
    sessions.find(token)
    asked = statements()
    for _ in range(5):
        assert sessions.find(token) is not None
    assert asked == []
    fake_clock.advance(sessions.BELIEVED_MS)
    assert sessions.find(token) is not None
    assert asked != []


def test_what_the_streams_ask_on_each_beat_counts_for_requests(fake_clock: FakeClock, app: Flask) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    sessions.find(token)
    with database.write() as conn:
        conn.execute(schema.accounts.update().values(display_name="Mira Lind"))
    fake_clock.advance(sessions.BELIEVED_MS - 1)
    assert sessions.alive_among({sessions.hash_of(token), "another"}) == {sessions.hash_of(token)}
    asked = statements()
    fake_clock.advance(sessions.BELIEVED_MS - 1)
    actor = sessions.find(token)
    assert asked == []
    assert actor is not None
    assert actor.display_name == "Mira Lind"


def test_a_worker_that_stood_still_asks_the_database(app: Flask, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the others told it meanwhile waits beside the requests, and its sweep does as well."""
    token = sessions.start(new_account("mira"))
    assert sessions.find(token) is not None
    monkeypatch.setattr(heartbeat, "_greenlets", ["its beat"])
    fake_clock.advance(heartbeat.LATE_MS)
    sweep.once()
    with database.write() as conn:
        conn.execute(schema.sessions.delete())
    fake_clock.advance(heartbeat.LATE_MS)
    assert sessions.find(token) is not None, "it has looked for ends, so it knows of all"
    fake_clock.advance(1)
    assert sessions.find(token) is None


def test_a_sweep_that_is_late_makes_each_session_be_read_once_not_at_each_request(
    app: Flask, fake_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = sessions.start(new_account("mira"))
    monkeypatch.setattr(heartbeat, "_greenlets", ["its beat"])
    fake_clock.advance(heartbeat.LATE_MS + 1)
    assert sessions.find(token) is not None
    asked = statements()
    assert sessions.find(token) is not None
    assert asked == []


# Each as its worker would have committed it, and then died.
UNTOLD_ENDS: dict[EndReason, Callable[[Connection, AccountId, str, rows.End], object]] = {
    EndReason.SIGNED_OUT: lambda conn, _account, token, how: rows.end(conn, sessions.hash_of(token), how),
    EndReason.ENDED: lambda conn, account, _token, how: rows.end_of_account(conn, account, how),
    EndReason.REPLACED: lambda conn, account, _token, how: rows.replace(conn, account, "f" * 64, how.at_ms + 1_000, how),
}


@pytest.mark.parametrize("reason", UNTOLD_ENDS)
def test_an_end_that_nobody_told_of_is_known_after_one_sweep(
    app: Flask, fake_clock: FakeClock, ended: list[bus.SessionEnded], reason: EndReason
) -> None:
    account = new_account("mira")
    token, other = sessions.start(account), sessions.start(new_account("nova"))
    assert sessions.find(token) is not None
    fake_clock.advance(heartbeat.BEAT_MS)
    with database.write() as conn:
        UNTOLD_ENDS[reason](conn, account, token, rows.End(fake_clock.now_ms, reason))
    assert sessions.find(token) is not None, "remembered: it has heard nothing"
    sweep.once()
    assert sessions.find(token) is None
    assert sessions.find(other) is not None
    assert ended == [bus.SessionEnded(sessions.hash_of(token), reason)], "the streams of that session are told why"


def test_an_end_is_heard_of_though_it_was_committed_late_or_by_a_clock_that_is_behind(app: Flask, fake_clock: FakeClock) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    assert sessions.find(token) is not None
    fake_clock.advance(heartbeat.BEAT_MS)
    sweep.once()
    with database.write() as conn:
        rows.end_of_account(conn, account, rows.End(fake_clock.now_ms - sessions.OVERLAP_MS, EndReason.ENDED))
    sweep.once()
    assert sessions.find(token) is None


def test_after_a_time_without_the_database_a_worker_hears_of_all_that_ended_meanwhile(
    app: Flask, fake_clock: FakeClock, ended: list[bus.SessionEnded], monkeypatch: pytest.MonkeyPatch
) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    with database.write() as conn:
        rows.end_of_account(conn, account, rows.End(fake_clock.now_ms, EndReason.ENDED))
    with monkeypatch.context() as cut:
        cut.setattr(database, "read", _away)
        with pytest.raises(ConnectionError):
            sweep.once()
    fake_clock.advance(sessions.OVERLAP_MS * 4)
    sweep.once()
    assert [notice.token_hash for notice in ended] == [sessions.hash_of(token)]


def _away() -> None:
    raise ConnectionError


def test_what_was_written_down_of_ends_is_dropped_by_the_upkeep(app: Flask, fake_clock: FakeClock) -> None:
    account = new_account("mira")
    sessions.end(sessions.start(account))
    fake_clock.advance(sessions.ENDS_KEPT_MS)
    assert upkeep.tidy()
    with database.read() as conn:
        assert len(rows.ends_since(conn, 0)) == 1
    fake_clock.advance(1)
    assert upkeep.tidy()
    with database.read() as conn:
        assert rows.ends_since(conn, 0) == {}


def test_an_end_that_another_worker_announced_is_believed_at_once(app: Flask) -> None:
    token = sessions.start(new_account("mira"))
    assert sessions.find(token) is not None
    with database.write() as conn:
        conn.execute(schema.sessions.delete())
    bus.deliver(sessions.TOPIC, bus.SessionEnded(sessions.hash_of(token)))
    assert sessions.find(token) is None


def test_a_session_runs_out(fake_clock: FakeClock, app: Flask) -> None:
    token = sessions.start(new_account("mira"))
    fake_clock.advance(sessions.LIFETIME_MS - 1)
    assert sessions.find(token) is not None
    fake_clock.advance(1)
    assert sessions.find(token) is None
    assert sessions.drop_expired() == 1


def test_a_suspension_takes_effect_when_the_account_is_refreshed_and_ends_by_itself(fake_clock: FakeClock, app: Flask) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    sessions.find(token)
    until = fake_clock.now_ms + 60_000
    with database.write() as conn:
        row = {"state": AccountState.SUSPENDED, "state_reason": "Left matches", "suspended_until_ms": until}
        conn.execute(schema.accounts.update().values(row))
    sessions.refresh(account)
    actor = sessions.find(token)
    assert actor is not None
    assert not actor.may_play(until - 1)
    assert actor.may_play(until)


def test_ending_an_account_signs_it_out_wherever_it_is(app: Flask, ended: list[bus.SessionEnded]) -> None:
    account = new_account("mira")
    token = sessions.start(account)
    sessions.end_for(account)
    sessions.end_for(account)
    assert sessions.find(token) is None
    assert len(ended) == 1
