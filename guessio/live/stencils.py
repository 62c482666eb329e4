"""Fragments that are drawn once for each shape and then only filled in: most of a step is the same for every match.

A stencil is the text of a template in which single characters stand for what differs from use to use: names, digits, turn numbers. The
template may put such a value out but not test it; whatever it tests belongs to the shape.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Any

from markupsafe import escape

REMEMBERED = 8192
FIRST_HOLE = 0xE000  # private use: no template holds such a character
HOLES = tuple(chr(FIRST_HOLE + number) for number in range(48))

_stencils: OrderedDict[Hashable, tuple[str, Callable[[tuple[str, ...]], Any] | None]] = OrderedDict()


def clear() -> None:
    """Forget all of them, because the templates are others now."""
    _stencils.clear()


def filled(shape: Hashable, draw: Callable[[], str], values: tuple[str, ...] = ()) -> str:
    """The text of `draw`, in which `HOLES[0]` stands for `values[0]` and so on; drawn once for each `shape`.

    The values are put in as they are: what a person chose goes through `safe` first.
    """
    found = _stencils.get(shape)
    if found is None:
        found = _stencils[shape] = _cut(draw(), len(values))
        if len(_stencils) > REMEMBERED:
            _stencils.popitem(last=False)
    text, arrange = found
    return text if arrange is None else text % arrange(values)


def safe(text: str) -> str:
    """A text of somebody's own for a hole, whether between tags or in an attribute."""
    return str(escape(text))


def _cut(text: str, holes: int) -> tuple[str, Callable[[tuple[str, ...]], Any] | None]:
    """The text as a format, and what puts values in the order in which it has holes for them; None when it has no holes."""
    order = [ord(char) - FIRST_HOLE for char in text if 0 <= ord(char) - FIRST_HOLE < holes]
    if not order:
        return text, None
    text = text.replace("%", "%%")
    for hole in HOLES[:holes]:
        text = text.replace(hole, "%s")
    return text, itemgetter(*order)
