"""What happened in a duel, in the past tense: ids, numbers and enumerations that both players may know.

`only` names the seats that may hear of it at all; None means both, and an empty tuple nobody.
"""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import DuelEnd, SeatNo


@dataclass(frozen=True, slots=True)
class SecretSet:
    """`seat` is ready: its clock stands (R17.5)."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Turn `turn` belongs to `seat`, whose clock runs now."""

    turn: int
    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class GuessMarked:
    """`seat` made the guess of turn `turn`."""

    turn: int
    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConnectionNoted:
    """`seat`'s connection closed or opened within the unseen gap (R5.1): stored, and nobody is told."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = ()


@dataclass(frozen=True, slots=True)
class SeatAway:
    """`seat` has been without a connection for longer than the unseen gap."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class SeatBack:
    """`seat` is connected again after having been shown away."""

    seat: SeatNo
    only: tuple[SeatNo, ...] | None = None


@dataclass(frozen=True, slots=True)
class DuelEnded:
    """The duel is over: both secrets are open now."""

    end: DuelEnd
    winner: SeatNo | None
    only: tuple[SeatNo, ...] | None = None


DuelEvent = SecretSet | TurnStarted | GuessMarked | ConnectionNoted | SeatAway | SeatBack | DuelEnded
