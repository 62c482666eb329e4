"""The whole state of one duel: frozen, JSON-friendly, and enough to replay it exactly.

Times are UTC milliseconds. Nothing here is meant for a player's eyes: `view.view_for` is the only way out.
"""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.clocks import Clock
from guessio.rules.terms import (
    AccountId,
    DuelEnd,
    DuelFormat,
    DuelPhase,
    SeatNo,
    SecretRule,
    TableId,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What both players agreed to before the duel (R17.1). `clock_ms` is each player's time."""

    clock_ms: int
    length: int
    secret_rule: SecretRule
    format: DuelFormat


@dataclass(frozen=True, slots=True)
class Deal:
    """All the chance of a duel, drawn before it starts: who moves first, and a seed (64 hexadecimal digits) for the computer."""

    first: SeatNo
    seed: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A duellist's place. `secret` is what the other has to break, None until ready.

    `lag_quota_ms` is what is left of the lag allowance. `away_since_ms` is set while no live connection is open.
    `acts_ms` is when the computer will do its next thing; None for people and while it has nothing to do.
    """

    account: AccountId
    username: str
    name: str
    avatar_url: str
    is_bot: bool
    clock: Clock
    lag_quota_ms: int
    secret: str | None = None
    away_since_ms: int | None = None
    away_shown: bool = False
    acts_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """One accepted guess. `turn` counts the guesses of both; `took_ms` is what it cost, `credited_ms` what lag gave back."""

    turn: int
    seat: SeatNo
    digits: str
    at_ms: int
    took_ms: int
    credited_ms: int = 0


@dataclass(frozen=True, slots=True)
class DuelState:
    """One duel from the choosing of the secrets to its end. `grace_ms` is how long a player may be away (R17.6)."""

    id: TableId
    agreement: Agreement
    created_ms: int
    seats: tuple[Seat, Seat]
    deal: Deal
    grace_ms: int
    phase: DuelPhase = DuelPhase.CHOOSING
    on_move: SeatNo | None = None
    guesses: tuple[Guess, ...] = ()
    end: DuelEnd | None = None
    winner: SeatNo | None = None
    ended_ms: int | None = None
