"""Lists that are shown a page at a time, and narrowed by a filter (R11.3, R17.7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from guessio.rules import tunables

Entry = TypeVar("Entry")
Filter = TypeVar("Filter", bound=StrEnum)

NUMBER_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Page(Generic[Entry, Filter]):
    """One page of a list. `page` counts from 1; `newer` and `older` are page numbers or None at the ends."""

    entries: tuple[Entry, ...]
    filter: Filter
    filters: tuple[Filter, ...]
    page: int
    newer: int | None
    older: int | None


def page(filters: type[Filter], wanted: str, number: str, listed: Callable[[Filter, int, int], tuple[Entry, ...]]) -> Page[Entry, Filter]:
    """The page that an address asks for: an unknown filter is the first of them, a page number that is none is 1.

    `listed(filter, limit, offset)` gives the entries, newest first; it is asked for one more than fits, to see whether more follow.
    """
    every = tuple(filters)
    chosen = filters(wanted) if wanted in frozenset(every) else every[0]
    current = max(1, int(number)) if number.isascii() and number.isdigit() and len(number) <= NUMBER_DIGITS else 1
    size = tunables.HISTORY_PAGE_SIZE
    found = listed(chosen, size + 1, (current - 1) * size)
    return Page(
        entries=found[:size],
        filter=chosen,
        filters=every,
        page=current,
        newer=current - 1 if current > 1 else None,
        older=current + 1 if len(found) > size else None,
    )
