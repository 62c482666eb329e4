"""What one viewer may see of a duel: the dataclasses that templates are given, built by `view.view_for` alone.

Remaining times are milliseconds from the moment of the view, because the page counts down from what the server sent.
"""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import (
    AccountId,
    DuelEnd,
    DuelFormat,
    DuelPhase,
    Mark,
    Refusal,
    SeatNo,
    SecretRule,
    TableId,
)


@dataclass(frozen=True, slots=True)
class DuelRowView:
    """One guess with its answer: `marks` by position, or `exact` and `misplaced` in totals only; never both (R17.3).

    `number` counts this player's guesses from 1. `credited_ms` is what the lag allowance gave back.
    """

    key: str
    number: int
    digits: str
    marks: tuple[Mark, ...] | None
    exact: int | None
    misplaced: int | None
    took_ms: int
    credited_ms: int


@dataclass(frozen=True, slots=True)
class LaneView:
    """One duellist's side of the table: who, clock, guesses.

    `secret` is the number set by this player: shown to its owner, and to both at the end; empty otherwise.
    `away_ms` is what is left of the grace, None when present (or gone for under 3 s).
    """

    seat: SeatNo
    account: AccountId
    username: str
    name: str
    avatar_url: str
    is_bot: bool
    is_own: bool
    is_ready: bool
    on_move: bool
    clock_ms: int
    clock_runs: bool
    used_ms: int
    away_ms: int | None
    secret: str
    rows: tuple[DuelRowView, ...]
    is_winner: bool


@dataclass(frozen=True, slots=True)
class DuelKeyView:
    """One digit key with the best that this viewer knows of it; plain in totals only, and while choosing."""

    digit: str
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class DuelView:
    """Everything that one viewer may see of a duel at one moment. `lanes` has the viewer's own first."""

    id: TableId
    phase: DuelPhase
    clock_ms: int
    length: int
    secret_rule: SecretRule
    format: DuelFormat
    totals_only: bool
    own_seat: SeatNo | None
    turn: int
    can_set_secret: bool
    can_guess: bool
    can_resign: bool
    lanes: tuple[LaneView, LaneView]
    keys: tuple[DuelKeyView, ...]
    end: DuelEnd | None
    is_own_win: bool
    is_draw: bool
    winner_name: str
    why_not: Refusal | None
    """Why the viewer cannot guess at this moment."""
