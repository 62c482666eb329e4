"""Sessions: one an account, ended everywhere at once (R12.3)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import event

from guessio import bus
from guessio.rules.terms import AccountState
from guessio.services import heartbeat, sessions
from guessio.services.sessions import EndReason
from guessio.store import database, schema
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
    """What the others told it meanwhile waits beside the requests."""
    token = sessions.start(new_account("mira"))
    assert sessions.find(token) is not None
    monkeypatch.setattr(heartbeat, "_greenlets", ["its beat"])
    monkeypatch.setattr(heartbeat, "_beat_ms", fake_clock.now_ms)
    with database.write() as conn:
        conn.execute(schema.sessions.delete())
    fake_clock.advance(heartbeat.LATE_MS)
    assert sessions.find(token) is not None, "it beats, so it has heard everything"
    fake_clock.advance(1)
    assert sessions.find(token) is None


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
