"""Deadlines: finding the next one, settling those that passed, moving them on (R1.5, R1.10, R1.13)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.match import bots, guessing, picking, presence, rounds
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState, Round
from guessio.rules import tunables
from guessio.rules.terms import MatchPhase, SeatNo


def next_deadline(state: MatchState) -> int | None:
    """The earliest open deadline: the phase's, or that of an absent player until the match is decided."""
    earliest = state.until_ms
    if state.end is not None or earliest is None:
        return earliest
    for seat in state.seats:
        due = presence.deadline(seat)
        if due is not None and due < earliest:
            earliest = due
    return earliest


def settle(state: MatchState, now_ms: int, events: list[MatchEvent]) -> MatchState:
    """Settle every deadline up to and including `now_ms`, in order, each at its own moment."""
    while (due := next_deadline(state)) is not None and due <= now_ms:
        state = _settle_one(state, due, events)
    return state


def shift(state: MatchState, by_ms: int) -> MatchState:
    """Move every open deadline on by `by_ms`: the server's absence plus the extra time of R1.13.

    What is recorded of the running match moves on by the absence alone, as if it had not been: so no guess, round or
    match seems longer for it. A decided match keeps its record.
    """
    absence = max(0, by_ms - tunables.RESUME_EXTRA_MS)
    state = replace(
        state,
        until_ms=_later(state.until_ms, by_ms),
        seats=tuple(replace(seat, away_since_ms=_later(seat.away_since_ms, by_ms)) for seat in state.seats),
    )
    return state if state.end is not None else _recorded_later(state, absence)


def _settle_one(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    if state.until_ms == moment:
        return _settle_phase(state, moment, events)
    seat = next(number for number, seat in enumerate(state.seats) if presence.deadline(seat) == moment)
    return presence.settle(state, SeatNo(seat), moment, events)


def _settle_phase(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    match state.phase:
        case MatchPhase.PICKING:
            return picking.settle(state, moment, events)
        case MatchPhase.COUNTDOWN | MatchPhase.PAUSE:
            return rounds.start(state, moment, events)
        case MatchPhase.TURN if state.turn is not None and state.seats[state.turn.seat].is_bot:
            return bots.move(state, moment, events)
        case MatchPhase.TURN:
            return guessing.time_out(state, moment, events)
        case _:
            return rounds.finish(state, events)


def _recorded_later(state: MatchState, by_ms: int) -> MatchState:
    turn = state.turn
    return replace(
        state,
        turn=None if turn is None else replace(turn, started_ms=turn.started_ms + by_ms),
        seats=tuple(replace(seat, left_ms=_later(seat.left_ms, by_ms)) for seat in state.seats),
        rounds=tuple(_round_later(one, by_ms) for one in state.rounds),
    )


def _round_later(one: Round, by_ms: int) -> Round:
    return replace(
        one,
        started_ms=one.started_ms + by_ms,
        ended_ms=_later(one.ended_ms, by_ms),
        guesses=tuple(replace(guess, at_ms=guess.at_ms + by_ms) for guess in one.guesses),
    )


def _later(moment: int | None, by_ms: int) -> int | None:
    return None if moment is None else moment + by_ms
