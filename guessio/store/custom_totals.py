"""How many custom matches were completed and cancelled each day, without anybody's name (R4.4)."""

from __future__ import annotations

from sqlalchemy import Connection

from guessio.store.schema import custom_totals
from guessio.store.upsert import insert


def count(conn: Connection, day: str, *, cancelled: bool) -> None:
    """Add one to a day's total of completed or cancelled matches; `day` is YYYY-MM-DD in UTC."""
    counted = custom_totals.c.cancelled if cancelled else custom_totals.c.completed
    statement = insert(conn, custom_totals).values({"day": day, counted.name: 1})
    conn.execute(statement.on_conflict_do_update(index_elements=[custom_totals.c.day], set_={counted.name: counted + 1}))
