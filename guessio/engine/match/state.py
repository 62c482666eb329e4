"""The whole state of one match: frozen, JSON-friendly, and enough to replay it exactly.

Times are UTC milliseconds. Nothing here is meant for a player's eyes: `view.view_for` is the only way out.
"""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import (
    AccountId,
    Difficulty,
    LeaveReason,
    MatchEnd,
    MatchPhase,
    MatchType,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)


@dataclass(frozen=True, slots=True)
class Deal:
    """All the randomness of a match, drawn by the service before it starts (R1.1, R1.3, R1.4).

    `codes` and `nonces` hold one text per possible round (three); a nonce is 32 hexadecimal digits.
    `reveal_orders` holds per round a shuffled order of code positions, from which Reveal Position takes the first
    that the player does not know yet. `fallback_skills` holds per seat the skill chosen when the picking time runs out.
    `seed` (64 hexadecimal digits) feeds the bots' waiting times, skills and guesses.
    """

    codes: tuple[str, ...]
    nonces: tuple[str, ...]
    reveal_orders: tuple[tuple[int, ...], ...]
    fallback_skills: tuple[Skill, ...]
    seed: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place. `away_since_ms` is set while no live connection is open (R5.1, R7.1).

    `skill_turn` and `skill_target` name the last use of the skill, so that a repeat of it is known (R1.12).
    """

    account: AccountId
    username: str
    name: str
    avatar_url: str = ""
    is_bot: bool = False
    rating: int = 0
    away_since_ms: int | None = None
    away_shown: bool = False
    skill: Skill | None = None
    skill_used: bool = False
    skill_disclosed: bool = False
    skill_turn: int | None = None
    skill_target: SeatNo | None = None
    turns_skipped: int = 0
    left_ms: int | None = None
    left_reason: LeaveReason | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """One accepted guess; its marks follow from the round's code. `took_ms` counts from the turn's start (R1.9)."""

    number: int
    turn: int
    seat: SeatNo
    digits: str
    at_ms: int
    took_ms: int


@dataclass(frozen=True, slots=True)
class Skip:
    """A turn that passed without a guess, shown after guess `after` (0 = before the first)."""

    turn: int
    after: int
    seat: SeatNo
    frozen_by: SeatNo | None = None


@dataclass(frozen=True, slots=True)
class Freeze:
    """`target` loses the next turn in this round; `done` once it has bitten (R6.2)."""

    by: SeatNo
    target: SeatNo
    done: bool = False


@dataclass(frozen=True, slots=True)
class Xray:
    """`by` sees the marks of `target`'s guesses numbered above `after` until the round ends (R6.2).

    `until` is the last of them once `by` has left the match: a looker-on learns nothing new (R7.5).
    """

    by: SeatNo
    target: SeatNo
    after: int
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """`seat` was privately shown the digit at `position` (0-based) of this round's code (R6.2)."""

    seat: SeatNo
    position: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round, running or finished. `winner` is None for a draw or an abandoned round."""

    number: int
    opener: SeatNo
    started_ms: int
    guesses: tuple[Guess, ...] = ()
    skips: tuple[Skip, ...] = ()
    freezes: tuple[Freeze, ...] = ()
    xrays: tuple[Xray, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    timeouts: int = 0
    warned: bool = False
    end: RoundEnd | None = None
    winner: SeatNo | None = None
    ended_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The running turn. `number` counts over the whole match and names the turn that a command is meant for (R1.12)."""

    number: int
    seat: SeatNo
    started_ms: int
    extra: bool = False
    extra_armed: bool = False


@dataclass(frozen=True, slots=True)
class MatchState:
    """One match from its making to its end.

    `until_ms` is the deadline of the present phase: a pick, the countdown, a person's turn, a bot's next guess, the
    pause or the closing round result. `rounds` ends with the running one. `winner` is None for a draw or cancellation.
    """

    id: TableId
    type: MatchType
    difficulty: Difficulty
    skills_on: bool
    created_ms: int
    seats: tuple[Seat, ...]
    deal: Deal
    phase: MatchPhase
    until_ms: int | None
    picker: SeatNo | None = None
    turn: Turn | None = None
    turns_taken: int = 0
    rounds: tuple[Round, ...] = ()
    end: MatchEnd | None = None
    winner: SeatNo | None = None
    ended_ms: int | None = None
