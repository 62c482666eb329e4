"""Deadlines: finding the next one, settling those that passed, moving them on (R17.5, R1.13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum

from guessio.engine.duel import choosing, computer, ending, guessing, leaving, seating
from guessio.engine.duel.events import DuelEvent
from guessio.engine.duel.state import DuelState, Seat
from guessio.rules import clocks
from guessio.rules.terms import DuelEnd, DuelPhase, SeatNo


class _Due(IntEnum):
    """What falls due, in the order in which it takes effect at one and the same millisecond.

    Among equals the player on the move comes first, then the order of the seats.
    """

    FLAG = 0
    ABSENCE = 1
    COMPUTER = 2


def next_deadline(state: DuelState) -> int | None:
    """The earliest open deadline: a clock's zero, an absence, the computer's next act; None when the duel is over."""
    return min((moment for moment, *_ in _open(state)), default=None)


def settle(state: DuelState, now_ms: int, events: list[DuelEvent]) -> DuelState:
    """Settle every deadline up to and including `now_ms`, in order, each at its own moment."""
    while (first := min(_open(state), default=None)) is not None and first[0] <= now_ms:
        moment, due, _, seat = first
        state = _settle_one(state, moment, due, seat, events)
    return state


def shift(state: DuelState, by_ms: int) -> DuelState:
    """Move every open deadline on: no running clock pays for time in which the server was away (R1.13)."""
    if state.phase is DuelPhase.OVER:
        return state
    first, second = state.seats
    return replace(state, seats=(_later(first, by_ms), _later(second, by_ms)))


def _open(state: DuelState) -> Iterator[tuple[int, _Due, bool, SeatNo]]:
    if state.phase is DuelPhase.OVER:
        return
    for seat in seating.SEATS:
        moments = (
            (_Due.FLAG, clocks.flag_at(state.seats[seat].clock)),
            (_Due.ABSENCE, leaving.deadline(state, seat)),
            (_Due.COMPUTER, state.seats[seat].acts_ms),
        )
        for due, moment in moments:
            if moment is not None:
                yield moment, due, seat != state.on_move, seat


def _settle_one(state: DuelState, moment: int, due: _Due, seat: SeatNo, events: list[DuelEvent]) -> DuelState:
    match due:
        case _Due.FLAG:
            return _flag(state, seat, moment, events)
        case _Due.ABSENCE:
            return leaving.settle(state, seat, moment, events)
        case _Due.COMPUTER if state.phase is DuelPhase.CHOOSING:
            return choosing.be_ready(state, seat, computer.secret_of(state, seat), moment, events)
        case _:
            return guessing.make(state, seat, computer.guess_of(state, seat), moment, events)


def _flag(state: DuelState, seat: SeatNo, moment: int, events: list[DuelEvent]) -> DuelState:
    """A clock is at zero: a loss, or the one draw when both are and nobody has chosen a secret (R17.5)."""
    if clocks.flag_at(state.seats[seating.other(seat)].clock) == moment:
        return ending.finish(state, DuelEnd.DRAW_NO_SECRETS, None, moment, events)
    return ending.lose(state, seat, DuelEnd.FLAG, moment, events)


def _later(seat: Seat, by_ms: int) -> Seat:
    return replace(
        seat,
        clock=clocks.moved(seat.clock, by_ms),
        away_since_ms=None if seat.away_since_ms is None else seat.away_since_ms + by_ms,
        acts_ms=None if seat.acts_ms is None else seat.acts_ms + by_ms,
    )
