"""Quitting Ranked again and again: a warning, then a suspension that sets itself (R7.7)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from guessio.rules import tunables


class QuitStep(StrEnum):
    """What one more ranked quit in a row leads to."""

    NOTHING = "nothing"
    WARN = "warn"
    SUSPEND = "suspend"


def after_quit(quits_in_row: int) -> QuitStep:
    """The consequence when `quits_in_row` ranked quits stand in a row, this one counted."""
    if quits_in_row >= tunables.QUITS_TO_SUSPEND:
        return QuitStep.SUSPEND
    return QuitStep.WARN if quits_in_row >= tunables.QUITS_TO_WARN else QuitStep.NOTHING


def length_ms(earlier_starts_ms: Iterable[int], now_ms: int) -> int:
    """How long an automatic suspension lasts, after those that started within the remembered time."""
    repeats = sum(now_ms - started < tunables.SUSPENSION_MEMORY_MS for started in earlier_starts_ms)
    return tunables.SUSPENSION_STEPS_MS[min(repeats, len(tunables.SUSPENSION_STEPS_MS) - 1)]


def is_blameless(disconnected_ms: int, server_started_ms: int) -> bool:
    """Whether a lost connection is not counted: it came before or soon after a start of the server."""
    return disconnected_ms < server_started_ms + tunables.BLAMELESS_AFTER_START_MS
