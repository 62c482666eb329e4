"""Who is connected: the unseen gap and the grace (R5.1, R7.1, R7.2)."""

from __future__ import annotations

from guessio.engine.machine import Rejected
from guessio.engine.match import leaving, seating
from guessio.engine.match.commands import Connect, Disconnect
from guessio.engine.match.events import ConnectionNoted, MatchEvent, SeatAway, SeatBack
from guessio.engine.match.state import MatchState, Seat
from guessio.rules import tunables
from guessio.rules.terms import LeaveReason, Refusal, SeatNo


def connect(state: MatchState, command: Connect, events: list[MatchEvent]) -> MatchState | Rejected:
    """A player's first connection opened: the seat is no longer away. No change if it was not, or the match is decided."""
    number = seating.seat_of(state, command.actor)
    if number is None:
        return Rejected(Refusal.NOT_SEATED)
    seat = state.seats[number]
    if seat.away_since_ms is None or state.end is not None:
        return state
    events.append(SeatBack(number) if seat.away_shown else ConnectionNoted(number))
    return seating.with_seat(state, number, away_since_ms=None, away_shown=False)


def disconnect(state: MatchState, command: Disconnect, now_ms: int, events: list[MatchEvent]) -> MatchState | Rejected:
    """A player's last connection closed: the grace runs from `since_ms`, and never ends before now (R7.1).

    Bots are always there. Once the match is decided, who was connected at its end stays as it was (R9.3).
    """
    number = seating.seat_of(state, command.actor)
    if number is None:
        return Rejected(Refusal.NOT_SEATED)
    seat = state.seats[number]
    if seat.is_bot or seat.left_ms is not None or seat.away_since_ms is not None or state.end is not None:
        return state
    since = min(max(command.since_ms, now_ms - tunables.AWAY_GRACE_MS), now_ms)
    events.append(ConnectionNoted(number))
    return seating.with_seat(state, number, away_since_ms=since)


def deadline(seat: Seat) -> int | None:
    """When an absence is shown to the others, or costs the seat (R5.1, R7.2)."""
    if seat.away_since_ms is None:
        return None
    return seat.away_since_ms + (tunables.AWAY_GRACE_MS if seat.away_shown else tunables.AWAY_UNSEEN_MS)


def settle(state: MatchState, number: SeatNo, moment: int, events: list[MatchEvent]) -> MatchState:
    """Let an absence's deadline take effect: the others see it, or the player has forfeited."""
    if state.seats[number].away_shown:
        return leaving.leave(state, number, LeaveReason.TIMED_OUT, moment, events)
    events.append(SeatAway(number))
    return seating.with_seat(state, number, away_shown=True)
