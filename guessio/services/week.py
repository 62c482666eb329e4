"""The running rating week: its name, when Ranked is closed, and who leads it (R9.5, R9.6, R9.8)."""

from __future__ import annotations

from guessio.rules import ranking, tunables
from guessio.rules import week as rules
from guessio.rules.terms import AccountId
from guessio.store import database, ratings
from guessio.store.ratings import BoardRow, Standing

__all__ = ["BoardRow", "Standing", "ends_in", "is_closed", "key", "leaders", "missing", "rank_of", "standing_of"]


def key(now_ms: int) -> str:
    """The name of the week that a moment belongs to; ratings are kept under it, so that a new one begins at zero by itself (R9.1)."""
    return rules.key(now_ms)


def is_closed(now_ms: int) -> bool:
    """Whether Ranked is closed because the week has just turned (R9.5). Nothing of the turn needs more time than that."""
    return rules.ranked_closed(now_ms, rolled_over_to=rules.key(now_ms))


def ends_in(now_ms: int) -> int:
    """The milliseconds until the week ends."""
    return rules.ends(rules.key(now_ms)) - now_ms


def leaders(now_ms: int, limit: int) -> tuple[BoardRow, ...]:
    """The week's first `limit` (R9.6)."""
    with database.read() as conn:
        return ratings.board(conn, key(now_ms), tunables.RANK_UNLOCK_MATCHES, limit)


def standing_of(account: AccountId, now_ms: int) -> Standing:
    """The account's rating and ranked matches in this week."""
    with database.read() as conn:
        return ratings.of(conn, key(now_ms), [account])[account]


def rank_of(account: AccountId, now_ms: int) -> int | None:
    """The account's rank in this week, None until it unlocks (R9.6)."""
    with database.read() as conn:
        return ratings.rank(conn, key(now_ms), tunables.RANK_UNLOCK_MATCHES, account)


def missing(standing: Standing) -> int:
    """How many ranked matches of the week are missing until the rank unlocks (R9.6)."""
    return ranking.matches_missing(standing.ranked_played)
