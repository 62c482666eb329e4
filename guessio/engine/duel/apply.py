"""The one way in: every command comes through `apply`, after the deadlines that passed before it."""

from __future__ import annotations

from guessio.engine.duel import choosing, guessing, leaving, timing
from guessio.engine.duel.commands import Connect, DuelCommand, Resign, SetSecret, SubmitGuess
from guessio.engine.duel.events import DuelEvent
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected, Step


def apply(state: DuelState, command: DuelCommand, now_ms: int) -> Step | Rejected:
    """Settle what fell due by `now_ms`, then apply the command; a deadline at the very same moment comes first (R17.5).

    A `Step` without events changed nothing: the command repeats one that took effect already.
    """
    events: list[DuelEvent] = []
    state = timing.settle(state, now_ms, events)
    outcome = _handled(state, command, now_ms, events)
    return outcome if isinstance(outcome, Rejected) else Step(outcome, tuple(events))


def tick(state: DuelState, now_ms: int) -> Step:
    """Settle every deadline up to and including `now_ms`, in order, each at its own moment."""
    events: list[DuelEvent] = []
    return Step(timing.settle(state, now_ms, events), tuple(events))


def _handled(state: DuelState, command: DuelCommand, now_ms: int, events: list[DuelEvent]) -> DuelState | Rejected:
    match command:
        case SubmitGuess():
            return guessing.submit(state, command, now_ms, events)
        case SetSecret():
            return choosing.set_secret(state, command, now_ms, events)
        case Resign():
            return leaving.resign(state, command, now_ms, events)
        case Connect():
            return leaving.connect(state, command, events)
        case _:
            return leaving.disconnect(state, command, now_ms, events)
