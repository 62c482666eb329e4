"""What can be asked of a match, in the imperative. `actor` is the account that the session speaks for."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import AccountId, LeaveReason, SeatNo, Skill


@dataclass(frozen=True, slots=True)
class PickSkill:
    """Pick one's skill when it is one's turn to pick (R6.1)."""

    actor: AccountId
    skill: Skill


@dataclass(frozen=True, slots=True)
class SubmitGuess:
    """Guess `digits` in turn number `turn` (R1.6, R1.12). `digits` is the raw text after trimming by the form."""

    actor: AccountId
    turn: int
    digits: str


@dataclass(frozen=True, slots=True)
class UseSkill:
    """Use one's skill in turn number `turn`; Freeze and X-Ray Vision name a `target` seat (R6.2)."""

    actor: AccountId
    turn: int
    target: SeatNo | None = None


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Leave the match for good, at any moment; a second one changes nothing (R7.3)."""

    actor: AccountId
    reason: LeaveReason = LeaveReason.QUIT


@dataclass(frozen=True, slots=True)
class Connect:
    """The account's first live connection opened (R5.1). No change when it was not away."""

    actor: AccountId


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The account's last live connection was gone at `since_ms` (R5.1, R7.1)."""

    actor: AccountId
    since_ms: int


MatchCommand = PickSkill | SubmitGuess | UseSkill | Forfeit | Connect | Disconnect
