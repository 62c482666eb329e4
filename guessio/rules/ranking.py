"""The leaderboard of a week (R9.6 to R9.8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from guessio.rules import tunables
from guessio.rules.terms import AccountId


@dataclass(frozen=True, slots=True)
class Standing:
    """One account's week: rating, ranked matches in it, and when the account was made."""

    account: AccountId
    rating: int
    ranked_played: int
    created_ms: int


def ranked(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Those whose rank is unlocked, best first; a tie goes to the older account."""
    unlocked = (standing for standing in standings if matches_missing(standing.ranked_played) == 0)
    return tuple(sorted(unlocked, key=lambda standing: (-standing.rating, standing.created_ms, standing.account)))


def rank_of(account: AccountId, board: Sequence[Standing]) -> int | None:
    """The account's place in a board from `ranked`, from 1; None if it is not on it."""
    return next((place for place, standing in enumerate(board, start=1) if standing.account == account), None)


def matches_missing(ranked_played: int) -> int:
    """How many ranked matches of this week are missing until a rank unlocks (R9.6)."""
    return max(0, tunables.RANK_UNLOCK_MATCHES - ranked_played)


def has_top_status(rank: int | None, ranked_ever: int) -> bool:
    """Whether the profile shows the top-10 position (R9.8)."""
    return rank is not None and rank <= tunables.TOP_STATUS_RANK and ranked_ever >= tunables.TOP_STATUS_MATCHES


def recap(rank: int | None) -> int | None:
    """The place that the recap of last week adds for its reader: only places below the podium, up to the last told (R9.7)."""
    return rank if rank is not None and tunables.PODIUM_SIZE < rank <= tunables.RECAP_LAST_PLACE else None
