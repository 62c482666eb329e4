"""What a match adds to or takes from a player's points (SPEC 8, R7.5, R7.6, R14.3)."""

from __future__ import annotations

from guessio.rules import tunables
from guessio.rules.terms import Difficulty, MatchType, Outcome


def after_match(kind: MatchType, difficulty: Difficulty, outcome: Outcome, points: int, forfeited: bool) -> int:
    """The change of a player's `points` when a match is saved; never takes them below 0.

    A player who forfeited gets the loss value even if the others draw, and no penalty when the match is cancelled.
    Custom matches are worth nothing.
    """
    if kind is MatchType.CUSTOM:
        return 0
    if outcome is Outcome.CANCELLED:
        return 0 if forfeited else -inactivity_penalty(points)
    if forfeited or outcome is Outcome.LOSS:
        return tunables.LOSS_POINTS
    return tunables.WIN_POINTS[difficulty] if outcome is Outcome.WIN else tunables.DRAW_POINTS


def inactivity_penalty(points: int) -> int:
    """What a seated player loses when a match is cancelled: ten per cent, halves rounded up (R7.6)."""
    return min(points - tunables.POINTS_FLOOR, (points * tunables.INACTIVITY_POINTS_PERCENT + 50) // 100)


def can_retry(points: int) -> bool:
    """Whether these points pay for one retry of the Daily Challenge (R14.3)."""
    return points - tunables.DAILY_RETRY_POINTS >= tunables.POINTS_FLOOR
