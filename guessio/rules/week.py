"""The ranked week: Monday 00:00 UTC to the next (R9.5). A week is named by its Monday, "2026-11-30"."""

from __future__ import annotations

from datetime import date

from guessio.rules import tunables

DAY_LENGTH = 86_400_000
"""The milliseconds of a UTC day: no rule, hence not shortened."""

_EPOCH = date(1970, 1, 1).toordinal()


def day(now_ms: int) -> date:
    """The UTC day of a moment."""
    return date.fromordinal(_EPOCH + now_ms // DAY_LENGTH)


def day_starts(of: date) -> int:
    """The first millisecond of a UTC day."""
    return (of.toordinal() - _EPOCH) * DAY_LENGTH


def key(now_ms: int) -> str:
    """The name of the week that a moment belongs to."""
    today = day(now_ms)
    return date.fromordinal(today.toordinal() - today.weekday()).isoformat()


def opens(week: str) -> int:
    """The first millisecond of a week."""
    return day_starts(date.fromisoformat(week))


def ends(week: str) -> int:
    """The first millisecond after a week: when the next one opens."""
    return opens(week) + tunables.WEEK_DAYS * DAY_LENGTH


def previous(week: str) -> str:
    """The week before."""
    return key(opens(week) - 1)


def ranked_reopens(week: str) -> int:
    """The earliest moment at which Ranked can be open again after a week opened."""
    return opens(week) + tunables.RANKED_CLOSED_MS


def ranked_closed(now_ms: int, rolled_over_to: str) -> bool:
    """Whether Ranked is closed: the week has just begun, or the roll-over to it is not done yet (R9.5).

    `rolled_over_to` is the newest week whose roll-over is finished.
    """
    current = key(now_ms)
    return now_ms < ranked_reopens(current) or rolled_over_to < current
