"""What a finished match came to for one player: the results page (R1.10, R9.4)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.achievements import HOW, TITLES, Achievement
from guessio.rules.terms import AccountId, MatchEnd, MatchType, Outcome, SeatNo, TableId
from guessio.services import details, results
from guessio.services.details import MatchDetails, Participant
from guessio.store import achievements, database, matches


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating before and after the match, and the change as applied."""

    before: int
    after: int
    change: int


@dataclass(frozen=True, slots=True)
class BadgeShown:
    """An achievement that this match unlocked."""

    key: str
    title: str
    how: str


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """The results of one match for one player.

    `ratings` holds everybody's by seat in Ranked, the player's own after a cancellation, and nothing elsewhere (R9.4, R7.6).
    `points_after` is what the player had once this match was booked.
    """

    details: MatchDetails
    headline: str
    explanation: str
    own: Participant
    ratings: dict[SeatNo, RatingShown]
    points_after: int
    badges: tuple[BadgeShown, ...]


def show(actor: AccountId, match: TableId) -> ResultsPage | None:
    """The results for somebody who had a seat; None for everybody else, and while the match goes on.

    A match that has just ended and is not booked yet is booked here.
    """
    found = details.find(actor, match)
    if found is None and results.settle(match):
        found = details.find(actor, match)
    if found is None:
        return None
    with database.read() as conn:
        players = matches.players(conn, [match])[match]
        unlocked = achievements.of_match(conn, actor, match)
    own = next(one for one in found.participants if one.is_own)
    visible = players if found.entry.type is MatchType.RANKED else [player for player in players if player.account == actor]
    return ResultsPage(
        details=found,
        headline=_headline(found, own),
        explanation=_explanation(found, own),
        own=own,
        ratings={
            player.seat: RatingShown(player.rating_before, player.rating_after, player.rating_after - player.rating_before)
            for player in visible
            if player.rating_before is not None and player.rating_after is not None
        },
        points_after=next(player.points_after for player in players if player.account == actor),
        badges=tuple(BadgeShown(name, TITLES[Achievement(name)], HOW[Achievement(name)]) for name in unlocked),
    )


def _headline(found: MatchDetails, own: Participant) -> str:
    winner = next((one.person.name for one in found.participants if one.is_winner), "")
    match own.outcome:
        case Outcome.WIN:
            return "You won the match"
        case Outcome.DRAW:
            return "The match is a draw"
        case Outcome.CANCELLED:
            return "The match was cancelled"
        case Outcome.LOSS:
            return f"{winner} won the match" if winner else "You lost the match"


def _explanation(found: MatchDetails, own: Participant) -> str:
    """A word on how it ended, where it was not simply played out."""
    match found.end:
        case MatchEnd.INACTIVITY:
            return "Nobody guessed for two whole rotations."
        case MatchEnd.FORFEIT:
            gone = [("you" if one.is_own else one.person.name) for one in found.participants if one.forfeited]
            return f"Decided because {' and '.join(gone)} left."
        case MatchEnd.PLAYED:
            return "You left before it ended, which counts as a loss." if own.forfeited else ""
