"""When a skill can be used (R6.2). Each function gives the reason against it, or None."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from guessio.rules import tunables
from guessio.rules.terms import Refusal, SeatNo


def extra_turn(guesses_left: int, armed: bool) -> Refusal | None:
    """Extra Turn: locked when only one guess is left in the round, and not twice in one turn."""
    if armed:
        return Refusal.SKILL_ACTIVE
    return Refusal.LAST_GUESS_LEFT if guesses_left < tunables.EXTRA_TURN_GUESSES_MIN else None


def freeze(user: SeatNo, target: SeatNo | None, opponents: Collection[SeatNo], left: Collection[SeatNo],
           frozen: Collection[SeatNo], pending: bool = False) -> Refusal | None:  # fmt: skip
    """Freeze: a seated opponent who is not already frozen. `pending` when the user's own freeze has yet to bite."""
    if pending:
        return Refusal.SKILL_ACTIVE
    return _target(user, target, opponents, left) or (Refusal.TARGET_FROZEN if target in frozen else None)


def xray(user: SeatNo, target: SeatNo | None, opponents: Collection[SeatNo], left: Collection[SeatNo],
         watched: Collection[SeatNo]) -> Refusal | None:  # fmt: skip
    """X-Ray Vision: a seated opponent whose guesses the user (`watched`: the user's targets) does not see already."""
    return _target(user, target, opponents, left) or (Refusal.TARGET_WATCHED if target in watched else None)


def reveal(order: Sequence[int], known: Collection[int]) -> int | None:
    """Reveal Position: the first place of the shuffled `order` that the player does not know to be right; None if none."""
    return next((position for position in order if position not in known), None)


def _target(user: SeatNo, target: SeatNo | None, opponents: Collection[SeatNo], left: Collection[SeatNo]) -> Refusal | None:
    if target is None:
        return Refusal.TARGET_NEEDED
    if target == user or target not in opponents:
        return Refusal.TARGET_NOT_OPPONENT
    return Refusal.TARGET_LEFT if target in left else None
