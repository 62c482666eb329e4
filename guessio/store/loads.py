"""Many tables read in one question over a connection of their own: for workers that play a table by turns.

A plain driver statement, as in `store.saves`: every step of a table that another worker made is read by those who show it or go on from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import psycopg

from guessio.postgres import Numbers, Texts
from guessio.rules.terms import TableId, TableKind
from guessio.store import database, saves
from guessio.store.tables import Stored

_SELECT = """
SELECT t.id, t.kind, t.version, t.state, t.next_deadline_ms
FROM unnest(%s, %s) AS wanted(id, above) JOIN tables t ON t.id = wanted.id AND t.version > wanted.above
"""


class Load(NamedTuple):
    """The wish to have a table if its version is above this one."""

    id: TableId
    above: int


class Reader:
    """Reads from Postgres. A connection that was lost meanwhile is opened anew, because a question may be asked twice."""

    def __init__(self) -> None:
        self._raw: Any = None

    def read(self, wanted: Sequence[Load]) -> list[Stored | None]:
        """Each of these tables, None where there is no newer version. Raises: OperationalError when the database can't do it now."""
        columns = (Texts(wish.id for wish in wanted), Numbers(wish.above for wish in wanted))
        try:
            rows = self._ask(columns)
        except psycopg.OperationalError:
            self.close()
            rows = self._ask_anew(columns)
        except BaseException:
            self.close()
            raise
        found = {row[0]: Stored(row[0], TableKind(row[1]), *row[2:]) for row in rows}
        return [_above(found.get(wish.id), wish.above) for wish in wanted]

    def close(self) -> None:
        """Give the connection back."""
        raw, self._raw = self._raw, None
        if raw is not None:
            raw.close()

    def _ask_anew(self, columns: Any) -> list[Any]:
        try:
            return self._ask(columns)
        except BaseException as error:
            self.close()
            raise saves.said_by_database(error) from error

    def _ask(self, columns: Any) -> list[Any]:
        if self._raw is None:
            self._raw = database.connect_postgres(application="guessio loads")
        return self._raw.execute(_SELECT, columns, prepare=True).fetchall()


def _above(found: Stored | None, above: int) -> Stored | None:
    """Who asked twice for the same table with different versions may have been given one that is not newer for them."""
    return found if found is not None and found.version > above else None
