"""What a forfeit does to the match, and what the match was for each player in the end (R7.4, R7.5; SPEC, Terms)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from guessio.rules.terms import MatchEnd, Outcome, SeatNo


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Only `winner` is left and has won; `gets_round` says whether a running round is awarded to them first."""

    winner: SeatNo
    gets_round: bool


def after_forfeit(seated: Collection[SeatNo], seats_at_start: int) -> LeftAlone | None:
    """What follows now that only `seated` are left of `seats_at_start`; None means that play goes on (R7.4)."""
    if len(seated) != 1:
        return None
    (winner,) = seated
    return LeftAlone(winner, gets_round=seats_at_start == 2)


def outcome_for(end: MatchEnd, winner: SeatNo | None, seat: SeatNo, forfeited: bool) -> Outcome:
    """What the match was for `seat`: who forfeited has lost even if the others draw (R7.5)."""
    if end is MatchEnd.INACTIVITY:
        return Outcome.CANCELLED
    if winner == seat:
        return Outcome.WIN
    return Outcome.LOSS if forfeited or winner is not None else Outcome.DRAW


def is_full(end: MatchEnd, absent: Iterable[bool]) -> bool:
    """Whether a match ended normally: `absent` says for each seat whether it was disconnected or had forfeited."""
    return end is MatchEnd.PLAYED and not any(absent)
