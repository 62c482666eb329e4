"""Which finished tables still wait to be settled, and the one claim on each: whoever makes it settles (request 23)."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from guessio.rules.terms import TableId, TableKind
from guessio.store.schema import custom_totals, tables
from guessio.store.upsert import insert


def waiting(conn: Connection, kind: TableKind, limit: int) -> tuple[TableId, ...]:
    """Tables of this kind that are over but unsettled, the oldest first."""
    rows = conn.execute(
        select(tables.c.id)
        .where(tables.c.settled.is_(False), tables.c.over_ms.is_not(None), tables.c.kind == kind)
        .order_by(tables.c.over_ms, tables.c.id)
        .limit(limit)
    )
    return tuple(TableId(row.id) for row in rows)


def claim(conn: Connection, table: TableId) -> bool:
    """Mark a finished table settled; False when it is not over or was settled before."""
    statement = update(tables).where(tables.c.id == table, tables.c.settled.is_(False), tables.c.over_ms.is_not(None)).values(settled=True)
    return conn.execute(statement).rowcount == 1


def count_custom(conn: Connection, day: str, *, cancelled: bool) -> None:
    """Add one to a day's total of completed or cancelled custom matches (R4.4)."""
    counted = custom_totals.c.cancelled if cancelled else custom_totals.c.completed
    statement = insert(conn, custom_totals).values({"day": day, counted.name: 1})
    conn.execute(statement.on_conflict_do_update(index_elements=[custom_totals.c.day], set_={counted.name: counted + 1}))
