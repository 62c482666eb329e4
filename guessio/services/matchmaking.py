"""Searching for a Casual or Ranked match (R3)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import Difficulty, MatchType
from guessio.services.people import Person


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat that is filled so far. `rating` is this week's; None in Casual, where it plays no part."""

    person: Person
    rating: int | None
    is_own: bool


@dataclass(frozen=True, slots=True)
class SearchView:
    """One waiting player's search: who sits, what is open, how long it has lasted.

    `seats` holds the people and bots seated so far, the oldest first, always the viewer among them; `open_seats` is the number
    missing. `waited_ms` is the viewer's own waiting time; `next_fill_ms` says when a bot takes the next seat (R3.2).
    """

    type: MatchType
    difficulty: Difficulty
    players: int
    seats: tuple[SeatTaken, ...]
    open_seats: int
    waited_ms: int
    next_fill_ms: int
