"""The insert statement of the database in use: the one that knows ON CONFLICT."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table, literal
from sqlalchemy.dialects import postgresql, sqlite


def insert(conn: Connection, table: Table) -> Any:
    """Begin an INSERT into `table` that offers `on_conflict_do_nothing` and `on_conflict_do_update`."""
    if conn.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def add(conn: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one stands in its way; whether it was inserted.

    The answer comes from RETURNING: the row count of an INSERT is not to be had from every driver.
    """
    statement = insert(conn, table).values(**values).on_conflict_do_nothing().returning(literal(1))
    return conn.execute(statement).scalar() is not None
