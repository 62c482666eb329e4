"""Many saves of tables in one transaction over a connection of their own: the hot path of a guess.

Plain driver statements, because building and compiling one costs more than running it. Each writer answers per save whether its row
still had the expected version; a conflict is no error and touches nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy.exc import OperationalError

from guessio.postgres import Numbers, Texts
from guessio.store import database
from guessio.store.tables import Save

_SQLITE = "UPDATE tables SET version = ?, state = ?, next_deadline_ms = ?, over_ms = ? WHERE id = ? AND version = ?"
_ONE = "UPDATE tables SET version = %s, state = %s, next_deadline_ms = %s, over_ms = %s WHERE id = %s AND version = %s RETURNING id"
# The rows come sorted by id, so that two workers that write the same tables lock them in the same order.
_MANY = """
UPDATE tables t SET version = u.expected + 1, state = u.state, next_deadline_ms = u.deadline, over_ms = u.over_ms
FROM unnest(%s, %s, %s, %s, %s) AS u(id, expected, state, deadline, over_ms)
WHERE t.id = u.id AND t.version = u.expected RETURNING t.id
"""


class Writer(Protocol):
    """Writes saves, all in one transaction."""

    def write(self, saves: Sequence[Save]) -> list[bool]:
        """Durable when it returns: whether each was written. Raises what the driver raises, and then nothing was written."""
        ...

    def close(self) -> None:
        """Give the connection back."""
        ...


def writer() -> Writer:
    """The writer for the open database."""
    return SqliteWriter() if database.is_sqlite() else PostgresWriter()


class SqliteWriter:
    """Takes its turn with the other writers of the process, then the write lock."""

    def __init__(self) -> None:
        path = str(database.engine().url.database)
        self._raw = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        database.prepare_sqlite(self._raw)

    def write(self, saves: Sequence[Save]) -> list[bool]:
        """See `Writer`."""
        run = self._raw.execute
        with database.sqlite_turn():
            try:
                run("BEGIN IMMEDIATE")
                written = [run(_SQLITE, _values(save)).rowcount == 1 for save in saves]
                run("COMMIT")
            except BaseException as error:
                if self._raw.in_transaction:
                    run("ROLLBACK")
                raise said_by_database(error) from error
        return written

    def close(self) -> None:
        """See `Writer`."""
        self._raw.close()


class PostgresWriter:
    """One statement for all, which is one transaction; connects anew after any failure."""

    def __init__(self) -> None:
        self._raw: Any = None

    def write(self, saves: Sequence[Save]) -> list[bool]:
        """See `Writer`."""
        # One alone costs the database less by the plain statement.
        statement, values = (_ONE, _values(saves[0])) if len(saves) == 1 else (_MANY, _columns(saves))
        try:
            rows = self._connection().execute(statement, values, prepare=True).fetchall()
        except BaseException as error:
            self.close()
            raise said_by_database(error) from error
        written = {row[0] for row in rows}
        return [s.id in written for s in saves]

    def close(self) -> None:
        """See `Writer`."""
        raw, self._raw = self._raw, None
        if raw is not None:
            raw.close()

    def _connection(self) -> Any:
        if self._raw is None:
            self._raw = database.connect_postgres(application="guessio saves")
        return self._raw


def _values(save: Save) -> tuple[Any, ...]:
    """A save for `_SQLITE` and `_ONE`."""
    return save.expected + 1, save.state, save.next_deadline_ms, save.over_ms, save.id, save.expected


def _columns(saves: Sequence[Save]) -> tuple[Any, ...]:
    """Saves for `_MANY`."""
    ids, expected, states, deadlines, ends = zip(*sorted(saves, key=lambda s: s.id), strict=True)
    return Texts(ids), Numbers(expected), Texts(states), Numbers(deadlines), Numbers(ends)


def said_by_database(error: BaseException) -> BaseException:
    """The error as the rest of the application knows it from SQLAlchemy: the database can't do it now."""
    return OperationalError("saving tables", None, error) if isinstance(error, Exception) else error
