"""Finding one's way among the two seats of a duel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guessio.engine.duel.state import DuelState
from guessio.rules.terms import AccountId, SeatNo

SEATS = (SeatNo(0), SeatNo(1))


def other(seat: SeatNo) -> SeatNo:
    """The opponent's seat."""
    return SeatNo(1 - seat)


def seat_of(state: DuelState, account: AccountId) -> SeatNo | None:
    """The seat that `account` holds; None for a stranger."""
    return next((seat for seat in SEATS if state.seats[seat].account == account), None)


def target_of(state: DuelState, seat: SeatNo) -> str:
    """The secret that `seat` has to break.

    Raises:
        ValueError: it has not been chosen yet.
    """
    secret = state.seats[other(seat)].secret
    if secret is None:
        raise ValueError("there is no secret yet")
    return secret


def with_seat(state: DuelState, number: SeatNo, **changes: Any) -> DuelState:
    """The state with one seat changed."""
    changed = replace(state.seats[number], **changes)
    unchanged = state.seats[other(number)]
    return replace(state, seats=(changed, unchanged) if number == 0 else (unchanged, changed))


def turn_number(state: DuelState) -> int:
    """The number of the running turn, from 1: every guess ends one."""
    return len(state.guesses) + 1
