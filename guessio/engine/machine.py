"""The protocol that every game of the table runner satisfies, and what a command comes back with.

A machine is a module, not a class: `engine.match` and `engine.duel` each offer these functions by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from guessio.rules.terms import AccountId, Refusal, TableKind


@dataclass(frozen=True, slots=True)
class Step:
    """A command was accepted: the next state and what happened, in order. No events means that nothing changed."""

    state: Any
    events: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A command was refused and changed nothing. `detail` completes the wording (a digit, a count, a name)."""

    refusal: Refusal
    detail: str = ""


class Machine(Protocol):
    """What the runner needs of a game; everything here is pure."""

    KIND: TableKind
    State: type
    Event: Any

    @staticmethod
    def apply(state: Any, command: Any, now_ms: int) -> Step | Rejected:
        """Settle every deadline that passed before `now_ms`, then apply the command."""
        ...

    @staticmethod
    def tick(state: Any, now_ms: int) -> Step:
        """Settle every passed deadline in order, each at its own moment (a deadline at `now_ms` counts as passed)."""
        ...

    @staticmethod
    def shift(state: Any, by_ms: int) -> Any:
        """Move every open deadline on, for time in which the server was away (R1.13)."""
        ...

    @staticmethod
    def next_deadline(state: Any) -> int | None:
        """The moment at which `tick` has something to do next, or None when over."""
        ...

    @staticmethod
    def is_over(state: Any) -> bool:
        """Whether the table has ended and nothing will change any more."""
        ...

    @staticmethod
    def members(state: Any) -> tuple[AccountId, ...]:
        """The accounts that hold or held a seat, in seat order."""
        ...

    @staticmethod
    def engaged(state: Any) -> tuple[AccountId, ...]:
        """The accounts for which this table is still their one thing at a time (R3.6)."""
        ...

    @staticmethod
    def view_for(state: Any, viewer: AccountId, now_ms: int) -> Any:
        """What this one viewer may see now: the only way out of a state."""
        ...
