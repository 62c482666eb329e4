"""The tables that this process keeps at hand: a cache only, the database is the truth.

What is kept may be older than the database when another worker has played on; whoever relies on it must be able to find that out.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from gevent.lock import BoundedSemaphore

from guessio import bus, clock
from guessio.rules.terms import TableId, TableKind
from guessio.services import games
from guessio.services.together import Together
from guessio.store import codec, database
from guessio.store import tables as rows
from guessio.store.loads import Load, Reader

RECENT = 8
IDLE_MS = 60_000


class Loaded(NamedTuple):
    """A table as it was at one version."""

    kind: TableKind
    version: int
    state: Any


class Recent(NamedTuple):
    """One step of a table: what happened, and the state that it led to."""

    version: int
    events: tuple[Any, ...]
    state: Any


class Place:
    """Where one table is kept. `lock` is held by whoever changes the table, over save and publishing.

    `heard` is the newest version that another process told of, `made` the newest that this one made. `is_followed`: others tell of every
    step, because players command here.
    """

    __slots__ = ("heard", "is_followed", "loaded", "lock", "made", "recent", "touched_ms")

    def __init__(self) -> None:
        self.lock = BoundedSemaphore()
        self.loaded: Loaded | None = None
        self.heard = 0
        self.made = 0
        self.is_followed = False
        self.recent: deque[Recent] = deque(maxlen=RECENT)
        self.touched_ms = clock.now_ms()

    def keep(self, loaded: Loaded, events: tuple[Any, ...] | None = None) -> None:
        """Keep this version, and how it came about where that is known."""
        if events is None or (self.recent and self.recent[-1].version != loaded.version - 1):
            self.recent.clear()
        if events is not None:
            self.recent.append(Recent(loaded.version, events, loaded.state))
        self.loaded = loaded
        self.touched_ms = clock.now_ms()

    def follow(self, table_id: TableId) -> None:
        """Hear from now on of what other processes do at the table."""
        if not self.is_followed:
            self.is_followed = True
            bus.want(table_id)

    def drop(self, table_id: TableId) -> None:
        """The place is given up."""
        if self.is_followed:
            bus.let_go(table_id)


_places: dict[TableId, Place] = {}
_loads: Together[Load, rows.Stored | None] = Together(Reader, Reader.read)


def place(table_id: TableId) -> Place:
    """Where the table is kept, made when it wasn't."""
    found = _places.get(table_id)
    if found is None:
        found = _places[table_id] = Place()
    return found


def peek(table_id: TableId) -> Loaded | None:
    """The table as it is kept here, without asking the database."""
    found = _places.get(table_id)
    return None if found is None else found.loaded


def load(table_id: TableId) -> Loaded | None:
    """The table as it is now, never older than the database; None when there is none."""
    kept = peek(table_id)
    if kept is not None and database.is_sqlite():
        return kept
    return newer(table_id, kept) or kept


def newer(table_id: TableId, kept: Loaded | None) -> Loaded | None:
    """The table from the database if it is newer than `kept`, which it then takes the place of."""
    row = _read(table_id, -1 if kept is None else kept.version)
    if row is None:
        return None
    loaded = Loaded(row.kind, row.version, codec.decode(games.of(row.kind).machine.State, row.state))
    where = place(table_id)
    if where.loaded is None or where.loaded.version < loaded.version:
        where.keep(loaded)
    return loaded


def _read(table_id: TableId, above: int) -> rows.Stored | None:
    if not database.is_sqlite():
        return _loads.ask(Load(table_id, above))
    with database.read() as conn:
        return rows.find(conn, table_id, above)


def hear(table_id: TableId, version: int) -> None:
    """Another process has made this version: what is kept is old."""
    found = _places.get(table_id)
    if found is not None:
        found.heard = max(found.heard, version)


def since(table_id: TableId, version: int) -> tuple[Recent, ...] | None:
    """The steps after `version` up to the kept one; None when they are not all known here."""
    found = _places.get(table_id)
    if found is None or found.loaded is None or version > found.loaded.version:
        return None
    missed = tuple(step for step in found.recent if step.version > version)
    return missed if len(missed) == found.loaded.version - version else None


def forget(table_id: TableId) -> None:
    """Keep the table's place but not its state: the next one to need it asks the database."""
    found = _places.get(table_id)
    if found is not None:
        found.loaded = None
        found.recent.clear()


def tidy(now_ms: int) -> None:
    """Drop the tables that nobody has touched for a while."""
    for table_id, found in list(_places.items()):
        if now_ms - found.touched_ms > IDLE_MS and not found.lock.locked():
            _places.pop(table_id).drop(table_id)


def clear() -> None:
    """Drop everything, and the connection to the database."""
    while _places:
        table_id, found = _places.popitem()
        found.drop(table_id)
    _loads.close()


def count() -> int:
    """How many tables are kept."""
    return len(_places)
