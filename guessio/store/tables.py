"""Live tables: one row each, written under its expected version only, so that a step is made once whoever makes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from guessio.rules.terms import TableId, TableKind
from guessio.store.schema import tables

_COLUMNS = (tables.c.id, tables.c.kind, tables.c.version, tables.c.state, tables.c.next_deadline_ms)
_SETTLE = update(tables).where(tables.c.id == bindparam("table"), tables.c.settled.is_(False)).values(settled=True)


class Stored(NamedTuple):
    """A table's row. `state` is the codec's text; `next_deadline_ms` is None once over."""

    id: TableId
    kind: TableKind
    version: int
    state: str
    next_deadline_ms: int | None


class Save(NamedTuple):
    """The wish to put a table from version `expected` to the next one. `over_ms` is the moment of its end, if it ended."""

    id: TableId
    expected: int
    state: str
    next_deadline_ms: int | None
    over_ms: int | None


def add(conn: Connection, row: Stored, over_ms: int | None = None) -> None:
    """Store a new table."""
    conn.execute(
        insert(tables).values(
            id=row.id,
            kind=row.kind,
            version=row.version,
            state=row.state,
            next_deadline_ms=row.next_deadline_ms,
            over_ms=over_ms,
            settled=False,
        )
    )


def save(conn: Connection, wish: Save) -> bool:
    """Write one step; False when someone else was first. The hot path writes through `store.saves` instead."""
    statement = (
        update(tables)
        .where(tables.c.id == wish.id, tables.c.version == wish.expected)
        .values(version=wish.expected + 1, state=wish.state, next_deadline_ms=wish.next_deadline_ms, over_ms=wish.over_ms)
    )
    return conn.execute(statement).rowcount == 1


def find(conn: Connection, table_id: TableId, above: int = -1) -> Stored | None:
    """The table, if there is one with a version above `above`."""
    row = conn.execute(select(*_COLUMNS).where(tables.c.id == table_id, tables.c.version > above)).first()
    return None if row is None else _of_row(row)


def versions(conn: Connection, ids: Iterable[TableId]) -> dict[TableId, int]:
    """The present version of each of these tables."""
    rows = conn.execute(select(tables.c.id, tables.c.version).where(tables.c.id.in_(tuple(ids))))
    return {TableId(row.id): row.version for row in rows}


def overdue(conn: Connection, until_ms: int, limit: int) -> tuple[TableId, ...]:
    """Tables whose deadline passed at or before `until_ms`, the longest overdue first."""
    query = select(tables.c.id).where(tables.c.next_deadline_ms <= until_ms).order_by(tables.c.next_deadline_ms).limit(limit)
    return tuple(TableId(row.id) for row in conn.execute(query))


def deadlines(conn: Connection) -> dict[TableId, int]:
    """The next deadline of every live table."""
    query = select(tables.c.id, tables.c.next_deadline_ms).where(tables.c.next_deadline_ms.is_not(None))
    return {TableId(row.id): row.next_deadline_ms for row in conn.execute(query)}


def live(conn: Connection) -> list[Stored]:
    """Every live table; on Postgres locked for the rest of the transaction."""
    query = select(*_COLUMNS).where(tables.c.next_deadline_ms.is_not(None)).order_by(tables.c.id).with_for_update()
    return [_of_row(row) for row in conn.execute(query)]


def unsettled(conn: Connection, over_before_ms: int, limit: int) -> tuple[TableId, ...]:
    """Tables that ended before a moment and whose results are not booked yet."""
    query = (
        select(tables.c.id).where(tables.c.settled.is_(False), tables.c.over_ms < over_before_ms).order_by(tables.c.over_ms).limit(limit)
    )
    return tuple(TableId(row.id) for row in conn.execute(query))


def settle(conn: Connection, table_id: TableId) -> bool:
    """Note that the table's results are booked; False when they were already. Belongs into the transaction that books them."""
    return conn.execute(_SETTLE, {"table": table_id}).rowcount == 1


def drop_settled(conn: Connection, over_before_ms: int) -> int:
    """Remove tables that ended before a moment and are booked; how many. Their record lives on in the history."""
    return conn.execute(delete(tables).where(tables.c.settled.is_(True), tables.c.over_ms < over_before_ms)).rowcount


def _of_row(row: Any) -> Stored:
    return Stored(TableId(row.id), TableKind(row.kind), row.version, row.state, row.next_deadline_ms)
