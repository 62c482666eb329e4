"""Choosing the secrets while both clocks run (R17.2, R17.5)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.duel import computer, seating
from guessio.engine.duel.commands import SetSecret
from guessio.engine.duel.events import DuelEvent, SecretSet, TurnStarted
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules import clocks, codes
from guessio.rules.terms import DuelPhase, Refusal, SeatNo, SecretRule


def set_secret(state: DuelState, command: SetSecret, now_ms: int, events: list[DuelEvent]) -> DuelState | Rejected:
    """Take a player's secret once; a refused one leaves the clock running, a repeat of the accepted one changes nothing.

    Refused only for its form, never for being easy (R17.2).
    """
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    if state.phase is DuelPhase.OVER:
        return Rejected(Refusal.ALREADY_OVER)
    held = state.seats[seat].secret
    if held is not None:
        return state if held == command.digits else Rejected(Refusal.SECRET_ALREADY_SET)
    length = state.agreement.length
    refusal = codes.validate(command.digits, length, distinct=must_differ(state))
    if refusal is not None:
        return Rejected(refusal, codes.detail(refusal, command.digits, length))
    return be_ready(state, seat, command.digits, now_ms, events)


def must_differ(state: DuelState) -> bool:
    """Whether the secrets of this duel may not repeat a digit."""
    return state.agreement.secret_rule is SecretRule.ALL_DIFFERENT


def be_ready(state: DuelState, seat: SeatNo, secret: str, moment: int, events: list[DuelEvent]) -> DuelState:
    """Stop the clock of `seat`; once both are ready, the first mover's turn starts."""
    events.append(SecretSet(seat))
    clock = clocks.stopped(state.seats[seat].clock, moment)
    state = seating.with_seat(state, seat, secret=secret, clock=clock, acts_ms=None)
    if any(one.secret is None for one in state.seats):
        return state
    return begin_turn(replace(state, phase=DuelPhase.PLAYING), state.deal.first, moment, events)


def begin_turn(state: DuelState, seat: SeatNo, moment: int, events: list[DuelEvent]) -> DuelState:
    """Give `seat` the move: from now on only its clock runs (R17.5)."""
    turn = seating.turn_number(state)
    events.append(TurnStarted(turn, seat))
    clock = clocks.started(state.seats[seat].clock, moment)
    state = seating.with_seat(state, seat, clock=clock)
    return computer.take_thought(replace(state, on_move=seat), seat, moment)
