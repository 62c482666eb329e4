"""A player's saved matches (R11.3) and their details with the replay (R11.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guessio.rules.terms import (
    Difficulty,
    LeaveReason,
    Mark,
    MatchEnd,
    MatchType,
    Outcome,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)
from guessio.services.people import Person


class HistoryFilter(StrEnum):
    """What the list of matches can be narrowed to (R11.3)."""

    ALL = "all"
    RANKED = "ranked"
    CASUAL = "casual"
    WINS = "wins"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One saved match from the point of view of one player.

    `forfeited` marks a loss by leaving. `opponents` are in seat order. The score is `own_rounds` : `best_rounds` (the best
    opponent's). `rating_change` is None where rating played no part. `ago_ms` counts from the end; `ended_at` is ISO 8601.
    """

    match: TableId
    url: str
    outcome: Outcome
    forfeited: bool
    opponents: tuple[Person, ...]
    type: MatchType
    difficulty: Difficulty
    players: int
    own_rounds: int
    best_rounds: int
    rating_change: int | None
    ago_ms: int
    ended_at: str


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of the list, newest first. `page` counts from 1; `newer` and `older` are page numbers or None at the ends."""

    entries: tuple[HistoryEntry, ...]
    filter: HistoryFilter
    filters: tuple[HistoryFilter, ...]
    page: int
    newer: int | None
    older: int | None


@dataclass(frozen=True, slots=True)
class Participant:
    """A seat of a saved match. Rating and points stand on the viewer's own seat only; rating is None where it played no part."""

    seat: SeatNo
    person: Person
    is_own: bool
    outcome: Outcome
    is_winner: bool
    forfeited: bool
    rounds_won: int
    guesses: int
    rating_before: int | None
    rating_after: int | None
    rating_change: int | None
    points_change: int | None


@dataclass(frozen=True, slots=True)
class GuessShown:
    """A guess of a finished round with its marks: everyone knows the code by now. `took_ms` counts from the turn's start."""

    number: int
    seat: SeatNo
    name: str
    is_own: bool
    digits: str
    marks: tuple[Mark, ...]
    took_ms: int


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A finished round with its code and the proof of fairness: SHA-256 of "code:nonce" is `commitment` (R1.3)."""

    number: int
    end: RoundEnd
    code: str
    nonce: str
    commitment: str
    winner: SeatNo | None
    winner_name: str
    is_own_win: bool
    duration_ms: int
    guesses: tuple[GuessShown, ...]


class ReplayKind(StrEnum):
    """What happens in one step of a replay."""

    ROUND = "round"
    GUESS = "guess"
    SKIP = "skip"
    FROZEN = "frozen"
    LEFT = "left"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step of the replay, in order. `at_ms` counts from the match's start.

    ROUND opens round `round`; GUESS has `digits` and `marks`; SKIP is a time-out and FROZEN one by `other_name`'s Freeze; LEFT has
    a `reason`; CODE closes the round with its code in `digits` and its winner in `name` (empty for a draw).
    """

    index: int
    kind: ReplayKind
    round: int
    at_ms: int
    seat: SeatNo | None = None
    name: str = ""
    is_own: bool = False
    number: int = 0
    digits: str = ""
    marks: tuple[Mark, ...] = ()
    other_name: str = ""
    reason: LeaveReason | None = None


@dataclass(frozen=True, slots=True)
class SkillShown:
    """Which skill a seat had picked, and whether it took effect."""

    seat: SeatNo
    name: str
    skill: Skill
    used: bool


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """All that a participant may see of a saved match. `entry` is the line of the list; `end` says why it was over.

    `started_at` is ISO 8601 and `date` the same moment as text in UTC. `total_guesses` counts every seat's.
    """

    entry: HistoryEntry
    end: MatchEnd
    started_at: str
    date: str
    duration_ms: int
    participants: tuple[Participant, ...]
    rounds: tuple[RoundShown, ...]
    skills: tuple[SkillShown, ...]
    total_guesses: int
    replay: tuple[ReplayStep, ...]
