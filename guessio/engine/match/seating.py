"""Finding one's way among the seats of a match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from guessio.engine.match.state import MatchState, Round
from guessio.rules.terms import AccountId, SeatNo

Known = TypeVar("Known")


def certain(value: Known | None) -> Known:
    """A value that the phase guarantees: there is a turn in a round, a picker while skills are picked.

    Raises:
        ValueError: there is none, so the state is broken.
    """
    if value is None:
        raise ValueError("the state lacks what its phase requires")
    return value


def seat_of(state: MatchState, account: AccountId) -> SeatNo | None:
    """The seat that `account` holds or held; None for a stranger."""
    for number, seat in enumerate(state.seats):
        if seat.account == account:
            return SeatNo(number)
    return None


def left(state: MatchState) -> frozenset[SeatNo]:
    """The seats whose players have forfeited (R7.5)."""
    return frozenset(SeatNo(number) for number, seat in enumerate(state.seats) if seat.left_ms is not None)


def seated(state: MatchState) -> tuple[SeatNo, ...]:
    """The seats whose players are still in the match, in seat order."""
    return tuple(SeatNo(number) for number, seat in enumerate(state.seats) if seat.left_ms is None)


def rounds_won(rounds: tuple[Round, ...]) -> dict[SeatNo, int]:
    """How many of `rounds` each seat won; seats without any are missing."""
    wins: dict[SeatNo, int] = {}
    for one in rounds:
        if one.winner is not None:
            wins[one.winner] = wins.get(one.winner, 0) + 1
    return wins


def with_seat(state: MatchState, number: SeatNo, **changes: Any) -> MatchState:
    """The state with one seat changed."""
    seats = list(state.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(state, seats=tuple(seats))


def with_round(state: MatchState, **changes: Any) -> MatchState:
    """The state with its last round changed."""
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))


def code_of(state: MatchState, round_number: int) -> str:
    """The code of a round (R1.1): for the machine itself, never for a view before the round has ended."""
    return state.deal.codes[round_number - 1]
