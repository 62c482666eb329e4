"""What a new row of the board brings to a viewer's screen: the row, the count of the shared limit, the keys that the row tells about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from guessio.engine.match.views import KeyView, RowView, SeatView
from guessio.live import pad_parts, spoken
from guessio.live.painting import draw, partial
from guessio.live.stencils import Holes, filled, fixed, safe
from guessio.rules import rounds
from guessio.rules.terms import Mark

_CALM = partial("#inactivity", "outerHTML", '<p class="banner" id="inactivity" data-tone="warn" hidden></p>')

AT_END = ("#board-end", "beforebegin")


def added(rows: Sequence[RowView], seats: tuple[SeatView, ...]) -> str:
    """New rows at the end of the board; a guess among them also ends a warning of inactivity."""
    players = len(seats)
    drawn = "".join([_row(row, players, is_bot=seats[row.seat].is_bot) for row in rows])
    guesses = [row.number for row in rows if not row.is_skip]
    return partial(*AT_END, drawn) + (counted(guesses[-1], rounds.limit(players)) if guesses else "")


def keys(changed: Iterable[KeyView], *, can_guess: bool) -> str:
    """These keys, as they are now."""
    return "".join([pad_parts.key(key.digit, key.mark, can_guess) for key in changed])


def guess_values(row: RowView, tiles: str) -> tuple[str, ...]:
    """The texts for the holes of `blank_guess`; `tiles` is what `spoken.tiles` says of the digits."""
    return (row.key, str(row.number), safe(row.name), tiles, *row.digits, *(row.marks or ()))


def blank_guess(row: RowView, holes: Holes, players: int, *, is_bot: bool) -> str:
    """A row with a guess with holes in the order of `guess_values`."""
    key, number, name, label, *tiles = [holes.take(value) for value in guess_values(row, "")]
    length = len(row.digits)
    marks = None if row.marks is None else cast(tuple[Mark, ...], tuple(tiles[length:]))
    blank = row._replace(key=key, number=cast(int, number), name=name, digits="".join(tiles[:length]), marks=marks)
    return _drawn(blank, label, players, is_bot=is_bot)


def _row(row: RowView, players: int, *, is_bot: bool) -> str:
    """A new row of the board; one with a guess is only filled in."""
    if row.is_skip:
        return _drawn(row, "", players, is_bot=is_bot)
    shape = ("match/row", players, row.is_own, row.is_xray, row.marks is not None, is_bot)
    values = guess_values(row, spoken.tiles(row.digits, row.marks))
    return filled(shape, lambda: blank_guess(row, Holes(), players, is_bot=is_bot), values)


def _drawn(row: RowView, label: str, players: int, *, is_bot: bool) -> str:
    bots = frozenset([row.seat] if is_bot else [])
    return draw("match/rows", {"players": players, "is_new": True, "bots": bots, "rows": [row], "label": label})


@fixed
def counted(used: int, limit: int) -> str:
    """How much of the shared limit is used after a guess, which also ends a warning of inactivity."""
    return _CALM + partial("#used", "outerHTML", draw("match/used", {"guesses_used": used, "guess_limit": limit}))
