"""The strip of seats as one viewer sees it."""

from __future__ import annotations

from guessio.engine.match import seating
from guessio.engine.match.state import MatchState, Seat
from guessio.engine.match.views import SeatView
from guessio.rules import tunables
from guessio.rules.terms import AccountId, SeatNo


def seats(state: MatchState, viewer: AccountId, now_ms: int) -> tuple[SeatView, ...]:
    """Every seat in seat order: whose turn it is, who is away and for how long still, who has left (R7.1)."""
    wins = seating.rounds_won(state.rounds)
    own = seating.seat_of(state, viewer)
    frozen = frozen_seats(state)
    watched = watched_by(state, own)
    on_turn = None if state.turn is None else state.turn.seat
    picker = state.picker
    return tuple(
        [
            SeatView(
                SeatNo(number),
                seat.account,
                seat.username,
                seat.name,
                seat.avatar_url,
                seat.rating,
                seat.is_bot,
                number == own,
                number == on_turn,
                number == picker,
                seat.skill is not None,
                wins.get(SeatNo(number), 0),
                _grace_left(seat, now_ms),
                seat.left_ms is not None,
                number in frozen,
                number in watched,
                seat.skill if seat.skill_disclosed else None,
            )
            for number, seat in enumerate(state.seats)
        ]
    )


def frozen_seats(state: MatchState) -> tuple[SeatNo, ...]:
    """The seated players who will lose their next turn of the running round (R6.2)."""
    if state.turn is None:
        return ()
    return tuple(freeze.target for freeze in state.rounds[-1].freezes if not freeze.done and state.seats[freeze.target].left_ms is None)


def watched_by(state: MatchState, seat: SeatNo | None) -> tuple[SeatNo, ...]:
    """The seats that `seat` watches by X-Ray Vision in the running round: its own affair alone (R6.2)."""
    if state.turn is None:
        return ()
    return tuple(xray.target for xray in state.rounds[-1].xrays if xray.by == seat and xray.until is None)


def _grace_left(seat: Seat, now_ms: int) -> int | None:
    if seat.away_since_ms is None or not seat.away_shown:
        return None
    left = seat.away_since_ms + tunables.AWAY_GRACE_MS - now_ms
    return min(max(0, left), tunables.AWAY_GRACE_MS)
