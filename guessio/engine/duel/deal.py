"""Drawing all the chance of a duel in one go, before it starts (R17.4, R17.7)."""

from __future__ import annotations

from collections.abc import Callable

from guessio.engine.duel.seating import SEATS
from guessio.engine.duel.state import Deal
from guessio.rules.terms import SeatNo

SEED_BYTES = 32


def draw(pick: Callable[[int], int], token: Callable[[int], str], first: SeatNo | None = None) -> Deal:
    """A deal; `first` is given for a rematch only (R17.4).

    `pick(n)` gives an int in range(n) and `token(n)` n bytes as hexadecimal text; both from `secrets` in play.
    """
    return Deal(SEATS[pick(len(SEATS))] if first is None else first, token(SEED_BYTES))
