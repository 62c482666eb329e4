"""Forfeits: by a player's own word or by staying away (R7.2 to R7.5)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.machine import Rejected
from guessio.engine.match import picking, rounds, seating, turning
from guessio.engine.match.commands import Forfeit
from guessio.engine.match.events import MatchEvent, SeatLeft
from guessio.engine.match.state import MatchState
from guessio.rules import leaving as leaving_rules
from guessio.rules.terms import LeaveReason, MatchEnd, MatchPhase, Refusal, SeatNo


def forfeit(state: MatchState, command: Forfeit, now_ms: int, events: list[MatchEvent]) -> MatchState | Rejected:
    """Leave for good, once (R7.3). Refused to a stranger, and once the match is decided."""
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    if state.seats[seat].left_ms is not None:
        return state
    if state.end is not None:
        return Rejected(Refusal.ALREADY_OVER)
    return leave(state, seat, command.reason, now_ms, events)


def leave(state: MatchState, seat: SeatNo, reason: LeaveReason, moment: int, events: list[MatchEvent]) -> MatchState:
    """Take a player out of the match: the last one left wins, else play goes on without them at once (R7.4)."""
    events.append(SeatLeft(seat, reason))
    state = seating.with_seat(
        state, seat, left_ms=moment, left_reason=reason, away_since_ms=None, away_shown=False
    )  # fmt: skip
    alone = leaving_rules.after_forfeit(seating.seated(state), len(state.seats))
    if alone is not None:
        if alone.gets_round and state.phase is MatchPhase.TURN:
            return rounds.award(state, alone.winner, moment, events)
        return rounds.break_off(state, MatchEnd.FORFEIT, alone.winner, moment, events)
    if state.picker == seat:
        return picking.start(state, moment, events, seat + 1)
    if state.turn is None:
        return state
    state = _blinded(state, seat)
    return turning.pass_on(state, seat, moment, events) if state.turn and state.turn.seat == seat else state


def _blinded(state: MatchState, seat: SeatNo) -> MatchState:
    """End a leaver's X-Ray Vision here: who looks on keeps what they saw and sees no more (R7.5)."""
    running = state.rounds[-1]
    if all(xray.by != seat for xray in running.xrays):
        return state
    so_far = len(running.guesses)
    return seating.with_round(state, xrays=tuple(replace(xray, until=so_far) if xray.by == seat else xray for xray in running.xrays))
