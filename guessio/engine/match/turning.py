"""Starting a turn and passing it on (R1.4, R1.5, R6.2 Freeze)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.match import chance, seating
from guessio.engine.match.events import MatchEvent, TurnSkipped, TurnStarted
from guessio.engine.match.state import Freeze, MatchState, Skip, Turn
from guessio.rules import tunables, turns
from guessio.rules.terms import MatchPhase, SeatNo


def begin(state: MatchState, seat: SeatNo, moment: int, events: list[MatchEvent], *, extra: bool = False) -> MatchState:
    """Give `seat` a turn with its full time: 30 s for a person, a drawn thinking time for a bot (R1.5)."""
    number = state.turns_taken + 1
    wait = chance.guess_wait_ms(state.deal.seed, number) if state.seats[seat].is_bot else tunables.TURN_MS
    events.append(TurnStarted(number, seat, extra))
    return replace(
        state,
        phase=MatchPhase.TURN,
        until_ms=moment + wait,
        turn=Turn(number, seat, moment, extra),
        turns_taken=number,
    )


def pass_on(state: MatchState, after: SeatNo, moment: int, events: list[MatchEvent]) -> MatchState:
    """End the turn of `after` and start the next seated player's, passing over whoever is frozen (R1.4, R6.2)."""
    gone = seating.left(state)
    seat = _next(after, state, gone)
    while (freeze := pending_freeze(state, seat)) is not None:
        state = _bite(state, freeze, events)
        seat = _next(seat, state, gone)
    return begin(state, seat, moment, events)


def pending_freeze(state: MatchState, target: SeatNo) -> Freeze | None:
    """The freeze under which `target` will lose its next turn of the running round."""
    for freeze in state.rounds[-1].freezes:
        if freeze.target == target and not freeze.done:
            return freeze
    return None


def _next(after: SeatNo, state: MatchState, gone: frozenset[SeatNo]) -> SeatNo:
    return seating.certain(turns.following(after, len(state.seats), gone))


def _bite(state: MatchState, freeze: Freeze, events: list[MatchEvent]) -> MatchState:
    """Let a freeze take its turn: only now is the skill used up; it is no time-out (R6.2)."""
    number = state.turns_taken + 1
    running = state.rounds[-1]
    skip = Skip(number, len(running.guesses), freeze.target, freeze.by)
    freezes = tuple(replace(one, done=True) if one is freeze else one for one in running.freezes)
    events.append(TurnSkipped(number, freeze.target, freeze.by))
    state = seating.with_round(state, freezes=freezes, skips=(*running.skips, skip))
    return replace(seating.with_seat(state, freeze.by, skill_used=True), turns_taken=number)
