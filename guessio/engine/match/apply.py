"""The one way in: every command comes through `apply`, after the deadlines that passed before it (R1.12)."""

from __future__ import annotations

from guessio.engine.machine import Rejected, Step
from guessio.engine.match import guessing, leaving, picking, presence, skills, timing
from guessio.engine.match.commands import (
    Connect,
    Forfeit,
    MatchCommand,
    PickSkill,
    SubmitGuess,
    UseSkill,
)
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState


def apply(state: MatchState, command: MatchCommand, now_ms: int) -> Step | Rejected:
    """Settle what fell due by `now_ms`, then apply the command; a deadline at the very same moment comes first.

    A `Step` without events changed nothing: the command repeats one that took effect already.
    """
    events: list[MatchEvent] = []
    state = timing.settle(state, now_ms, events)
    outcome = _handled(state, command, now_ms, events)
    if isinstance(outcome, Rejected):
        return outcome
    # An absence that was noticed late may be due to be shown already.
    return Step(timing.settle(outcome, now_ms, events), tuple(events))


def tick(state: MatchState, now_ms: int) -> Step:
    """Settle every deadline up to and including `now_ms`, in order, each at its own moment."""
    events: list[MatchEvent] = []
    return Step(timing.settle(state, now_ms, events), tuple(events))


def _handled(state: MatchState, command: MatchCommand, now_ms: int, events: list[MatchEvent]) -> MatchState | Rejected:
    match command:
        case SubmitGuess():
            return guessing.submit(state, command, now_ms, events)
        case UseSkill():
            return skills.use(state, command, events)
        case PickSkill():
            return picking.pick(state, command, now_ms, events)
        case Forfeit():
            return leaving.forfeit(state, command, now_ms, events)
        case Connect():
            return presence.connect(state, command, events)
        case _:
            return presence.disconnect(state, command, now_ms, events)
