"""How long commands take at their tables: counted for whoever looks after the site, and told where one was slow."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from guessio import figures
from guessio.engine.machine import Rejected
from guessio.rules.terms import TableId

log = logging.getLogger(__name__)

SLOW_S = 0.5

Outcome = TypeVar("Outcome")


def timed(step: Callable[[TableId, Any], Outcome], table_id: TableId, command: Any) -> Outcome:
    """The outcome of `step(table_id, command)`, whose time is counted by the kind of command and by how it was answered."""
    began_s = figures.now_s()
    answer = "failed"
    try:
        outcome = step(table_id, command)
        answer = "unknown" if outcome is None else "refused" if isinstance(outcome, Rejected) else "accepted"
        return outcome
    finally:
        took_s, kind = figures.now_s() - began_s, type(command).__name__
        figures.command(kind, answer).observe(took_s)
        if took_s >= SLOW_S:
            log.warning("a slow command: %s at table %s took %d ms and was %s", kind, table_id, took_s * 1000, answer)
