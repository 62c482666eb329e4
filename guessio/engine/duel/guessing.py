"""Guesses: which are taken, and what they lead to (R17.3 to R17.6)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.duel import choosing, ending, seating
from guessio.engine.duel.commands import SubmitGuess
from guessio.engine.duel.events import DuelEvent, GuessMarked
from guessio.engine.duel.state import DuelState, Guess
from guessio.engine.machine import Rejected
from guessio.rules import clocks, codes
from guessio.rules.terms import DuelEnd, DuelPhase, Refusal, SeatNo


def submit(state: DuelState, command: SubmitGuess, now_ms: int, events: list[DuelEvent]) -> DuelState | Rejected:
    """Take a guess once, in the turn that it names; a repeat of an accepted one changes nothing.

    Out of turn or malformed it is refused and costs only the time that passes. A guess may repeat digits (R17.2).
    """
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    refusal = out_of_turn(state, seat, command.turn)
    if refusal is not None:
        return state if _already_made(state, seat, command) else Rejected(refusal)
    length = state.agreement.length
    refusal = codes.validate(command.digits, length, distinct=False)
    if refusal is not None:
        return Rejected(refusal, codes.detail(refusal, command.digits, length))
    return make(state, seat, command.digits, now_ms, events, command.lag_ms)


def make(state: DuelState, seat: SeatNo, digits: str, moment: int, events: list[DuelEvent], lag_ms: int = 0) -> DuelState:
    """Count a valid guess of the player on the move: the secret is broken, or the other's clock runs."""
    mover = state.seats[seat]
    took = clocks.spent_at(mover.clock, moment)
    credit = clocks.allowance(lag_ms, took, mover.lag_quota_ms)
    turn = seating.turn_number(state)
    events.append(GuessMarked(turn, seat))
    state = seating.with_seat(
        state,
        seat,
        clock=clocks.stopped(mover.clock, moment, credit),
        lag_quota_ms=mover.lag_quota_ms - credit,
        acts_ms=None,
    )
    state = replace(state, guesses=(*state.guesses, Guess(turn, seat, digits, moment, took, credit)))
    opponent = seating.other(seat)
    if digits == state.seats[opponent].secret:
        return ending.finish(state, DuelEnd.CRACKED, seat, moment, events)
    return choosing.begin_turn(state, opponent, moment, events)


def out_of_turn(state: DuelState, seat: SeatNo, turn: int) -> Refusal | None:
    """Why `seat` cannot guess in turn number `turn` now; None when it has the move and that turn is the running one."""
    current = turn == seating.turn_number(state)
    if state.phase is DuelPhase.OVER:
        flagged = state.end is DuelEnd.FLAG and state.winner != seat
        return Refusal.TOO_LATE if flagged and current else Refusal.ALREADY_OVER
    if state.phase is DuelPhase.CHOOSING:
        return Refusal.NOT_STARTED
    if not current:
        return Refusal.STALE_TURN
    return None if state.on_move == seat else Refusal.NOT_YOUR_TURN


def _already_made(state: DuelState, seat: SeatNo, command: SubmitGuess) -> bool:
    return any(guess.turn == command.turn and guess.seat == seat and guess.digits == command.digits for guess in reversed(state.guesses))
