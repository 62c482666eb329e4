"""What happened in a match, in the past tense.

An event holds nothing secret: ids, numbers and enumerations that every seat may know. What a viewer is shown of it comes out of
`view`. `only` names the seats that may hear of it at all; None means everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import LeaveReason, MatchEnd, SeatNo, Skill


@dataclass(frozen=True, slots=True)
class PickStarted:
    """It is `seat`'s turn to pick a skill (R6.1)."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SkillPicked:
    """`seat` has picked, or had one picked for it when time ran out; which one stays hidden (R6.1)."""

    seat: SeatNo
    timed_out: bool
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class CountdownStarted:
    """The countdown to round 1 runs (R1.10)."""

    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """Round `number` opened; its commitment is now known (R1.3)."""

    number: int
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Turn `turn` belongs to `seat`; `extra` for the one that Extra Turn granted."""

    turn: int
    seat: SeatNo
    extra: bool = False
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class GuessMarked:
    """`seat` made guess `number` of round `round`."""

    round: int
    number: int
    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """`seat`'s turn passed: time ran out, or it was frozen by `frozen_by`. Whether a skip row exists: see `Round.skips`."""

    turn: int
    seat: SeatNo
    frozen_by: SeatNo | None = None
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SkillUsed:
    """`seat` used `skill`, on `target` where it has one. For X-Ray Vision `only` holds just the user (R6.2)."""

    seat: SeatNo
    skill: Skill
    target: SeatNo | None = None
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeatWatched:
    """Someone watches `seat`'s guesses; `only` holds just that seat (R6.2)."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class InactivityWarned:
    """One whole rotation passed without a guess (R7.6)."""

    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConnectionNoted:
    """`seat`'s connection closed or opened within the unseen gap (R5.1): stored, and nobody is told (`only` is empty)."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = ()


@dataclass(frozen=True, slots=True)
class SeatAway:
    """`seat` has been without a connection for longer than the unseen gap (R5.1, R7.1)."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeatBack:
    """`seat` is connected again after having been shown away."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """`seat` forfeited (R7.2, R7.3)."""

    seat: SeatNo
    reason: LeaveReason
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Round `number` is over: its code and nonce are public now. `last` when no further round follows."""

    number: int
    last: bool
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over and its results can open."""

    end: MatchEnd
    only: tuple[SeatNo, ...] | None = None


MatchEvent = (
    PickStarted
    | SkillPicked
    | CountdownStarted
    | RoundStarted
    | TurnStarted
    | GuessMarked
    | TurnSkipped
    | SkillUsed
    | SeatWatched
    | InactivityWarned
    | ConnectionNoted
    | SeatAway
    | SeatBack
    | SeatLeft
    | RoundEnded
    | MatchEnded
)
