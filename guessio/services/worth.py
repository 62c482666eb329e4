"""What a finished match is worth to each player: outcome, points, rating and counts, worked out but not yet booked (R8, R9, R7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from guessio.engine.match.results import MatchResult, SeatResult, facts
from guessio.rules import points, rating
from guessio.rules.achievements import MatchFacts
from guessio.rules.terms import AccountId, MatchEnd, MatchType, Outcome, SeatNo
from guessio.store.ratings import Standing
from guessio.store.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Worth:
    """One player's part of a finished match. `counts` and `standing` are the new ones; rating is None where it played no part."""

    seat: SeatResult
    counts: Statistics
    standing: Standing
    rating_before: int | None
    rating_after: int | None
    points_change: int
    best_opponent_rounds: int
    facts: MatchFacts


def of(result: MatchResult, counts: Mapping[AccountId, Statistics], standings: Mapping[AccountId, Standing]) -> tuple[Worth, ...]:
    """The worth of a Casual or Ranked match for every seat, given everyone's present counts and standing of the week it ended in.

    The rating formula sees the ratings at the match's start; its change is applied to the present one, which is another
    when the week turned meanwhile (R9.2, R9.5).
    """
    rated = [
        rating.Rated(seat.rating, seat.rounds_won, seat.outcome is Outcome.WIN, seat.connected, seat.forfeited) for seat in result.seats
    ]
    changes = rating.after_match(result.type, result.end is MatchEnd.INACTIVITY, result.players, rated)
    return tuple(
        _worth(result, seat, change.change, counts[seat.account], standings[seat.account])
        for seat, change in zip(result.seats, changes, strict=True)
    )


def touches_rating(result: MatchResult) -> bool:
    """Whether a match changes ratings: Ranked does, and whatever was cancelled for inactivity (R9.1, R7.6)."""
    return result.type is MatchType.RANKED or result.end is MatchEnd.INACTIVITY


def _worth(result: MatchResult, seat: SeatResult, change: int, counts: Statistics, standing: Standing) -> Worth:
    gained = points.after_match(result.type, result.difficulty, seat.outcome, counts.points, seat.forfeited)
    ranked = int(result.type is MatchType.RANKED)
    rated = touches_rating(result)
    after = rating.applied(standing.rating, change).after if rated else standing.rating
    return Worth(
        seat=seat,
        counts=replace(_counted(seat, counts), points=counts.points + gained, ranked_played=counts.ranked_played + ranked),
        standing=Standing(after, standing.ranked_played + ranked),
        rating_before=standing.rating if rated else None,
        rating_after=after if rated else None,
        points_change=gained,
        best_opponent_rounds=max(other.rounds_won for other in result.seats if other.seat != seat.seat),
        facts=facts(result, SeatNo(seat.seat)),
    )


def _counted(seat: SeatResult, counts: Statistics) -> Statistics:
    """The statistics with this match in them; a cancelled one is played, but neither won, lost nor drawn (R11.1)."""
    return replace(
        counts,
        played=counts.played + 1,
        won=counts.won + (seat.outcome is Outcome.WIN),
        lost=counts.lost + (seat.outcome is Outcome.LOSS),
        drawn=counts.drawn + (seat.outcome is Outcome.DRAW),
        rounds_won=counts.rounds_won + seat.rounds_won,
        turns_skipped=counts.turns_skipped + seat.turns_skipped,
    )
