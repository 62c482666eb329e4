"""Resigning, and being away too long (R17.6, R5.1)."""

from __future__ import annotations

from guessio.engine.duel import ending, seating
from guessio.engine.duel.commands import Connect, Disconnect, Resign
from guessio.engine.duel.events import ConnectionNoted, DuelEvent, SeatAway, SeatBack
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import DuelEnd, DuelPhase, Refusal, SeatNo


def resign(state: DuelState, command: Resign, now_ms: int, events: list[DuelEvent]) -> DuelState | Rejected:
    """Give the duel up; a second time changes nothing."""
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    if state.phase is DuelPhase.OVER:
        resigned = state.end is DuelEnd.RESIGN and state.winner != seat
        return state if resigned else Rejected(Refusal.ALREADY_OVER)
    return ending.lose(state, seat, DuelEnd.RESIGN, now_ms, events)


def connect(state: DuelState, command: Connect, events: list[DuelEvent]) -> DuelState | Rejected:
    """A player's first connection opened: no longer away."""
    number = seating.seat_of(state, command.actor)
    if number is None:
        return Rejected(Refusal.NOT_SEATED)
    seat = state.seats[number]
    if seat.away_since_ms is None:
        return state
    events.append(SeatBack(number) if seat.away_shown else ConnectionNoted(number))
    return seating.with_seat(state, number, away_since_ms=None, away_shown=False)


def disconnect(state: DuelState, command: Disconnect, now_ms: int, events: list[DuelEvent]) -> DuelState | Rejected:
    """A player's last connection closed: the grace runs from `since_ms` and never ends before now. The clocks go on."""
    number = seating.seat_of(state, command.actor)
    if number is None:
        return Rejected(Refusal.NOT_SEATED)
    seat = state.seats[number]
    if seat.is_bot or seat.away_since_ms is not None or state.phase is DuelPhase.OVER:
        return state
    since = min(max(command.since_ms, now_ms - state.grace_ms), now_ms)
    events.append(ConnectionNoted(number))
    return seating.with_seat(state, number, away_since_ms=since)


def deadline(state: DuelState, number: SeatNo) -> int | None:
    """When an absence is shown to the other, or loses the duel."""
    seat = state.seats[number]
    if seat.away_since_ms is None:
        return None
    unseen = state.grace_ms if seat.away_shown else min(tunables.AWAY_UNSEEN_MS, state.grace_ms)
    return seat.away_since_ms + unseen


def settle(state: DuelState, number: SeatNo, moment: int, events: list[DuelEvent]) -> DuelState:
    """Let an absence's deadline take effect."""
    if state.seats[number].away_shown or state.grace_ms <= tunables.AWAY_UNSEEN_MS:
        return ending.lose(state, number, DuelEnd.DISCONNECT, moment, events)
    events.append(SeatAway(number))
    return seating.with_seat(state, number, away_shown=True)
