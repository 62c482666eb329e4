"""THE runner: the only way to change a live table.

A step is: settle what is due, apply the command, save under the expected version, publish, set the timer; with the table's lock held
from the first to the last, so that steps are published in the order of their versions. Another process may have been first: then the
save finds another version, and the command is applied anew to what is there now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from sqlalchemy import Connection

from guessio import bus, clock, figures
from guessio.engine.machine import Rejected
from guessio.rules.terms import TableId, TableKind
from guessio.services import attempts, games, heartbeat, pace, settling, shelf, sweep, timers
from guessio.services.attempts import Attempt
from guessio.services.saver import Saver
from guessio.services.shelf import Loaded, Place, Recent
from guessio.services.together import BrokenOff
from guessio.store import codec, database, saves
from guessio.store import tables as rows

ATTEMPTS = 20

_saver = Saver(saves.writer)
_subscriptions: list[Callable[[], None]] = []
_created_listeners: list[Callable[[TableId, Loaded], None]] = []


class Contended(Exception):
    """Other workers were first again and again; nothing was changed."""


UNDECIDED = (Contended, BrokenOff)
"""What `dispatch` raises when the command may be sent again to find out whether it counts."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command was accepted and is durable. `events` is empty when it changed nothing (a repetition)."""

    version: int
    state: Any
    events: tuple[Any, ...]


Outcome = Accepted | Rejected | None


def start(app: Flask, background: bool | None = None) -> None:
    """Begin serving tables: settle downtime (R1.13), arm timers, run heartbeat and sweep unless `app.testing`.

    Only a process that serves may call this: it counts as a worker from now on. The schema must be up to date.
    """
    _reset()
    figures.follow(figures.TABLES, timers.count)
    figures.follow(figures.KEPT, shelf.count)
    for game in games.all_games():
        bus.know(game.machine.Event)
    _subscriptions.append(bus.on_others(_hear_others))
    if background is None:
        background = not app.testing
    if not background:
        return
    moved = heartbeat.begin()
    if moved is not None or database.is_sqlite():
        _arm_all()
    timers.start(settle)
    heartbeat.run(sweep.once, _arm_all)


def stop() -> None:
    """End the background work and sign this worker off; its last beat stays, to measure the downtime by."""
    heartbeat.end()
    _reset()


def machine(kind: TableKind) -> Any:
    """The machine (`engine.machine.Machine`) that runs tables of this kind."""
    return games.of(kind).machine


def create(kind: TableKind, state: Any, events: tuple[Any, ...] = (), *, conn: Connection | None = None) -> None:
    """Store a new table at version 1, named by `state.id`.

    With `conn` it is part of the caller's transaction, who calls `created` after the commit; without, all is done here. `events` of a
    table's making are shown to nobody, because nobody can have watched it yet.
    """
    game = machine(kind)
    row = rows.Stored(state.id, kind, 1, codec.encode(state), game.next_deadline(state))
    if conn is not None:
        rows.add(conn, row)
        return
    with database.write() as own:
        rows.add(own, row)
    created(state.id)


def created(table_id: TableId) -> None:
    """After the commit of the transaction that made a table: arm its timer, tell watchers, see who of its players is connected."""
    loaded = shelf.load(table_id)
    if loaded is None:
        return
    timers.arm(table_id, machine(loaded.kind).next_deadline(loaded.state))
    bus.publish(topic(table_id), bus.TableStepped(table_id, loaded.version, None))
    for listener in _created_listeners:
        listener(table_id, loaded)


def dispatch(table_id: TableId, command: Any) -> Accepted | Rejected | None:
    """Apply one command; durable before it returns. None when there is no such table.

    Never call it inside `database.write()`. Raises: what the database raises, and then the command may or may not have counted: the
    same command again finds out.
    """
    return pace.timed(_step, table_id, command)


def settle(table_id: TableId) -> Outcome:
    """Let the table's passed deadlines take effect."""
    return _step(table_id, None)


def load(table_id: TableId) -> Loaded | None:
    """The table as it is now, never older than the database."""
    return shelf.load(table_id)


def peek(table_id: TableId) -> Loaded | None:
    """The table as this process last knew it, at no cost."""
    return shelf.peek(table_id)


def since(table_id: TableId, version: int) -> tuple[Recent, ...] | None:
    """The steps after `version` up to what this process last knew; None when they are not all known here."""
    return shelf.since(table_id, version)


def versions(ids: Iterable[TableId]) -> dict[TableId, int]:
    """The present version of each of these tables."""
    wanted = tuple(ids)
    if database.is_sqlite():
        return {one: kept.version for one in wanted if (kept := shelf.peek(one)) is not None}
    with database.read() as conn:
        return rows.versions(conn, wanted) if wanted else {}


def run_due(now_ms: int) -> int:
    """Settle every table whose timer has passed by `now_ms`; how many changed. For tests with a clock of their own, too."""
    outcomes = [settle(table_id) for table_id in timers.due(now_ms)]
    return sum(isinstance(outcome, Accepted) and bool(outcome.events) for outcome in outcomes)


def on_created(callback: Callable[[TableId, Loaded], None]) -> Callable[[], None]:
    """Call `callback(table_id, loaded)` for every table that is made in this process; the result ends it."""
    _created_listeners.append(callback)
    return lambda: _created_listeners.remove(callback)


def topic(table_id: TableId) -> str:
    """The bus topic of a table."""
    return f"table:{table_id}"


def _step(table_id: TableId, command: Any) -> Outcome:
    heartbeat.notice_outage()
    place = shelf.place(table_id)
    if command is not None:
        place.follow(table_id)
    with place.lock:
        made = place.made
        outcome = _run(table_id, place, command)
        after = place.loaded
    if after is not None and made < place.made == after.version and machine(after.kind).is_over(after.state):
        settling.ended(table_id, after)
    return outcome


def _run(table_id: TableId, place: Place, command: Any) -> Outcome:
    kept, verified = place.loaded, database.is_sqlite()
    for _ in range(ATTEMPTS):
        if kept is None or kept.version < place.heard:
            kept, verified = shelf.newer(table_id, kept) or kept, True
        if kept is None:
            return None
        attempt = attempts.apply(machine(kept.kind), kept.state, command, clock.now_ms())
        if attempt.events:
            outcome = _save(table_id, place, kept, attempt)
            if outcome is not None:
                return outcome
            kept, verified = place.loaded, True
            continue
        # Nothing changed, or refused: only what the database has now may say so.
        moved_on = None if verified else shelf.newer(table_id, kept)
        if moved_on is None:
            return _unchanged(table_id, kept, command, attempt)
        kept, verified = moved_on, True
    raise Contended(table_id)


def _unchanged(table_id: TableId, kept: Loaded, command: Any, attempt: Attempt) -> Outcome:
    if command is None and database.is_sqlite():
        # Its timer went off early: nobody else would wake it.
        timers.arm(table_id, machine(kept.kind).next_deadline(kept.state))
    return attempt.refused or Accepted(kept.version, kept.state, ())


def _save(table_id: TableId, place: Place, kept: Loaded, attempt: Attempt) -> Outcome:
    """Make the step durable and known; None when another worker was first."""
    game = machine(kept.kind)
    deadline = game.next_deadline(attempt.state)
    over_ms = clock.now_ms() if game.is_over(attempt.state) else None
    wish = rows.Save(table_id, kept.version, codec.encode(attempt.state), deadline, over_ms)
    try:
        won = _saver.save(wish) or _was_ours(wish)
    except BaseException:
        # Whether it was written is unknown: the database says so to the next one who asks.
        heartbeat.note_failure()
        shelf.forget(table_id)
        timers.arm(table_id, clock.now_ms() + sweep.OVERDUE_MS)
        raise
    if not won:
        timers.arm(table_id, None)
        return None
    place.made = kept.version + 1
    place.keep(Loaded(kept.kind, kept.version + 1, attempt.state), attempt.events)
    timers.arm(table_id, deadline)
    bus.publish(topic(table_id), bus.TableStepped(table_id, kept.version + 1, attempt.events))
    return attempt.refused or Accepted(kept.version + 1, attempt.state, attempt.events)


def _was_ours(wish: rows.Save) -> bool:
    """Whether the version that stands in the way is this very step, written although its commit seemed to fail.

    Whatever stands in the way is kept from now on, for the next attempt.
    """
    shelf.forget(wish.id)
    found = shelf.newer(wish.id, None)
    return found is not None and found.version == wish.expected + 1 and codec.encode(found.state) == wish.state


def _arm_all() -> None:
    with database.read() as conn:
        for table_id, deadline in rows.deadlines(conn).items():
            timers.arm(table_id, deadline)


def _hear_others(_topic: str, message: bus.Message) -> None:
    if isinstance(message, bus.TableStepped):
        shelf.hear(message.table_id, message.version)
    elif isinstance(message, bus.TablesWatched) and message.is_new:
        _tell_version(message.worker, message.tables)


def _tell_version(worker: str, ids: Iterable[TableId]) -> None:
    """Whoever begins to follow a table may have read it before a step that was made here, and told of it after it."""
    for table_id in ids:
        kept = shelf.peek(table_id)
        if kept is not None:
            bus.tell(worker, topic(table_id), bus.TableStepped(table_id, kept.version, None))


def _reset() -> None:
    while _subscriptions:
        _subscriptions.pop()()
    timers.stop()
    shelf.clear()
    _saver.close()
