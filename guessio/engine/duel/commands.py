"""What can be asked of a duel, in the imperative. `actor` is the account that the session speaks for."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import AccountId


@dataclass(frozen=True, slots=True)
class SetSecret:
    """Choose the secret that the other has to break, and be ready: one's own clock stops (R17.2, R17.5)."""

    actor: AccountId
    digits: str


@dataclass(frozen=True, slots=True)
class SubmitGuess:
    """Guess `digits` in turn number `turn`. `lag_ms` is the delay that the server measured on this player's line (R17.5)."""

    actor: AccountId
    turn: int
    digits: str
    lag_ms: int = 0


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the duel up, at any moment; a second time changes nothing (R17.6)."""

    actor: AccountId


@dataclass(frozen=True, slots=True)
class Connect:
    """The account's first live connection opened (R5.1). No change when it was not away."""

    actor: AccountId


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The account's last live connection was gone at `since_ms` (R5.1, R17.6)."""

    actor: AccountId
    since_ms: int


DuelCommand = SetSecret | SubmitGuess | Resign | Connect | Disconnect
