"""THE runner: the only way to change a live table. Signatures first; see the functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from sqlalchemy import Connection

from guessio.engine.machine import Machine, Rejected
from guessio.rules.terms import TableId, TableKind


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as it is stored."""

    kind: TableKind
    version: int
    state: Any


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command was accepted and is durable. `events` is empty when it changed nothing (a repetition)."""

    version: int
    state: Any
    events: tuple[Any, ...]


def start(app: Flask, background: bool | None = None) -> None:
    """Begin serving tables: settle downtime (R1.13), arm timers, run heartbeat and sweep unless `app.testing`."""
    raise NotImplementedError


def stop() -> None:
    """End the background work and sign this worker off."""
    raise NotImplementedError


def machine(kind: TableKind) -> type[Machine]:
    """The game that runs tables of this kind: the one registry."""
    raise NotImplementedError


def create(kind: TableKind, state: Any, events: tuple[Any, ...] = (), *, conn: Connection | None = None) -> None:
    """Store a new table at version 1; in the caller's transaction when `conn` is given, who then calls `created` after its commit."""
    raise NotImplementedError


def created(table_id: TableId) -> None:
    """After the commit of the transaction that made a table: arm its timer, publish, see who of its players is connected."""
    raise NotImplementedError


def dispatch(table_id: TableId, command: Any) -> Accepted | Rejected | None:
    """Apply one command; durable before it returns. None when there is no such table. Never call it inside `database.write()`."""
    raise NotImplementedError


def load(table_id: TableId) -> Loaded | None:
    """The table as it is now, never older than the database."""
    raise NotImplementedError


def run_due(now_ms: int) -> int:
    """Settle every table whose timer has passed by `now_ms`; how many changed. For tests with a clock of their own, too."""
    raise NotImplementedError


def on_over(callback: Callable[[TableId, TableKind, Any], None]) -> None:
    """Call `callback(table_id, kind, state)` after the commit of the step that ended a table."""
    raise NotImplementedError
