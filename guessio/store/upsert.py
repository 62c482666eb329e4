"""The insert statement of the database in use: the one that knows ON CONFLICT."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert(conn: Connection, table: Table) -> Any:
    """Begin an INSERT into `table` that offers `on_conflict_do_nothing` and `on_conflict_do_update`."""
    if conn.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
