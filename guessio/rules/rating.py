"""The weekly rating after one match (R9.1 to R9.4, R7.6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from guessio.rules import tunables
from guessio.rules.terms import MatchType


@dataclass(frozen=True, slots=True)
class Rated:
    """One player of a match as it ended; `rating` is the one at its start."""

    rating: int
    rounds_won: int
    won_match: bool
    connected: bool
    forfeited: bool


@dataclass(frozen=True, slots=True)
class Change:
    """`raw` by the formula, `change` rounded, `applied` after the floor: what history shows (R9.4)."""

    raw: float
    change: int
    applied: int
    after: int


def after_match(kind: MatchType, cancelled: bool, seats_at_start: int, players: Sequence[Rated]) -> tuple[Change, ...]:
    """The change for each of `players`, in their order.

    A match cancelled for inactivity costs everybody the same, in Ranked and Casual; otherwise only Ranked counts (R9.1).
    """
    if cancelled and kind is not MatchType.CUSTOM:
        return tuple(applied(player.rating, tunables.INACTIVITY_RATING) for player in players)
    if kind is not MatchType.RANKED:
        return tuple(applied(player.rating, 0) for player in players)
    scored = [player for player in players if is_scored(player)]
    multiplier = tunables.RATING_MULTIPLIER[seats_at_start]
    return tuple(
        applied(player.rating, multiplier * _mean_gain(player, scored))
        if is_scored(player)
        else applied(player.rating, tunables.QUIT_RATING)
        for player in players
    )


def is_scored(player: Rated) -> bool:
    """Whether the formula applies: connected at the end or the winner, and not forfeited (R9.3)."""
    return not player.forfeited and (player.connected or player.won_match)


def expected(own: int, other: int) -> float:
    """The result to expect of `own` against `other`, between 0 and 1 (R9.2)."""
    return 1 / (1 + tunables.RATING_BASE ** ((other - own) / tunables.RATING_SPREAD))


def applied(rating: int, raw: float) -> Change:
    """Round a raw change, halves away from zero, and keep the rating at the floor or above (R9.1, R9.2)."""
    change = int(math.copysign(math.floor(abs(raw) + 0.5), raw))
    after = max(tunables.RATING_FLOOR, rating + change)
    return Change(float(raw), change, after - rating, after)


def _mean_gain(player: Rated, scored: Sequence[Rated]) -> float:
    others = [other for other in scored if other is not player]
    if not others:
        return 0.0
    gains = (_result(player, other) - expected(player.rating, other.rating) for other in others)
    return tunables.RATING_WEIGHT * math.fsum(gains) / len(others)


def _result(player: Rated, other: Rated) -> float:
    own, their = _group(player.rounds_won), _group(other.rounds_won)
    return 0.5 if own == their else float(own > their)


def _group(rounds_won: int) -> int:
    return min(rounds_won, tunables.RATING_TOP_GROUP_WINS)
