"""This process as one of several workers: its beat, the downtime that missing beats measure (R1.13), and workers that died.

Every worker beats once a second. When nobody has beaten for longer than `GAP_MS`, the whole service was away, because it was
stopped, had crashed, was asleep or had no database: whoever beats first moves all deadlines on, in the same transaction, so that it
happens once however many workers come back together.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection
from typing import Any, cast

import gevent
from gevent.lock import BoundedSemaphore
from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine.machine import Step
from guessio.rules import tunables
from guessio.rules.terms import AccountId, TableId
from guessio.services import games, shelf
from guessio.store import codec, connections, database, leases, workers
from guessio.store import tables as rows

log = logging.getLogger(__name__)

BEAT_MS = 1_000
GAP_MS = 3_000
# When this worker has met a database that was away, a shorter gap says that nobody could beat.
GAP_AFTER_FAILURE_MS = 1_200
# A lease is lost with its connection, and taken again with the next beat: only one who is late as well has died.
LATE_MS = 2_500
SILENT_MS = 10_000
RESUME = "resume"

# A worker that is being replaced may still be on its way out.
HAND_OVER_MS = 10_000

Vanished = Callable[[Collection[AccountId], Collection[str]], None]

_worker = ""
_beat_ms = 0
_resumed_ms = 0
_has_failed = False
_turn = BoundedSemaphore()
_greenlets: list[Any] = []
_moved_listeners: list[Callable[[], object]] = []
_vanished_listeners: list[Vanished] = []
_forgotten_listeners: list[Callable[[], None]] = []


class ServedAlready(RuntimeError):
    """The database is SQLite and another process serves it."""


def worker() -> str:
    """The name of this process among the workers; empty when it serves nobody."""
    return _worker


def is_running() -> bool:
    """Whether this process beats, and so takes part in serving."""
    return bool(_greenlets)


def is_blameless(now_ms: int) -> bool:
    """Whether the service came back so recently that a lost connection is nobody's fault (R7.7)."""
    return _resumed_ms > 0 and now_ms - _resumed_ms < tunables.BLAMELESS_AFTER_START_MS


def begin() -> tuple[TableId, ...] | None:
    """Become a worker. When no other one lives, move all deadlines on by the downtime plus the extra time; the tables moved, or None.

    Their players hold no stream yet: each is away from now on, until a stream of theirs opens.
    Raises: ServedAlready when another process serves this SQLite database, which has room for one.
    """
    global _worker, _beat_ms, _resumed_ms
    _worker = secrets.token_hex(8)
    _take_place()
    moved: tuple[TableId, ...] | None = None
    with database.write() as conn:
        leases.take_turn(conn, RESUME)
        now = clock.now_ms()
        last = workers.last_beat(conn)
        if last is not None and not _anyone_lives(conn, now):
            moved = _move_on(conn, _away_for(last, now), unconnected_since_ms=now)
        workers.enrol(conn, _worker, now)
    _beat_ms = now
    if moved is not None:
        _resumed_ms = now
        _announce(moved)
    return moved


def run(sweep: Callable[[], object], moved: Callable[[], object]) -> None:
    """Beat once a second from now on, see to dead workers, and `sweep`; `moved` is called after all deadlines were moved on.

    The beat is alone in its greenlet: work that takes long must not look like an outage.
    """

    _moved_listeners[:] = [moved]

    def show_life() -> None:
        leases.hold(workers.lease_of(_worker))
        beat()

    def look_around() -> None:
        bury()
        sweep()

    for work in (show_life, look_around):
        _greenlets.append(cast(Any, gevent.spawn(_again_and_again, work)))


def end() -> None:
    """Stop beating. The last beat stays, as the beginning of a downtime; whoever follows sees to the players left behind."""
    global _worker
    if _greenlets:
        while _greenlets:
            _greenlets.pop().kill(block=False)
        _moved_listeners.clear()
        try:
            beat()
        except Exception as error:
            log.warning("the last beat failed: %s", error)
    leases.close()
    _worker = ""


def notice_outage() -> None:
    """Beat now if this process has not been able to for a while, so that no deadline takes effect that an outage made pass (R1.13).

    Raises: what the database raises while it is still away.
    """
    if _greenlets and (_has_failed or clock.now_ms() - _beat_ms > GAP_MS):
        beat()


def note_failure() -> None:
    """The database could not be reached: look at once whether nobody could, when it can be again."""
    global _has_failed
    _has_failed = True


def beat() -> bool:
    """Note that this worker lives; whether the whole service had been away and all deadlines were moved on."""
    global _beat_ms, _resumed_ms, _has_failed
    with _turn:
        moved: tuple[TableId, ...] | None = None
        with database.write() as conn:
            if _was_away(conn):
                leases.take_turn(conn, RESUME)
                if _was_away(conn):
                    moved = _resume(conn)
            now = clock.now_ms()
            known = workers.beat(conn, _worker, now)
            if not known:
                workers.enrol(conn, _worker, now)
        _beat_ms, _has_failed = now, False
    if moved is not None:
        _resumed_ms = now
        _announce(moved)
        for listener in _moved_listeners:
            listener()
    if not known:
        for listener in tuple(_forgotten_listeners):
            listener()
    return moved is not None


def bury() -> tuple[str, ...]:
    """See to the players of workers that died, then forget those workers; which ones."""
    with database.read() as conn:
        beats = workers.others(conn, _worker).values()
    if all(beat_ms > clock.now_ms() - LATE_MS for beat_ms in beats):
        return ()
    with database.write() as conn:
        leases.take_turn(conn, RESUME)
        now = clock.now_ms()
        gone = workers.dead(conn, _worker, now - LATE_MS, now - SILENT_MS)
        left = {account for one in gone for account in connections.held_by(conn, one)}
    if not gone:
        return ()
    log.warning("workers that died: %s, leaving %d players", ", ".join(gone), len(left))
    # Only when every player has been seen to are their traces removed: should this process die in between, another one goes on.
    for listener in tuple(_vanished_listeners):
        listener(left, gone)
    with database.write() as conn:
        for one in gone:
            connections.remove_all(conn, one)
            workers.remove(conn, one)
    return gone


def on_vanished(callback: Vanished) -> Callable[[], None]:
    """Call `callback(accounts, workers)` for the accounts that dead workers held streams of; the result ends it."""
    _vanished_listeners.append(callback)
    return lambda: _vanished_listeners.remove(callback)


def on_forgotten(callback: Callable[[], None]) -> Callable[[], None]:
    """Call `callback()` when the others had taken this worker for dead and removed its traces; the result ends it."""
    _forgotten_listeners.append(callback)
    return lambda: _forgotten_listeners.remove(callback)


def _take_place() -> None:
    waited_ms = 0
    while not leases.hold(workers.lease_of(_worker)) and database.is_sqlite():
        if waited_ms >= HAND_OVER_MS:
            raise ServedAlready("another process serves this SQLite database; more than one at a time needs Postgres")
        gevent.sleep(0.1)
        waited_ms += 100


def _again_and_again(work: Callable[[], None]) -> None:
    while True:
        try:
            work()
        except Exception as error:
            if isinstance(error, database.AWAY):
                note_failure()
            log.warning("%s failed, trying again: %s", work.__name__, error, exc_info=log.isEnabledFor(logging.DEBUG))
        gevent.sleep(BEAT_MS / 1000)


def _was_away(conn: Connection) -> bool:
    last = workers.last_beat(conn)
    return last is not None and clock.now_ms() - last > (GAP_AFTER_FAILURE_MS if _has_failed else GAP_MS)


def _resume(conn: Connection) -> tuple[TableId, ...]:
    """Move everything on after an outage that this process lived through, giving every worker the chance to beat again."""
    now = clock.now_ms()
    moved = _move_on(conn, _away_for(workers.last_beat(conn) or now, now), unconnected_since_ms=None)
    workers.beat_all(conn, now)
    return moved


def _away_for(last_beat_ms: int, now_ms: int) -> int:
    return max(now_ms - last_beat_ms, 0) + tunables.RESUME_EXTRA_MS


def _anyone_lives(conn: Connection, now_ms: int) -> bool:
    others = workers.others(conn, _worker)
    return any(now_ms - beat_ms < SILENT_MS and not leases.is_free(conn, workers.lease_of(one)) for one, beat_ms in others.items())


def _move_on(conn: Connection, by_ms: int, unconnected_since_ms: int | None) -> tuple[TableId, ...]:
    moved: list[TableId] = []
    for row in rows.live(conn):
        machine = games.of(row.kind).machine
        state = machine.shift(codec.decode(machine.State, row.state), by_ms)
        for account in machine.engaged(state) if unconnected_since_ms is not None else ():
            step = machine.apply(state, games.presence(row.kind, account, unconnected_since_ms), unconnected_since_ms)
            state = step.state if isinstance(step, Step) else state
        if rows.save(conn, rows.Save(row.id, row.version, codec.encode(state), machine.next_deadline(state), None)):
            moved.append(row.id)
    log.warning("the service was away: %d tables moved on by %d ms", len(moved), by_ms)
    return tuple(moved)


def _announce(moved: Collection[TableId]) -> None:
    """Everyone who watches a moved table sees it anew."""
    for table_id in moved:
        shelf.forget(table_id)
    for table_id in moved:
        loaded = shelf.load(table_id)
        if loaded is not None:
            bus.publish(f"table:{table_id}", bus.TableStepped(table_id, loaded.version, None))
