"""What one viewer may see of a match: the shapes that templates are given.

Built by `view.view_for` (module `view`) alone. Flags answer a template's questions (`can_guess`), so that no rule stands in a template.
Remaining times are milliseconds from the moment of the view, because the page counts down from what the server sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from guessio.rules.terms import (
    AccountId,
    Difficulty,
    Mark,
    MatchEnd,
    MatchPhase,
    MatchType,
    Refusal,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)


class SeatView(NamedTuple):
    """One seat in the strip. A named tuple, because every step makes some for each viewer and a frozen dataclass takes five times as long.

    `away_ms` is what is left of the grace, None when present (or gone for under 3 s)."""

    seat: SeatNo
    account: AccountId
    username: str
    name: str
    avatar_url: str
    rating: int
    is_bot: bool
    is_own: bool
    on_turn: bool
    is_picking: bool
    has_picked: bool
    rounds_won: int
    away_ms: int | None
    has_left: bool
    is_frozen: bool
    is_watched_by_viewer: bool
    disclosed_skill: Skill | None

    @property
    def standing(self) -> tuple[object, ...]:
        """All but who it is: what a template may test of a seat."""
        return self[6:]


class RowView(NamedTuple):
    """One row of the board: a guess, or a turn that passed (`number` 0, no digits).

    `marks` is None when this viewer has no right to them. `is_xray` when they come from X-Ray Vision.
    `revealed` on a guess row is never set; see `MatchView.revealed`.
    """

    key: str
    number: int
    seat: SeatNo
    name: str
    is_own: bool
    digits: str
    marks: tuple[Mark, ...] | None
    is_xray: bool = False
    is_skip: bool = False
    frozen_by: str = ""


@dataclass(frozen=True, slots=True)
class KeyView:
    """One digit key with the best that this viewer knows of it: right > elsewhere > present > absent."""

    digit: str
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class TargetView:
    """An opponent that Freeze or X-Ray Vision could name; `why_not` when it cannot be chosen now."""

    seat: SeatNo
    name: str
    why_not: Refusal | None


@dataclass(frozen=True, slots=True)
class SkillView:
    """The viewer's own skill. `why_not` says why it cannot be used at this moment."""

    skill: Skill
    used: bool
    active: bool
    can_use: bool
    why_not: Refusal | None
    targets: tuple[TargetView, ...]


@dataclass(frozen=True, slots=True)
class RoundResultView:
    """What everyone sees of a finished round (R1.3, R1.9). `scores` holds the rounds won so far per seat."""

    number: int
    end: RoundEnd
    code: str
    nonce: str
    commitment: str
    winner: SeatNo | None
    winner_name: str
    is_own_win: bool
    scores: tuple[int, ...]
    duration_ms: int
    guesses_used: int
    fastest_ms: int | None
    fastest_name: str
    fastest_is_own: bool
    next_opener_name: str
    next_opener_is_own: bool
    is_last: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    """Everything that one viewer may see of a match at one moment.

    `pick_ms`, `grace_ms` and `rounds_max` are what the rules allow: for a pick, for coming back, and as rounds. `quit_rating` is what
    forfeiting now would cost at most, 0 where it costs none.
    """

    id: TableId
    type: MatchType
    difficulty: Difficulty
    skills_on: bool
    phase: MatchPhase
    players: int
    digits: int
    guess_limit: int
    guesses_used: int
    round_number: int
    turn: int
    own_seat: SeatNo | None
    has_left: bool
    turn_name: str
    turn_is_bot: bool
    turn_is_extra: bool
    remaining_ms: int | None
    phase_total_ms: int | None
    pick_ms: int
    grace_ms: int
    rounds_max: int
    quit_rating: int
    can_guess: bool
    can_pick: bool
    can_forfeit: bool
    is_frozen: bool
    is_watched: bool
    inactivity_warned: bool
    commitment: str
    seats: tuple[SeatView, ...]
    rows: tuple[RowView, ...]
    keys: tuple[KeyView, ...]
    revealed: tuple[tuple[int, str], ...]
    """Positions (0-based) and digits that Reveal Position showed this viewer in the running round."""
    own_guesses_in_round: int
    skill: SkillView | None
    results: tuple[RoundResultView, ...]
    """Finished rounds, in order; the last one is what the pause and the closing show."""
    end: MatchEnd | None
    winner: SeatNo | None
    winner_name: str
    is_own_win: bool
    is_draw: bool
