"""When a finished table is settled: as soon as it ends, or before that by whoever needs its outcome; what it is worth, its game knows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from guessio.rules.terms import TableId, TableKind
from guessio.services import games, readiness, shelf
from guessio.services.shelf import Loaded

log = logging.getLogger(__name__)

Book = Callable[[Any], object]
"""Books the final state of a table in one transaction, of which `store.tables.settle` is part; a second time it changes nothing."""

_books: dict[TableKind, Book] = {}


def begin(kind: TableKind, book: Book) -> Callable[[], object]:
    """Book each table of this kind as it ends, by this process or another; the result ends it."""
    _books[kind] = book
    return lambda: _books.pop(kind)


def ended(table_id: TableId, loaded: Loaded) -> None:
    """After the commit of the step that ended a table: book it. The sweep says so again, from any worker, until that has worked."""
    book = _books.get(loaded.kind)
    if book is None:
        return
    try:
        book(loaded.state)
    except Exception:
        readiness.tell_failure(log, "booking the end of table %s failed; the sweep tries again", table_id)


def settle(table_id: TableId, kind: TableKind, book: Callable[[Any], bool]) -> bool:
    """Book this table now; False when it is not over, of another kind, or was booked before."""
    loaded = shelf.load(table_id)
    return loaded is not None and loaded.kind is kind and games.of(kind).machine.is_over(loaded.state) and book(loaded.state)
