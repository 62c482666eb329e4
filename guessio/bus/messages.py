"""What travels on the bus: ids and small values, never a secret and never a whole state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guessio.rules.terms import TableId


@dataclass(frozen=True, slots=True)
class TableStepped:
    """A table reached `version` by `events`. `events` is None when they are unknown here: show the whole table."""

    table_id: TableId
    version: int
    events: tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class Navigate:
    """The account's pages shall open `url` (a path of this site)."""

    url: str


@dataclass(frozen=True, slots=True)
class SignedOut:
    """The account's pages learn that their session is over, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class SearchChanged:
    """Who waits in a group of searchers changed (R3.1)."""


@dataclass(frozen=True, slots=True)
class DuelsChanged:
    """What the duel lobby has on offer changed (R17.1)."""


@dataclass(frozen=True, slots=True)
class RematchChanged:
    """How things stand with a rematch of this duel changed (R17.4)."""

    duel: TableId


@dataclass(frozen=True, slots=True)
class Announce:
    """A short notice of the kind `html_kind` for the account's pages."""

    html_kind: str
    text: str


@dataclass(frozen=True, slots=True)
class AchievementUnlocked:
    """The account has just unlocked these achievements (R10)."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session with this token hash is over: its streams end (R12.3)."""

    token_hash: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RequestsCounted:
    """A worker has counted so many more requests of `who`, a name made up for the workers alone, in that `window` of time."""

    who: str
    window: int
    number: int


@dataclass(frozen=True, slots=True)
class TablesWatched:
    """The process `worker` wants to know of every step of these tables. `is_new`: it has not said so before, and may have missed one.

    `asks`: every other process shall say what it wants to know of.
    """

    worker: str
    tables: tuple[TableId, ...]
    is_new: bool
    asks: bool


@dataclass(frozen=True, slots=True)
class TablesLeft:
    """The process `worker` doesn't want to know of these tables any more."""

    worker: str
    tables: tuple[TableId, ...]


Message = (
    TableStepped
    | TablesWatched
    | TablesLeft
    | Navigate
    | SignedOut
    | SearchChanged
    | DuelsChanged
    | RematchChanged
    | Announce
    | AchievementUnlocked
    | SessionEnded
    | RequestsCounted
)
