"""Guesses: which are taken, and what they lead to (R1.6 to R1.9, R1.12)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.machine import Rejected
from guessio.engine.match import rounds, seating, turning
from guessio.engine.match.commands import SubmitGuess
from guessio.engine.match.events import GuessMarked, InactivityWarned, MatchEvent, TurnSkipped
from guessio.engine.match.state import Guess, MatchState, Skip
from guessio.rules import codes, inactivity
from guessio.rules import rounds as round_rules
from guessio.rules.inactivity import Inactivity
from guessio.rules.terms import MatchEnd, MatchPhase, Refusal, RoundEnd, SeatNo


def submit(state: MatchState, command: SubmitGuess, now_ms: int, events: list[MatchEvent]) -> MatchState | Rejected:
    """Take a guess once, in the turn that it names (R1.6, R1.12).

    A repeat of an accepted guess changes nothing. Refusals: as `out_of_turn`, then those of `codes.validate`.
    """
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    refusal = out_of_turn(state, seat, command.turn)
    if refusal is not None:
        return state if _already_made(state, seat, command) else Rejected(refusal)
    length = round_rules.code_length(len(state.seats))
    refusal = codes.validate(command.digits, length)
    if refusal is not None:
        return Rejected(refusal, codes.detail(refusal, command.digits, length))
    return make(state, command.digits, now_ms, events)


def out_of_turn(state: MatchState, seat: SeatNo, turn: int) -> Refusal | None:
    """Why `seat` cannot act in turn number `turn` now; None when that turn is its own and running (R1.5, R1.12)."""
    if state.phase is MatchPhase.OVER or state.phase is MatchPhase.CLOSING:
        return Refusal.ALREADY_OVER
    if state.seats[seat].left_ms is not None:
        return Refusal.ALREADY_FORFEITED
    if not state.rounds:
        return Refusal.NOT_STARTED
    if state.turn is None or turn != state.turn.number:
        return Refusal.TOO_LATE if _timed_out(state, seat, turn) else Refusal.STALE_TURN
    return None if state.turn.seat == seat else Refusal.NOT_YOUR_TURN


def make(state: MatchState, digits: str, now_ms: int, events: list[MatchEvent]) -> MatchState:
    """Count a valid guess of the player on turn: a hit, the limit reached, an extra turn, or the next player's turn."""
    turn, running = seating.certain(state.turn), state.rounds[-1]
    number = len(running.guesses) + 1
    guess = Guess(number, turn.number, turn.seat, digits, now_ms, max(0, now_ms - turn.started_ms))
    events.append(GuessMarked(running.number, number, turn.seat))
    running = replace(running, guesses=(*running.guesses, guess), timeouts=0, warned=False)
    state = replace(state, rounds=(*state.rounds[:-1], running))
    if digits == seating.code_of(state, running.number):
        return rounds.end(state, RoundEnd.CRACKED, turn.seat, now_ms, events)
    if number >= round_rules.limit(len(state.seats)):
        return rounds.end(state, RoundEnd.LIMIT, None, now_ms, events)
    if turn.extra_armed:
        state = seating.with_seat(state, turn.seat, skill_used=True)
        return turning.begin(state, turn.seat, now_ms, events, extra=True)
    return turning.pass_on(state, turn.seat, now_ms, events)


def time_out(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Skip a person's turn that ran out, and judge inactivity (R1.5, R7.6)."""
    turn, running = seating.certain(state.turn), state.rounds[-1]
    skip = Skip(turn.number, len(running.guesses), turn.seat)
    timeouts = running.timeouts + 1
    verdict = inactivity.judge(timeouts, len(seating.seated(state)), running.warned)
    warned = running.warned or verdict is Inactivity.WARN
    events.append(TurnSkipped(turn.number, turn.seat))
    state = seating.with_seat(state, turn.seat, turns_skipped=state.seats[turn.seat].turns_skipped + 1)
    state = seating.with_round(state, skips=(*running.skips, skip), timeouts=timeouts, warned=warned)
    if verdict is Inactivity.CANCEL:
        return rounds.break_off(state, MatchEnd.INACTIVITY, None, moment, events)
    if verdict is Inactivity.WARN:
        events.append(InactivityWarned())
    return turning.pass_on(state, turn.seat, moment, events)


def _already_made(state: MatchState, seat: SeatNo, command: SubmitGuess) -> bool:
    """Whether this very guess was accepted in its turn, be it running or long over (R1.12)."""
    return any(
        guess.turn == command.turn and guess.seat == seat and guess.digits == command.digits
        for one in reversed(state.rounds)
        for guess in reversed(one.guesses)
    )


def _timed_out(state: MatchState, seat: SeatNo, turn: int) -> bool:
    return any(skip.turn == turn and skip.seat == seat and skip.frozen_by is None for one in reversed(state.rounds) for skip in one.skips)
