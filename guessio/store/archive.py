"""What saved matches and saved duels have in common: a row a table and a line a player in it, listed newest first (R11.3, R17.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Row, Table, select

from guessio.rules.terms import AccountId, TableId

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Archive:
    """The finished tables of one game, their players' lines, and the column of a line that names its table."""

    tables: Table
    lines: Table
    table_id: Column[Any]

    def row(self, conn: Connection, table: TableId) -> Row[*tuple[Any, ...]] | None:
        """One table with its record."""
        return conn.execute(select(self.tables).where(self.tables.c.id == table)).first()

    def newest(
        self, conn: Connection, account: AccountId, limit: int, offset: int, *conditions: ColumnElement[bool]
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        """The account's tables whose lines of that account meet the conditions, newest first, without their records."""
        listed = [column for column in self.tables.c if column.name != "record"]
        own = select(*listed).join(self.lines, self.table_id == self.tables.c.id).where(self.lines.c.account_id == account, *conditions)
        newest = own.order_by(self.lines.c.ended_ms.desc(), self.table_id.desc())
        return conn.execute(newest.limit(limit).offset(offset)).all()

    def players(
        self, conn: Connection, ids: Iterable[TableId], read: Callable[[Row[*tuple[Any, ...]]], Line]
    ) -> dict[TableId, tuple[Line, ...]]:
        """The players' lines of these tables, in seat order, each as `read` makes it."""
        found: dict[TableId, tuple[Line, ...]] = {}
        wanted = tuple(ids)
        if wanted:
            statement = select(self.lines).where(self.table_id.in_(wanted)).order_by(self.table_id, self.lines.c.seat)
            for row in conn.execute(statement):
                table = TableId(row._mapping[self.table_id])
                found[table] = (*found.get(table, ()), read(row))
        return found
