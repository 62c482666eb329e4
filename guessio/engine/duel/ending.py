"""The end of a duel: the first decisive event (R17.6)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.duel import seating
from guessio.engine.duel.events import DuelEnded, DuelEvent
from guessio.engine.duel.state import DuelState, Seat
from guessio.rules import clocks
from guessio.rules.terms import DuelEnd, DuelPhase, SeatNo


def lose(state: DuelState, loser: SeatNo, why: DuelEnd, moment: int, events: list[DuelEvent]) -> DuelState:
    """End the duel against `loser`."""
    return finish(state, why, seating.other(loser), moment, events)


def finish(state: DuelState, why: DuelEnd, winner: SeatNo | None, moment: int, events: list[DuelEvent]) -> DuelState:
    """End the duel: both clocks stand, nothing is awaited any more, both secrets become visible."""
    events.append(DuelEnded(why, winner))
    first, second = state.seats
    return replace(
        state,
        seats=(_at_rest(first, moment), _at_rest(second, moment)),
        phase=DuelPhase.OVER,
        on_move=None,
        end=why,
        winner=winner,
        ended_ms=moment,
    )


def _at_rest(seat: Seat, moment: int) -> Seat:
    return replace(seat, clock=clocks.stopped(seat.clock, moment), acts_ms=None, away_since_ms=None, away_shown=False)
