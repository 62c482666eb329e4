"""When a finished table is settled: as soon as it ends, or before that by whoever needs its outcome; what it is worth, its game knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guessio.rules.terms import TableId, TableKind
from guessio.services import tables

Book = Callable[[Any], bool]
"""Books the final state of a table in one transaction, keyed by the table; whether that was news."""

_ends: dict[TableKind, Callable[[], None]] = {}


def begin(kind: TableKind, book: Book) -> None:
    """Book each table of this kind as it ends; the runner's sweep hands in again what was not settled, as after a crash."""
    if kind in _ends:
        _ends.pop(kind)()

    def ended(_table: TableId, ended_kind: TableKind, state: Any) -> None:
        if ended_kind is kind:
            book(state)

    _ends[kind] = tables.on_over(ended)


def settle(table_id: TableId, kind: TableKind, book: Book) -> bool:
    """Book this table now; False when it is not over, of another kind, or was booked before."""
    loaded = tables.load(table_id)
    return loaded is not None and loaded.kind is kind and tables.machine(kind).is_over(loaded.state) and book(loaded.state)
