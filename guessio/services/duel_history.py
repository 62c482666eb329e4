"""A duellist's finished duels and the record of each, with its replay (R17.6, R17.7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guessio.rules.terms import DuelEnd, Mark, Outcome, SeatNo, TableId
from guessio.services.duel_terms import Terms
from guessio.services.people import Person


class DuelFilter(StrEnum):
    """What the list of duels can be narrowed to."""

    ALL = "all"
    WINS = "wins"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class DuelEntry:
    """One finished duel from the point of view of one duellist. `ago_ms` counts from the end; `ended_at` is ISO 8601."""

    duel: TableId
    url: str
    outcome: Outcome
    end: DuelEnd
    opponent: Person
    terms: Terms
    own_guesses: int
    their_guesses: int
    ago_ms: int
    ended_at: str


@dataclass(frozen=True, slots=True)
class DuelHistoryPage:
    """One page of the list, newest first. `page` counts from 1; `newer` and `older` are page numbers or None at the ends."""

    entries: tuple[DuelEntry, ...]
    filter: DuelFilter
    filters: tuple[DuelFilter, ...]
    page: int
    newer: int | None
    older: int | None


@dataclass(frozen=True, slots=True)
class DuelSide:
    """One duellist of a finished duel. `secret` is the number that the other had to break, empty when none was chosen.

    `used_ms` of the clock, `credited_ms` given back for lag; neither they nor `guesses` decide anything. `went_first` had the first move.
    """

    seat: SeatNo
    person: Person
    is_own: bool
    outcome: Outcome
    is_winner: bool
    secret: str
    guesses: int
    used_ms: int
    left_ms: int
    credited_ms: int
    went_first: bool


@dataclass(frozen=True, slots=True)
class DuelMove:
    """One guess of the record, in the order of play: `marks` by position, or `exact` and `misplaced` in totals only; never both.

    `index` counts from 0 and is the step of the replay, `number` counts this duellist's guesses from 1. `at_ms` counts from the start of
    the duel, `took_ms` is what the move cost, `credited_ms` what lag gave back, `left_ms` what the clock showed after it.
    """

    index: int
    seat: SeatNo
    name: str
    is_own: bool
    number: int
    digits: str
    marks: tuple[Mark, ...] | None
    exact: int | None
    misplaced: int | None
    at_ms: int
    took_ms: int
    credited_ms: int
    left_ms: int


@dataclass(frozen=True, slots=True)
class DuelRecord:
    """All of a finished duel for one of its two duellists; `sides` has the viewer first.

    `started_at` is ISO 8601 and `date` the same moment as text in UTC. `winner_name` is empty for the draw.
    """

    entry: DuelEntry
    started_at: str
    date: str
    duration_ms: int
    sides: tuple[DuelSide, DuelSide]
    moves: tuple[DuelMove, ...]
    winner_name: str
