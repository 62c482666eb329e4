"""Fragments that are drawn once for each shape and then only filled in: most of a step is the same for every match.

A stencil is the text of a template in which single characters stand for what differs from use to use: names, digits, turn numbers. The
template may put such a value out but not test it; whatever it tests belongs to the shape.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from operator import itemgetter
from typing import Any

from markupsafe import escape

REMEMBERED = 8192
SCREENS_REMEMBERED = 512  # whole screens are some kilobytes each
SAFE_REMEMBERED = 16_384  # most are asked for again: names, and what is said of turns
FIRST_HOLE = 0xE000  # private use: no template holds such a character
HOLES = tuple(chr(FIRST_HOLE + number) for number in range(64))

Stencil = tuple[str, Callable[[tuple[str, ...]], Any] | None]

_stencils: OrderedDict[Hashable, Stencil] = OrderedDict()
_screens: OrderedDict[Hashable, Stencil] = OrderedDict()


class Holes:
    """Gives out one hole after the other, and keeps what they are to be filled with."""

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values: list[str] = []

    def take(self, value: str) -> str:
        """The next hole, which `value` will fill; what a person chose has gone through `safe`."""
        self.values.append(value)
        return HOLES[len(self.values) - 1]


def clear() -> None:
    """Forget all of them, because the templates are others now."""
    _stencils.clear()
    _screens.clear()


def filled(shape: Hashable, draw: Callable[[], str], values: tuple[str, ...] = ()) -> str:
    """The text of `draw`, in which `HOLES[0]` stands for `values[0]` and so on; drawn once for each `shape`.

    The values are put in as they are: what a person chose goes through `safe` first.
    """
    text, arrange = _stencils.get(shape) or _cut(_stencils, REMEMBERED, shape, draw(), len(values))
    return text if arrange is None else text % arrange(values)


def filled_screen(shape: Hashable, draw: Callable[[], str], values: tuple[str, ...]) -> str:
    """The same for a whole screen, of which fewer are remembered."""
    text, arrange = _screens.get(shape) or _cut(_screens, SCREENS_REMEMBERED, shape, draw(), len(values))
    return text if arrange is None else text % arrange(values)


@lru_cache(maxsize=SAFE_REMEMBERED)
def safe(text: str) -> str:
    """A text of somebody's own for a hole, whether between tags or in an attribute."""
    return str(escape(text))


def _cut(memory: OrderedDict[Hashable, Stencil], most: int, shape: Hashable, text: str, holes: int) -> Stencil:
    """Remember the text as a format, with what puts values in the order in which it has holes for them; None when it has no holes."""
    order = [ord(char) - FIRST_HOLE for char in text if 0 <= ord(char) - FIRST_HOLE < holes]
    arrange = itemgetter(*order) if order else None
    if arrange is not None:
        text = text.replace("%", "%%")
        for hole in HOLES[:holes]:
            text = text.replace(hole, "%s")
    made = memory[shape] = (text, arrange)
    if len(memory) > most:
        memory.popitem(last=False)
    return made
