"""What a finished duel leaves for its record (R17.6, R17.7)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine.duel import seating
from guessio.engine.duel.state import Agreement, DuelState
from guessio.rules import clocks
from guessio.rules.terms import AccountId, DuelEnd, Outcome, SeatNo, TableId


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One duellist's line: `used_ms` of the clock, `credited_ms` given back for lag; neither decides anything."""

    seat: SeatNo
    account: AccountId
    outcome: Outcome
    guesses: int
    used_ms: int
    credited_ms: int


@dataclass(frozen=True, slots=True)
class DuelResult:
    """A finished duel."""

    id: TableId
    agreement: Agreement
    end: DuelEnd
    winner: AccountId | None
    started_ms: int
    ended_ms: int
    players: tuple[PlayerResult, PlayerResult]


def results(state: DuelState) -> DuelResult:
    """The result of a duel that is over.

    Raises:
        ValueError: it is not over yet.
    """
    if state.end is None or state.ended_ms is None:
        raise ValueError("the duel is not over")
    first, second = seating.SEATS
    return DuelResult(
        id=state.id,
        agreement=state.agreement,
        end=state.end,
        winner=None if state.winner is None else state.seats[state.winner].account,
        started_ms=state.created_ms,
        ended_ms=state.ended_ms,
        players=(_player(state, first, state.ended_ms), _player(state, second, state.ended_ms)),
    )


def first_of_rematch(state: DuelState) -> SeatNo:
    """Who moves first in a rematch that keeps the seats: the one who did not (R17.4)."""
    return seating.other(state.deal.first)


def _player(state: DuelState, number: SeatNo, ended_ms: int) -> PlayerResult:
    seat = state.seats[number]
    own = [guess for guess in state.guesses if guess.seat == number]
    lost = Outcome.DRAW if state.winner is None else Outcome.LOSS
    return PlayerResult(
        seat=number,
        account=seat.account,
        outcome=Outcome.WIN if state.winner == number else lost,
        guesses=len(own),
        used_ms=state.agreement.clock_ms - clocks.left_at(seat.clock, ended_ms),
        credited_ms=sum(guess.credited_ms for guess in own),
    )
