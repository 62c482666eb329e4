"""How many rounds and guesses there are, and when rounds decide a match (R1.1, R1.8, R1.11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from guessio.rules import tunables
from guessio.rules.terms import SeatNo


@dataclass(frozen=True, slots=True)
class Decided:
    """The rounds have decided the match; `winner` is None for a draw."""

    winner: SeatNo | None


def limit(players: int) -> int:
    """The guesses that all players of a round share (R1.1)."""
    return tunables.GUESS_LIMIT[players]


def code_length(players: int) -> int:
    """How many digits the code has (R1.1)."""
    return tunables.CODE_LENGTH[players]


def match_result(wins: Mapping[SeatNo, int], seated: Collection[SeatNo], rounds_finished: int) -> Decided | None:
    """What the match stands at when a round has just ended; None means that another round follows (R1.11).

    Only players still seated compete; a missing entry of `wins` counts as 0. From round 2 on a sole leader wins,
    after round 3 a shared lead is a draw.
    """
    if rounds_finished < tunables.DECIDABLE_FROM_ROUND:
        return None
    most = max(wins.get(seat, 0) for seat in seated)
    leaders = [seat for seat in seated if wins.get(seat, 0) == most]
    if len(leaders) == 1:
        return Decided(leaders[0])
    return Decided(None) if rounds_finished >= tunables.ROUNDS_MAX else None
