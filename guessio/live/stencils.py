"""Fragments that are drawn once for each shape and then only filled in: most of a step is the same for every match.

A stencil is the text of a template in which single characters stand for what differs from use to use: names, digits, turn numbers. The
template may put such a value out but not test it; whatever it tests belongs to the shape.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar, cast

from markupsafe import escape

REMEMBERED = 8192
SCREENS_REMEMBERED = 512  # whole screens are some kilobytes each
FIXED_REMEMBERED = 1024  # keys and counts
SAFE_REMEMBERED = 16_384  # most are asked for again: names, and what is said of turns
FIRST_HOLE = 0xE000  # private use: no template holds such a character
HOLES = tuple(chr(FIRST_HOLE + number) for number in range(64))
_A_HOLE = re.compile(f"([{HOLES[0]}-{HOLES[-1]}])")

Stencil = tuple[list[str], Callable[[tuple[str, ...]], Any] | None]
"""The pieces of a text with an empty one for each hole, and what puts values in the order of the holes; None when there are none."""

Drawing = TypeVar("Drawing", bound=Callable[..., str])

_stencils: OrderedDict[Hashable, Stencil] = OrderedDict()
_screens: OrderedDict[Hashable, Stencil] = OrderedDict()
_fixed: list[Any] = []


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
    for remembered in _fixed:
        remembered.cache_clear()


def fixed(draw: Drawing) -> Drawing:
    """A decorator for what is drawn from its arguments alone: drawn once for each, until the templates are others."""
    remembered = lru_cache(maxsize=FIXED_REMEMBERED)(draw)
    _fixed.append(remembered)
    return cast(Drawing, remembered)


def filled(shape: Hashable, draw: Callable[[], str], values: tuple[str, ...] = ()) -> str:
    """The text of `draw`, in which `HOLES[0]` stands for `values[0]` and so on; drawn once for each `shape`.

    The values are put in as they are: what a person chose goes through `safe` first.
    """
    return fill(of(shape, draw, len(values)), values)


def of(shape: Hashable, draw: Callable[[], str], holes: int) -> Stencil:
    """The stencil itself, with so many holes."""
    return _stencils.get(shape) or _cut(_stencils, REMEMBERED, shape, draw(), holes)


def filled_screen(shape: Hashable, draw: Callable[[], str], values: tuple[str, ...]) -> str:
    """The same for a whole screen, of which fewer are remembered."""
    return fill(_screens.get(shape) or _cut(_screens, SCREENS_REMEMBERED, shape, draw(), len(values)), values)


def fill(stencil: Stencil, values: tuple[str, ...]) -> str:
    """The text with the values in its holes. Joining pieces takes a third of the time of formatting."""
    pieces, arrange = stencil
    if arrange is not None:
        pieces = pieces.copy()
        pieces[1::2] = arrange(values)
    return "".join(pieces)


@lru_cache(maxsize=SAFE_REMEMBERED)
def safe(text: str) -> str:
    """A text of somebody's own for a hole, whether between tags or in an attribute."""
    return plain(str(escape(text)))


def plain(html: str) -> str:
    """The same HTML in ASCII: then a message takes a byte a character, is put together and encoded faster, and stays so with any name."""
    return html if html.isascii() else html.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _cut(memory: OrderedDict[Hashable, Stencil], most: int, shape: Hashable, text: str, holes: int) -> Stencil:
    """Remember the text as pieces between the holes for that many values."""
    pieces = _A_HOLE.split(text)
    order = [ord(hole) - FIRST_HOLE for hole in pieces[1::2]]
    if any(number >= holes for number in order):
        raise ValueError(f"a stencil with more holes than its {holes} values")
    pieces = [plain(piece) for piece in pieces]
    pieces[1::2] = [""] * len(order)
    made = memory[shape] = (pieces, _arranger(order))
    if len(memory) > most:
        memory.popitem(last=False)
    return made


def _arranger(order: list[int]) -> Callable[[tuple[str, ...]], Any] | None:
    """What gives values in this order; None for none."""
    if len(order) == 1:
        only = order[0]
        return lambda values: (values[only],)
    return itemgetter(*order) if order else None
