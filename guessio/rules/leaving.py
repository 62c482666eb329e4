"""What a forfeit does to the match (R7.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from guessio.rules.terms import SeatNo


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Only `winner` is left and has won the match; `gets_round` says whether a running round is awarded to them first."""

    winner: SeatNo
    gets_round: bool


def after_forfeit(seated: Collection[SeatNo], seats_at_start: int) -> LeftAlone | None:
    """What follows now that only `seated` are left of `seats_at_start`; None means that play goes on (R7.4)."""
    if len(seated) != 1:
        return None
    (winner,) = seated
    return LeftAlone(winner, gets_round=seats_at_start == 2)
