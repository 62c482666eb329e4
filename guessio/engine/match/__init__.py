"""One match of the shared-code game, as a pure machine: offers the names of `machine.Machine`. Imports `rules` only."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine.machine import Step
from guessio.engine.match import picking, rounds
from guessio.engine.match.apply import apply, tick
from guessio.engine.match.deal import draw
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.results import MatchResult, results
from guessio.engine.match.state import Deal, MatchState, Seat
from guessio.engine.match.timing import next_deadline, shift
from guessio.engine.match.view import view_for
from guessio.rules.terms import AccountId, Difficulty, MatchPhase, MatchType, TableId, TableKind

__all__ = [
    "KIND",
    "Event",
    "MatchResult",
    "NewSeat",
    "State",
    "apply",
    "draw",
    "engaged",
    "is_over",
    "members",
    "new",
    "next_deadline",
    "results",
    "shift",
    "tick",
    "view_for",
]

KIND = TableKind.MATCH
State = MatchState
Event = MatchEvent


@dataclass(frozen=True, slots=True)
class NewSeat:
    """Who takes a seat. The rating is the one at the match's start (R9.2)."""

    account: AccountId
    username: str
    name: str
    avatar_url: str = ""
    is_bot: bool = False
    rating: int = 0


def new(
    id: TableId,
    type: MatchType,
    difficulty: Difficulty,
    skills_on: bool,
    players: tuple[NewSeat, ...],
    deal: Deal,
    now_ms: int,
) -> Step:
    """Seat 2 to 4 players, in the order given, and start picking skills or counting down (R1.1, R1.4, R6.1)."""
    seats = tuple(
        Seat(one.account, one.username, one.name, one.avatar_url, one.is_bot, one.rating) for one in players
    )  # fmt: skip
    state = MatchState(
        id=id,
        type=type,
        difficulty=difficulty,
        skills_on=skills_on,
        created_ms=now_ms,
        seats=seats,
        deal=deal,
        phase=MatchPhase.COUNTDOWN,
        until_ms=None,
    )
    events: list[MatchEvent] = []
    begin = picking.start if skills_on else rounds.count_down
    return Step(begin(state, now_ms, events), tuple(events))


def is_over(state: MatchState) -> bool:
    """Whether the results are open and nothing will change any more."""
    return state.phase is MatchPhase.OVER


def members(state: MatchState) -> tuple[AccountId, ...]:
    """The accounts that hold or held a seat, in seat order."""
    return tuple(seat.account for seat in state.seats)


def engaged(state: MatchState) -> tuple[AccountId, ...]:
    """The accounts bound to this match: a player who forfeited may go elsewhere at once (R3.6)."""
    if is_over(state):
        return ()
    return tuple(seat.account for seat in state.seats if seat.left_ms is None)
