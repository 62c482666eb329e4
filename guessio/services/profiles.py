"""A player's profile, one's own and the public one (R11.1, R11.2)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.services.achievements import Badge, ProgressCard
from guessio.services.history import HistoryEntry
from guessio.services.people import Person


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What a profile shows; never the e-mail. `is_own` adds the shortcuts.

    `joined` is "March 2026". `win_rate` is a whole percentage. `top_rank` is the place 1–10 of a top-10 player, else None (R9.8).
    `badges` are the unlocked ones on another's profile and all 16 on one's own; `recent` is filled on one's own only.
    """

    person: Person
    is_own: bool
    joined: str
    rating: int
    points: int
    played: int
    won: int
    lost: int
    drawn: int
    rounds_won: int
    turns_skipped: int
    win_rate: int
    top_rank: int | None
    card: ProgressCard
    badges: tuple[Badge, ...]
    recent: tuple[HistoryEntry, ...]
