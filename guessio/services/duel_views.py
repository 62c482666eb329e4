"""What a duel's page is given beside the engine's view: the version, and the rematch at the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from guessio.engine.duel.views import DuelView


class RematchState(StrEnum):
    """How things stand with a rematch, for one duellist at the end of a duel (R17.4).

    OPEN: it can be offered. OFFERED: one's own offer waits for the other's answer. ASKED: the other waits for one's answer. GONE: the
    other went elsewhere.
    """

    OPEN = "open"
    OFFERED = "offered"
    ASKED = "asked"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class RematchView:
    """What `#rematch` shows: a POST to `url` offers a rematch or says yes to one."""

    state: RematchState
    opponent_name: str
    url: str


@dataclass(frozen=True, slots=True)
class DuelPage:
    """A duel as one duellist sees it, and the version of the table that this is. `rematch` once it is over.

    `record_url` leads to the record with the replay once it is over. `was_away` when one's seat was being kept.
    """

    version: int
    view: DuelView
    was_away: bool
    rematch: RematchView | None
    record_url: str
