"""Starting and ending rounds, and what that decides (R1.4, R1.8 to R1.11)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.match import seating, turning
from guessio.engine.match.events import CountdownStarted, MatchEnded, MatchEvent, RoundEnded, RoundStarted
from guessio.engine.match.state import MatchState, Round
from guessio.rules import rounds as round_rules
from guessio.rules import tunables, turns
from guessio.rules.terms import MatchEnd, MatchPhase, RoundEnd, SeatNo


def count_down(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Start the countdown to round 1 (R1.10)."""
    events.append(CountdownStarted())
    return replace(state, phase=MatchPhase.COUNTDOWN, until_ms=moment + tunables.COUNTDOWN_MS, picker=None)


def start(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Open the next round: its commitment becomes public and the opening seat moves along (R1.3, R1.4)."""
    number = len(state.rounds) + 1
    opener = turns.opener(number, len(state.seats), seating.left(state))
    events.append(RoundStarted(number))
    state = replace(state, rounds=(*state.rounds, Round(number, opener, moment)))
    return turning.begin(state, opener, moment, events)


def end(state: MatchState, why: RoundEnd, winner: SeatNo | None, moment: int, events: list[MatchEvent]) -> MatchState:
    """End the running round and go to the pause, or decide the match and show the last result (R1.9 to R1.11).

    Whatever has not taken effect by now (a freeze, an extra turn) lapses and is not used up (R6.2).
    """
    state = _closed(state, why, winner, moment)
    decided = round_rules.match_result(
        seating.rounds_won(state.rounds), seating.seated(state), len(state.rounds)
    )  # fmt: skip
    events.append(RoundEnded(len(state.rounds), last=decided is not None))
    if decided is None:
        return replace(state, phase=MatchPhase.PAUSE, until_ms=moment + tunables.PAUSE_MS)
    return close(replace(state, end=MatchEnd.PLAYED, winner=decided.winner, ended_ms=moment), moment)


def award(state: MatchState, winner: SeatNo, moment: int, events: list[MatchEvent]) -> MatchState:
    """Give the running round and the match to the one who stayed, of two (R7.4)."""
    events.append(RoundEnded(len(state.rounds), last=True))
    state = _closed(state, RoundEnd.AWARDED, winner, moment)
    return close(replace(state, end=MatchEnd.FORFEIT, winner=winner, ended_ms=moment), moment)


def break_off(state: MatchState, why: MatchEnd, winner: SeatNo | None, moment: int, events: list[MatchEvent]) -> MatchState:
    """End the match between rounds or in the middle of one, which then has no winner (R7.4, R7.6)."""
    if state.phase is MatchPhase.TURN:
        events.append(RoundEnded(len(state.rounds), last=True))
        state = _closed(state, RoundEnd.ABANDONED, None, moment)
    return finish(replace(state, end=why, winner=winner, ended_ms=moment, picker=None), events)


def close(state: MatchState, moment: int) -> MatchState:
    """Show the last round's result for a moment before the match results open (R1.10)."""
    return replace(state, phase=MatchPhase.CLOSING, until_ms=moment + tunables.CLOSING_MS)


def finish(state: MatchState, events: list[MatchEvent]) -> MatchState:
    """Open the match results: nothing changes any more."""
    events.append(MatchEnded(seating.certain(state.end)))
    return replace(state, phase=MatchPhase.OVER, until_ms=None)


def _closed(state: MatchState, why: RoundEnd, winner: SeatNo | None, moment: int) -> MatchState:
    ended = replace(state.rounds[-1], end=why, winner=winner, ended_ms=moment)
    return replace(state, rounds=(*state.rounds[:-1], ended), turn=None)
