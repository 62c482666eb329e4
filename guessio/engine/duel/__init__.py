"""One duel, as a pure machine: offers the names of `machine.Machine`. Imports `rules` only, nothing of the match."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine.duel import computer, seating
from guessio.engine.duel.apply import apply, tick
from guessio.engine.duel.commands import Connect, Disconnect
from guessio.engine.duel.deal import draw
from guessio.engine.duel.events import DuelEvent
from guessio.engine.duel.result import DuelResult, PlayerResult, first_of_rematch, results
from guessio.engine.duel.state import Agreement, Deal, DuelState, Seat
from guessio.engine.duel.timing import next_deadline, shift
from guessio.engine.duel.view import view_for
from guessio.engine.machine import Step
from guessio.rules import tunables
from guessio.rules.clocks import Clock
from guessio.rules.terms import AccountId, DuelPhase, TableId, TableKind

__all__ = [
    "KIND",
    "Agreement",
    "Connect",
    "Deal",
    "Disconnect",
    "DuelResult",
    "Event",
    "NewSeat",
    "PlayerResult",
    "State",
    "apply",
    "draw",
    "engaged",
    "first_of_rematch",
    "is_over",
    "members",
    "new",
    "next_deadline",
    "results",
    "shift",
    "tick",
    "view_for",
]

KIND = TableKind.DUEL
State = DuelState
Event = DuelEvent


@dataclass(frozen=True, slots=True)
class NewSeat:
    """Who takes a seat; `is_bot` for the computer as an opponent (R17.7)."""

    account: AccountId
    username: str
    name: str
    avatar_url: str = ""
    is_bot: bool = False


def new(
    id: TableId,
    agreement: Agreement,
    players: tuple[NewSeat, NewSeat],
    deal: Deal,
    now_ms: int,
    grace_ms: int | None = None,
) -> Step:
    """Seat two players and let both clocks run while they choose their secrets (R17.5).

    For a rematch keep the seats and draw the deal with `first=first_of_rematch(previous)` (R17.4).
    """
    first, second = (_seat(one, agreement, now_ms) for one in players)
    state = DuelState(
        id=id,
        agreement=agreement,
        created_ms=now_ms,
        seats=(first, second),
        deal=deal,
        grace_ms=tunables.DUEL_GRACE_MS if grace_ms is None else grace_ms,
    )
    for seat in seating.SEATS:
        state = computer.take_thought(state, seat, now_ms)
    return Step(state)


def is_over(state: DuelState) -> bool:
    """Whether the duel is decided and nothing will change any more."""
    return state.phase is DuelPhase.OVER


def members(state: DuelState) -> tuple[AccountId, ...]:
    """The accounts of both duellists, in seat order."""
    return tuple(seat.account for seat in state.seats)


def engaged(state: DuelState) -> tuple[AccountId, ...]:
    """The accounts bound to this duel: both until it is over (R3.6)."""
    return () if is_over(state) else members(state)


def _seat(one: NewSeat, agreement: Agreement, now_ms: int) -> Seat:
    return Seat(
        account=one.account,
        username=one.username,
        name=one.name,
        avatar_url=one.avatar_url,
        is_bot=one.is_bot,
        clock=Clock(agreement.clock_ms, now_ms),
        lag_quota_ms=tunables.DUEL_LAG_QUOTA_MS,
    )
