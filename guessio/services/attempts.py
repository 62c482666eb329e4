"""What a command would lead to at a table, before anything of it is stored."""

from __future__ import annotations

from typing import Any, NamedTuple

from guessio.engine.machine import Rejected, Step


class Attempt(NamedTuple):
    """What a command would lead to: the next state, all events, and the refusal if the command itself was refused."""

    state: Any
    events: tuple[Any, ...]
    refused: Rejected | None


def apply(game: Any, state: Any, command: Any, now_ms: int) -> Attempt:
    """Settle what is due by `now_ms`, then apply the command, if any; what fell due counts also when the command is refused."""
    events: tuple[Any, ...] = ()
    deadline = game.next_deadline(state)
    if deadline is not None and deadline <= now_ms:
        ticked: Step = game.tick(state, now_ms)
        state, events = ticked.state, ticked.events
    if command is None:
        return Attempt(state, events, None)
    step: Step | Rejected = game.apply(state, command, now_ms)
    if isinstance(step, Rejected):
        return Attempt(state, events, step)
    return Attempt(step.state, events + step.events, None)
