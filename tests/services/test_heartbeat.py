"""Downtime moves all deadlines on, once (R1.13); players of a dead worker are seen to; presence reaches table and search (R5.1)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from flask import Flask
from sqlalchemy import insert, select

from guessio.engine.match.commands import SubmitGuess
from guessio.engine.match.state import MatchState
from guessio.live import presence as streams
from guessio.rules import tunables
from guessio.rules.terms import AccountId, EngagementKind, MatchPhase, Skill, TableId, TableKind
from guessio.services import heartbeat, presence, tables, timers
from guessio.services.tables import Accepted
from guessio.store import connections, database, engagements, leases, schema, workers
from tests.kit.actors import Play
from tests.kit.builders import a_match, account
from tests.kit.fake_clock import FakeClock

pytestmark = pytest.mark.db

M1 = TableId("m1")
ADA, BO = account(0), account(1)
OTHER = "another-worker"


@pytest.fixture
def served(fake_clock: FakeClock, database_url: str) -> Iterator[FakeClock]:
    app = Flask("worker")
    app.testing = True
    database.init(app, SimpleNamespace(database_url=database_url))  # pyright: ignore[reportArgumentType]
    with database.write() as conn:
        for one in (ADA, BO):
            conn.execute(
                insert(schema.accounts).values(id=one, username=f"p{one}", username_key=f"p{one}", display_name=f"P {one}", created_ms=1)
            )
    tables.start(app)
    presence.start()
    streams.start()
    yield fake_clock
    streams.stop()
    presence.stop()
    heartbeat.end()
    tables.stop()
    database.close()


def play(time: FakeClock) -> None:
    """The two sit in the first turn of a match."""
    tables.create(TableKind.MATCH, a_match(at_ms=time.now_ms))
    with database.write() as conn:
        for one in (ADA, BO):
            engagements.bind(conn, one, EngagementKind.MATCH, M1)
    time.advance(tunables.COUNTDOWN_MS)
    tables.run_due(time.now_ms)


def state() -> MatchState:
    loaded = tables.load(M1)
    assert loaded is not None
    return loaded.state


def away() -> list[int | None]:
    return [seat.away_since_ms for seat in state().seats]


def left_behind(time: FakeClock, *held: AccountId) -> None:
    """Another worker beats for the last time, holding streams of these accounts."""
    with database.write() as conn:
        workers.enrol(conn, OTHER, time.now_ms)
        connections.add(conn, OTHER, held, time.now_ms)


def rows_of(table: Any) -> int:
    with database.read() as conn:
        return len(conn.execute(select(table)).all())


def settle() -> None:
    """Let every greenlet run that is ready to."""
    gevent.idle()


def until(condition: Any) -> None:
    while not condition():
        gevent.sleep(0.01)


def test_the_first_start_moves_nothing(served: FakeClock) -> None:
    play(served)
    deadline = state().until_ms
    assert heartbeat.begin() is None
    assert state().until_ms == deadline


def test_a_start_moves_deadlines_on_by_the_downtime_and_the_extra_time(served: FakeClock) -> None:
    play(served)
    left_behind(served, ADA, BO)
    deadline = state().until_ms
    assert deadline is not None
    served.advance(45_000)
    assert heartbeat.begin() == (M1,)
    assert state().until_ms == deadline + 45_000 + tunables.RESUME_EXTRA_MS
    assert away() == [served.now_ms, served.now_ms]


def picking() -> Play:
    return Play.of(2, skills=(Skill.REVEAL, Skill.FREEZE))


def counting_down() -> Play:
    return Play.of(2)


def pausing() -> Play:
    return Play.in_round(2).win_round(0)


def closing() -> Play:
    return pausing().next_round().win_round(0)


@pytest.mark.parametrize(
    ("reached", "phase", "following"),
    [
        (picking, MatchPhase.PICKING, MatchPhase.PICKING),
        (counting_down, MatchPhase.COUNTDOWN, MatchPhase.TURN),
        (pausing, MatchPhase.PAUSE, MatchPhase.TURN),
        (closing, MatchPhase.CLOSING, MatchPhase.OVER),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_restart_between_turns_stops_no_match(
    served: FakeClock, reached: Callable[[], Play], phase: MatchPhase, following: MatchPhase
) -> None:
    """R1.13: in picking, countdown, pause and the last result what was left of the time is left still, and the match goes on by itself."""
    match = reached()
    served.now_ms = match.now_ms + 1_000
    tables.create(TableKind.MATCH, match.state)
    left_behind(served, ADA, BO)
    deadline, picker = state().until_ms, state().picker
    assert deadline is not None
    served.advance(90_000)
    assert heartbeat.begin() == (M1,)
    moved = deadline + 90_000 + tunables.RESUME_EXTRA_MS
    assert (state().phase, state().picker, state().until_ms) == (phase, picker, moved)
    assert not any(seat.left_ms for seat in state().seats)
    served.now_ms = moved - 1
    tables.settle(M1)
    assert (state().phase, state().picker) == (phase, picker)
    served.advance(1)
    tables.settle(M1)
    assert state().phase is following
    assert picker is None or state().picker != picker


def test_who_was_away_before_the_downtime_keeps_what_was_left_of_the_grace(served: FakeClock) -> None:
    play(served)
    presence.departed(ADA, served.now_ms)
    left_behind(served, BO)
    gone_at = served.now_ms
    served.advance(45_000)
    heartbeat.begin()
    assert away() == [gone_at + 45_000 + tunables.RESUME_EXTRA_MS, served.now_ms]


def test_several_workers_that_start_together_move_deadlines_on_once(served: FakeClock) -> None:
    if database.is_sqlite():
        return  # SQLite serves one process: every start of it ends a downtime
    play(served)
    left_behind(served)
    served.advance(45_000)
    assert heartbeat.begin() == (M1,)
    deadline = state().until_ms
    assert heartbeat.begin() is None
    assert state().until_ms == deadline


def test_a_worker_that_joins_others_moves_nothing(served: FakeClock) -> None:
    if database.is_sqlite():
        return  # no others there
    play(served)
    left_behind(served, ADA)
    raw = database.connect_postgres("the other worker")
    raw.execute("SELECT pg_advisory_lock(%s, %s)", (leases.SPACE, leases._key(workers.lease_of(OTHER))))
    served.advance(2_000)
    assert heartbeat.begin() is None
    assert heartbeat.bury() == ()
    raw.close()
    assert heartbeat.bury() == ()
    served.advance(1_000)
    until(lambda: heartbeat.bury() == (OTHER,))
    assert away()[0] == served.now_ms


def test_an_outage_moves_deadlines_on_once_and_nobody_is_away_for_it(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    deadline = state().until_ms
    assert deadline is not None
    served.advance(20_000)
    assert heartbeat.beat()
    assert state().until_ms == deadline + 20_000 + tunables.RESUME_EXTRA_MS
    assert away() == [None, None]
    assert not heartbeat.beat()


def test_steady_beats_move_nothing(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    deadline = state().until_ms
    for _ in range(10):
        served.advance(heartbeat.BEAT_MS)
        assert not heartbeat.beat()
    assert state().until_ms == deadline


def test_no_deadline_takes_effect_that_an_outage_made_pass(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    heartbeat.run(lambda: None, lambda: None)
    turn = state().turn
    assert turn is not None
    served.advance(tunables.TURN_MS + 1)
    outcome = tables.dispatch(M1, SubmitGuess(account(turn.seat), turn.number, "9876"))
    assert isinstance(outcome, Accepted)
    assert len(outcome.state.rounds[0].guesses) == 1


def test_a_short_outage_counts_when_it_was_met(served: FakeClock) -> None:
    """The database restarted within two seconds: whoever could not write then has the turn still."""
    play(served)
    heartbeat.begin()
    heartbeat.run(lambda: None, lambda: None)
    deadline = state().until_ms
    assert deadline is not None
    served.advance(2_000)
    heartbeat.notice_outage()
    assert state().until_ms == deadline, "a late beat alone is no outage"
    served.advance(2_000)
    heartbeat.note_failure()
    heartbeat.notice_outage()
    assert state().until_ms == deadline + 4_000 + tunables.RESUME_EXTRA_MS
    heartbeat.notice_outage()
    assert state().until_ms == deadline + 4_000 + tunables.RESUME_EXTRA_MS, "once"


def test_a_failure_of_one_worker_alone_moves_nothing(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    heartbeat.run(lambda: None, lambda: None)
    deadline = state().until_ms
    served.advance(2_000)
    left_behind(served)
    served.advance(500)
    heartbeat.note_failure()
    heartbeat.notice_outage()
    assert state().until_ms == deadline


def test_after_an_outage_every_table_is_woken_at_its_new_moment(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    heartbeat.run(lambda: None, tables._arm_all)
    served.advance(20_000)
    heartbeat.notice_outage()
    deadline = state().until_ms
    assert deadline is not None
    assert timers.due(deadline - 1) == []
    assert timers.due(deadline) == [M1]


def test_players_of_a_dead_worker_are_away_and_its_traces_gone(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    left_behind(served, ADA, BO)
    with database.write() as conn:
        connections.add(conn, heartbeat.worker(), (BO,), served.now_ms)
    for _ in range(3):
        assert heartbeat.bury() == ()
        served.advance(heartbeat.BEAT_MS)
        heartbeat.beat()
    assert heartbeat.bury() == (OTHER,)
    assert away() == [served.now_ms, None]
    with database.read() as conn:
        assert connections.held_by(conn, OTHER) == ()
        assert workers.others(conn, heartbeat.worker()) == {}


def test_a_worker_that_others_took_for_dead_comes_back_with_its_players(served: FakeClock) -> None:
    play(served)
    heartbeat.begin()
    streams.opened(ADA)
    until(lambda: presence.is_present(ADA))
    with database.write() as conn:
        workers.remove(conn, heartbeat.worker())
        connections.remove_all(conn, heartbeat.worker())
    presence.tell_if_absent([ADA], served.now_ms)
    assert away()[0] == served.now_ms
    heartbeat.beat()
    until(lambda: presence.is_present(ADA))
    assert away() == [None, None]


def test_a_player_who_is_being_reported_when_the_others_forget_the_worker_is_reported_again(
    served: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(served)
    heartbeat.begin()
    arrived, mine = presence.arrived, heartbeat.worker()

    def forgotten_meanwhile(who: AccountId) -> None:
        arrived(who)
        monkeypatch.setattr(presence, "arrived", arrived)
        with database.write() as conn:
            connections.remove_all(conn, mine)
            workers.remove(conn, mine)
        heartbeat.beat()

    monkeypatch.setattr(presence, "arrived", forgotten_meanwhile)
    streams.opened(ADA)
    with gevent.Timeout(10):
        until(lambda: presence.is_present(ADA) and presence.arrived is arrived)


def test_the_last_stream_that_closes_makes_the_player_away_from_then_on(served: FakeClock) -> None:
    play(served)
    for _ in range(2):
        streams.opened(ADA)
    until(lambda: presence.is_present(ADA))
    streams.closed(ADA)
    settle()
    assert presence.is_present(ADA)
    streams.closed(ADA)
    gone_at = served.now_ms
    served.advance(500)
    until(lambda: not presence.is_present(ADA))
    until(lambda: away()[0] is not None)
    assert away() == [gone_at, None]
    streams.opened(ADA)
    until(lambda: presence.is_present(ADA))
    until(lambda: away() == [None, None])
    assert rows_of(schema.connections) == 1


def test_a_page_that_follows_another_within_a_moment_is_not_reported(served: FakeClock) -> None:
    play(served)
    streams.opened(ADA)
    until(lambda: presence.is_present(ADA))
    version = tables.load(M1).version  # pyright: ignore[reportOptionalMemberAccess]
    streams.closed(ADA)
    streams.opened(ADA)
    lapse = gevent.spawn_later(streams.LINGER_MS / 1000 + 0.1, lambda: None)
    lapse.join()
    assert presence.is_present(ADA)
    assert tables.load(M1).version == version  # pyright: ignore[reportOptionalMemberAccess]


def test_a_stream_that_opens_elsewhere_while_an_absence_is_told_wins(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    play(served)
    streams.opened(ADA)
    until(lambda: presence.is_present(ADA))
    real = tables.dispatch

    def dispatch(table_id: TableId, command: Any) -> Any:
        monkeypatch.undo()
        with database.write() as conn:
            connections.add(conn, OTHER, (ADA,), served.now_ms)
        return real(table_id, command)

    monkeypatch.setattr(tables, "dispatch", dispatch)
    presence.departed(ADA, served.now_ms)
    assert away() == [None, None]


def test_a_report_that_fails_is_made_again(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    play(served)
    presence.departed(ADA, served.now_ms)
    monkeypatch.setattr(streams, "RETRY_MS", 10)
    real, failures = presence.arrived, iter([True, True])

    def arrived(one: AccountId) -> None:
        if next(failures, False):
            raise ConnectionError("the database is away")
        real(one)

    monkeypatch.setattr(presence, "arrived", arrived)
    streams.opened(ADA)
    until(lambda: away() == [None, None])


def test_players_without_a_stream_when_their_match_is_made_are_away_from_its_beginning(served: FakeClock) -> None:
    heartbeat.begin()
    heartbeat.run(lambda: None, lambda: None)
    with database.write() as conn:
        connections.add(conn, heartbeat.worker(), (BO,), served.now_ms)
        for one in (ADA, BO):
            engagements.bind(conn, one, EngagementKind.MATCH, M1)
    tables.create(TableKind.MATCH, a_match(at_ms=served.now_ms))
    assert away() == [served.now_ms, None]


def test_a_search_hears_of_absence_and_return(served: FakeClock) -> None:
    told: list[tuple[str, AccountId, int]] = []
    presence.on_search(lambda one, since: told.append(("away", one, since)), lambda one: told.append(("back", one, 0)))
    with database.write() as conn:
        engagements.bind(conn, ADA, EngagementKind.SEARCH)
    presence.arrived(ADA)
    presence.departed(ADA, 77)
    assert told == [("back", ADA, 0), ("away", ADA, 77)]


def test_a_second_process_on_sqlite_is_refused_until_the_first_has_gone(served: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    if not database.is_sqlite():
        return  # Postgres has room for many
    monkeypatch.setattr(heartbeat, "HAND_OVER_MS", 0)
    code = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); sys.stdin.read()"
    path = f"{database.engine().url.database}-serving"
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        with pytest.raises(heartbeat.ServedAlready):
            heartbeat.begin()
        first.kill()
    assert heartbeat.begin() is None
