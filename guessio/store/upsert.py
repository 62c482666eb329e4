"""The insert statement of the database in use: the one that knows ON CONFLICT."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Table, literal
from sqlalchemy.dialects import postgresql, sqlite


def insert(conn: Connection, table: Table) -> Any:
    """Begin an INSERT into `table` that offers `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return _insert(conn.dialect.name, table)


def add(conn: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one stands in its way; whether it was inserted.

    The answer comes from RETURNING: the row count of an INSERT is not to be had from every driver.
    """
    return conn.execute(_adding(conn.dialect.name, table), values).scalar() is not None


def add_each(conn: Connection, table: Table, rows: Sequence[dict[str, Any]], told: Column[Any]) -> frozenset[Any]:
    """Insert those of the rows, one at least, in whose way none stands; gives the values of column `told` of the inserted ones."""
    return frozenset(conn.execute(_adding_each(conn.dialect.name, table, told), rows).scalars())


@cache
def replacing(dialect: str, table: Table) -> Any:
    """An INSERT of whole rows into `table` that overwrites the row with the same primary key; built once, the rows are its parameters."""
    statement = _insert(dialect, table)
    set_ = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=set_)


@cache
def _adding(dialect: str, table: Table) -> Any:
    """Built once per table, for building it costs more than running it; the columns are those of the parameters."""
    return _insert(dialect, table).on_conflict_do_nothing().returning(literal(1))


@cache
def _adding_each(dialect: str, table: Table, told: Column[Any]) -> Any:
    return _insert(dialect, table).on_conflict_do_nothing().returning(told)


def _insert(dialect: str, table: Table) -> Any:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
