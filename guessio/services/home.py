"""What the Home screen shows (SPEC 18)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import Difficulty, EngagementKind, MatchType
from guessio.services.history import HistoryEntry
from guessio.services.people import Person


@dataclass(frozen=True, slots=True)
class Legend:
    """A place on the Code Legends podium: this week's first three by rating (R9.6)."""

    rank: int
    person: Person
    rating: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class ReturnBar:
    """The bar that leads back to what the account is bound to (R3.6, R7.2).

    For a live match it offers Reconnect (`url`) and Abandon (`abandon_url`, a POST; empty for a search). `is_ranked` asks for the
    warning about rating.
    """

    kind: EngagementKind
    url: str
    abandon_url: str
    type: MatchType | None
    difficulty: Difficulty | None
    players: int
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class HomePage:
    """Everything that Home shows to its account.

    `rank` is None until it unlocks; `ranked_missing` then says how many ranked matches of this week are missing (R9.6).
    `win_rate` is a whole percentage. `resets_in_ms` counts to the next Monday 00:00 UTC. `recent` holds at most three.
    """

    me: Person
    points: int
    rating: int
    rank: int | None
    ranked_missing: int
    played: int
    win_rate: int
    legends: tuple[Legend, ...]
    resets_in_ms: int
    recent: tuple[HistoryEntry, ...]
    return_to: ReturnBar | None
