"""Events turned into fragments for one viewer: what the stream pushes, and the whole of a table after a gap.

Each message is a row of `<hx-partial>`s. Nothing here reads a request; the environment is the application's, given once by `use`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment

from guessio.live import duel_parts, duel_screen, match_parts, match_whole, painting
from guessio.rules.terms import AccountId, TableKind

Step = Callable[[AccountId], str]
Stepped = Callable[[Any, tuple[Any, ...], int, dict[Any, Any]], Step]
Shown = Callable[[Any, AccountId, int], str]

_STEPPED: dict[TableKind, Stepped] = {TableKind.MATCH: match_parts.step, TableKind.DUEL: duel_parts.step}
_JOINED: dict[TableKind, frozenset[type]] = {TableKind.MATCH: match_parts.JOINED, TableKind.DUEL: frozenset()}
_SHOWN: dict[TableKind, Shown] = {TableKind.MATCH: match_whole.shown, TableKind.DUEL: duel_screen.shown}


def use(environment: Environment) -> None:
    """Take the application's template environment, and add to it the words and icons that fragments need."""
    painting.use(environment)


def step(kind: TableKind, state: Any, events: tuple[Any, ...], version: int, now_ms: int, kept: dict[Any, Any]) -> Step:
    """What gives, for each viewer, what this step changes on the screen; that is empty when nothing does.

    `state` is the one after the step of number `version`, which the stream sends along as the message's id. `kept` belongs to this
    table: drawing keeps there what it may want again at the next step.
    """
    return _STEPPED[kind](state, events, now_ms, kept)


def can_join(kind: TableKind, events: tuple[Any, ...]) -> bool:
    """Whether the events of several steps can be shown as those of one, from the state after the last."""
    return _JOINED[kind].issuperset([type(event) for event in events])


def whole(kind: TableKind, state: Any, viewer: AccountId, version: int, now_ms: int) -> str:
    """Everything of `#table` as a fresh load would show it (R5.2); empty for somebody without a seat."""
    shown = _SHOWN[kind](state, viewer, now_ms)
    return shown and painting.partial("#table", "outerHTML", shown)
