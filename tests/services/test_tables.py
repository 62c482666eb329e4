"""The runner: one step at a time, durable before it is known, made once whoever makes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from guessio import bus
from guessio.engine.machine import Rejected
from guessio.engine.match.commands import Connect, Disconnect, SubmitGuess
from guessio.engine.match.events import GuessMarked, TurnStarted
from guessio.engine.match.state import MatchState
from guessio.rules import tunables
from guessio.rules.terms import LeaveReason, MatchPhase, Refusal, TableId, TableKind
from guessio.services import settling, shelf, sweep, tables, timers
from guessio.services.tables import Accepted
from guessio.store import codec, database
from guessio.store import tables as rows
from tests.kit.builders import a_match, account
from tests.kit.fake_clock import FakeClock

pytestmark = pytest.mark.db

M1 = TableId("m1")


@pytest.fixture
def served(fake_clock: FakeClock, database_url: str) -> Iterator[FakeClock]:
    app = Flask("runner")
    app.testing = True
    database.init(app, SimpleNamespace(database_url=database_url))  # pyright: ignore[reportArgumentType]
    tables.start(app)
    yield fake_clock
    tables.stop()
    database.close()


def seated(time: FakeClock, table_id: TableId = M1) -> TableId:
    """A two-player match whose first turn has begun."""
    tables.create(TableKind.MATCH, replace(a_match(at_ms=time.now_ms), id=table_id))
    time.advance(tunables.COUNTDOWN_MS)
    tables.run_due(time.now_ms)
    return table_id


def state_of(table_id: TableId = M1) -> MatchState:
    loaded = tables.load(table_id)
    assert loaded is not None
    return loaded.state


def guess(digits: str, turn: int | None = None, seat: int | None = None, table_id: TableId = M1) -> Any:
    running = state_of(table_id).turn
    assert running is not None
    return tables.dispatch(table_id, SubmitGuess(account(running.seat if seat is None else seat), turn or running.number, digits))


def in_database(table_id: TableId = M1) -> rows.Stored:
    with database.read() as conn:
        row = rows.find(conn, table_id)
    assert row is not None
    return row


def heard(table_id: TableId = M1) -> list[Any]:
    messages: list[Any] = []
    bus.subscribe(tables.topic(table_id), lambda _topic, message: messages.append(message))
    return messages


def test_an_accepted_command_is_durable_and_published_when_it_returns(served: FakeClock) -> None:
    seated(served)
    messages = heard()
    outcome = guess("9876")
    assert isinstance(outcome, Accepted)
    row = in_database()
    assert row.version == outcome.version
    assert codec.decode(MatchState, row.state) == outcome.state
    assert [(message.version, message.events) for message in messages] == [(outcome.version, outcome.events)]
    assert any(isinstance(event, GuessMarked) for event in outcome.events)


def test_a_refused_command_changes_nothing(served: FakeClock) -> None:
    seated(served)
    before, messages = in_database(), heard()
    refused = guess("11")
    assert isinstance(refused, Rejected)
    assert refused.refusal is Refusal.WRONG_LENGTH
    assert in_database() == before
    assert messages == []


def test_an_unknown_table_is_none(served: FakeClock) -> None:
    assert tables.dispatch(TableId("nowhere"), Connect(account(0))) is None
    assert tables.load(TableId("nowhere")) is None


def test_the_same_guess_twice_counts_once(served: FakeClock) -> None:
    seated(served)
    running = state_of().turn
    assert running is not None
    first = guess("9876", running.number, running.seat)
    again = tables.dispatch(M1, SubmitGuess(account(running.seat), running.number, "9876"))
    assert isinstance(again, Accepted)
    assert again.events == ()
    assert again.version == first.version
    assert len(state_of().rounds[0].guesses) == 1


def test_two_commands_in_the_same_millisecond_take_effect_one_after_the_other(served: FakeClock) -> None:
    seated(served)
    running = state_of().turn
    assert running is not None
    messages = heard()
    commands = [SubmitGuess(account(running.seat), running.number, digits) for digits in ("9876", "8765")]
    answers = [one.get() for one in gevent.joinall([gevent.spawn(tables.dispatch, M1, command) for command in commands])]
    assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Rejected"]
    assert len(state_of().rounds[0].guesses) == 1
    assert [message.version for message in messages] == [in_database().version]


def test_a_passed_deadline_takes_effect_before_the_command(served: FakeClock) -> None:
    seated(served)
    late = state_of().turn
    assert late is not None
    served.advance(tunables.TURN_MS)
    assert guess("9876", late.number, late.seat) == Rejected(Refusal.TOO_LATE)
    now = state_of().turn
    assert now is not None
    assert (now.number, now.seat) != (late.number, late.seat)
    assert codec.decode(MatchState, in_database().state).turn == now


def test_deadlines_are_served_at_their_moment_and_set_anew(served: FakeClock) -> None:
    seated(served)
    assert tables.run_due(served.now_ms + tunables.TURN_MS - 1) == 0
    served.advance(tunables.TURN_MS)
    assert tables.run_due(served.now_ms) == 1
    assert timers.is_armed(M1)
    assert in_database().next_deadline_ms == served.now_ms + tunables.TURN_MS


def test_a_step_of_another_process_is_found_and_the_command_applied_to_it(served: FakeClock) -> None:
    seated(served)
    here = tables.peek(M1)
    assert here is not None
    played_elsewhere(served)
    if not database.is_sqlite():
        shelf.place(M1).loaded = here
    outcome = guess("8765")
    assert isinstance(outcome, Accepted)
    assert [one.digits for one in outcome.state.rounds[0].guesses] == ["9876", "8765"]


def test_a_refusal_by_an_old_state_is_asked_of_the_database_once_more(served: FakeClock) -> None:
    seated(served)
    here = tables.peek(M1)
    assert here is not None
    waiting = 1 - here.state.turn.seat
    played_elsewhere(served)
    if not database.is_sqlite():
        shelf.place(M1).loaded = here
    assert isinstance(guess("8765", turn=here.state.turn.number + 1, seat=waiting), Accepted)


def played_elsewhere(time: FakeClock) -> None:
    """A guess that another process made: here, it is in the database only."""
    row = in_database()
    state = codec.decode(MatchState, row.state)
    assert state.turn is not None
    machine = tables.machine(TableKind.MATCH)
    step = machine.apply(state, SubmitGuess(account(state.turn.seat), state.turn.number, "9876"), time.now_ms)
    with database.write() as conn:
        assert rows.save(conn, rows.Save(M1, row.version, codec.encode(step.state), machine.next_deadline(step.state), None))
    if database.is_sqlite():
        shelf.forget(M1)


def test_saves_that_are_wanted_together_share_a_transaction(served: FakeClock) -> None:
    names = [seated(served, TableId(f"m{number}")) for number in range(12)]
    saver = tables._saver
    batches, saves = saver.batches, saver.wishes
    answers = [one.get() for one in gevent.joinall([gevent.spawn(guess, "9876", table_id=name) for name in names])]
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert saver.wishes - saves == len(names)
    assert saver.batches - batches < len(names) / 2
    assert all(in_database(name).version == answer.version for name, answer in zip(names, answers, strict=True))


def test_a_save_that_fails_fails_alone(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [seated(served, TableId(f"m{number}")) for number in range(4)]
    writer = tables._saver._opened
    assert writer is not None
    real = writer.write

    def write(wishes: Any) -> list[bool]:
        if any(wish.id == "m2" for wish in wishes):
            raise OperationalError("disk full", None, Exception())
        return real(wishes)

    monkeypatch.setattr(writer, "write", write)
    asked = [gevent.spawn(guess, "9876", table_id=name) for name in names]
    gevent.joinall(asked)
    assert [one.successful() for one in asked] == [True, True, False, True]
    monkeypatch.undo()
    assert len(state_of(TableId("m2")).rounds[0].guesses) == 0
    assert isinstance(guess("9876", table_id=TableId("m2")), Accepted)


def test_a_commit_that_succeeds_but_seems_to_fail_counts_once(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    seated(served)
    writer = tables._saver._opened
    assert writer is not None
    real, failures = writer.write, iter([True])

    def write(wishes: Any) -> list[bool]:
        written = real(wishes)
        if next(failures, False):
            raise OperationalError("connection lost", None, Exception())
        return written

    monkeypatch.setattr(writer, "write", write)
    messages = heard()
    outcome = guess("9876")
    assert isinstance(outcome, Accepted)
    assert len(state_of().rounds[0].guesses) == 1
    assert [message.version for message in messages] == [outcome.version]


def test_a_crash_between_save_and_publishing_loses_nothing(served: FakeClock) -> None:
    seated(served)
    played_elsewhere(served)
    shelf.clear()
    timers.stop()
    assert [one.digits for one in state_of().rounds[0].guesses] == ["9876"]
    served.advance(tunables.TURN_MS + sweep.OVERDUE_MS)
    assert sweep.once() == 1
    assert tables.run_due(served.now_ms) == 1
    assert timers.is_armed(M1)


def test_the_sweep_leaves_a_deadline_that_is_only_just_due_to_whoever_armed_it(served: FakeClock) -> None:
    seated(served)
    timers.stop()
    served.advance(tunables.TURN_MS + sweep.OVERDUE_MS - 1)
    assert sweep.once() == 0


def test_the_end_of_a_table_is_told_once_and_again_by_the_sweep_until_it_is_booked(served: FakeClock) -> None:
    seated(served)
    told: list[TableId] = []
    unsubscribe = settling.begin(TableKind.MATCH, lambda state: told.append(state.id))
    tables.dispatch(M1, Disconnect(account(0), served.now_ms))
    for _ in range(200):
        served.advance(1_000)
        tables.run_due(served.now_ms)
    assert state_of().phase is MatchPhase.OVER
    assert state_of().seats[0].left_reason is LeaveReason.TIMED_OUT
    assert told == [M1]
    sweep.once()
    assert told == [M1, M1]
    with database.write() as conn:
        rows.settle(conn, M1)
    sweep.once()
    assert told == [M1, M1]
    unsubscribe()


def test_a_table_made_in_a_transaction_that_rolls_back_does_not_exist(served: FakeClock) -> None:
    def launch() -> None:
        with database.write() as conn:
            tables.create(TableKind.MATCH, a_match(at_ms=served.now_ms), conn=conn)
            raise LookupError

    with pytest.raises(LookupError):
        launch()
    assert tables.load(M1) is None


def test_steps_missed_are_known_for_a_while(served: FakeClock) -> None:
    seated(served)
    shown = in_database().version
    guess("9876")
    guess("8765")
    missed = tables.since(M1, shown)
    assert missed is not None
    assert [step.version for step in missed] == [shown + 1, shown + 2]
    assert any(isinstance(event, TurnStarted) for event in missed[0].events)
    assert tables.since(M1, shown + 3) is None
    shelf.forget(M1)
    assert tables.since(M1, shown) is None


def test_a_step_that_another_process_told_of_is_loaded_before_the_command(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    if database.is_sqlite():
        return  # no other process there
    seated(served)
    here = tables.peek(M1)
    played_elsewhere(served)
    place = shelf.place(M1)
    place.loaded = here
    bus._deliver_from_others(tables.topic(M1), bus.TableStepped(M1, in_database().version, ()))
    monkeypatch.setattr(tables, "_was_ours", lambda _wish: pytest.fail("the save met a conflict"))
    turn = codec.decode(MatchState, in_database().state).turn
    assert turn is not None
    assert isinstance(tables.dispatch(M1, SubmitGuess(account(turn.seat), turn.number, "8765")), Accepted)


def test_whoever_plays_a_table_hears_of_it_until_it_is_idle(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[TableId] = []
    monkeypatch.setattr(bus, "want", wanted.append)
    monkeypatch.setattr(bus, "let_go", wanted.remove)
    seated(served)
    shelf.clear()
    wanted.clear()
    tables.settle(M1)
    assert wanted == [], "a clock that ran out is no player"
    guess("9876")
    guess("8765")
    assert wanted == [M1]
    served.advance(shelf.IDLE_MS + 1)
    shelf.tidy(served.now_ms)
    assert wanted == []
    assert shelf.peek(M1) is None


def test_whoever_begins_to_follow_a_table_is_told_of_its_version(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(bus, "tell", lambda *given: told.append(given))
    seated(served)
    version = in_database().version
    unknown = TableId("unknown")
    bus._deliver_from_others(bus.WATCHED, bus.TablesWatched("you", (M1, unknown), is_new=False, asks=False))
    assert told == []
    bus._deliver_from_others(bus.WATCHED, bus.TablesWatched("you", (M1, unknown), is_new=True, asks=False))
    assert told == [("you", tables.topic(M1), bus.TableStepped(M1, version, None))]


def test_the_end_of_a_table_is_not_told_by_whoever_only_reads_of_it(served: FakeClock) -> None:
    seated(served)
    tables.dispatch(M1, Disconnect(account(0), served.now_ms))
    while state_of().phase is not MatchPhase.OVER:
        served.advance(1_000)
        tables.run_due(served.now_ms)
    told: list[TableId] = []
    unsubscribe = settling.begin(TableKind.MATCH, lambda state: told.append(state.id))
    shelf.clear()
    tables.dispatch(M1, Connect(account(1)))
    assert told == []
    unsubscribe()
