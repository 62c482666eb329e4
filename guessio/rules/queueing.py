"""Who of those searching for the same thing is matched, and when a bot takes a seat (R3.1, R3.2, R3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from guessio.rules import tunables
from guessio.rules.terms import AccountId


def group(waiting: Sequence[AccountId], bots: int, players: int) -> tuple[AccountId, ...] | None:
    """The people who start now, beside `bots` already seated; None while the group is short.

    `waiting` is in order of joining. People take open seats before further bots do; without people nothing starts.
    """
    needed = players - bots
    return tuple(waiting[:needed]) if 0 < needed <= len(waiting) else None


def fill_due(oldest_joined_ms: int, last_fill_ms: int | None) -> int:
    """The moment at which the next bot takes a seat of a short group.

    Counted from the oldest waiting player's join, then from the last fill of this group (None before the first).
    """
    return (oldest_joined_ms if last_fill_ms is None else last_fill_ms) + tunables.FILL_MS


def dropped_at(away_since_ms: int) -> int:
    """The moment at which a waiting player without a live connection is taken out of the search (R3.8)."""
    return away_since_ms + tunables.SEARCH_AWAY_MS
