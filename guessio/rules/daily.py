"""The Daily Challenge as an account lives it: attempts, time to beat, retries, streak, calendar (SPEC 14).

A `Diary` holds what the rules look at. `start` and `finish` give the next one, or None when they are not allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from guessio.rules import points as points_rules
from guessio.rules import tunables
from guessio.rules.week import day, day_starts


class Colour(StrEnum):
    """How a day of the calendar looks: only started, finished without passing, passed (R14.4)."""

    BLUE = "blue"
    RED = "red"
    GREEN = "green"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt, belonging to the UTC day in which it was started; `took_ms` once its code is cracked."""

    day: date
    started_ms: int
    took_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Diary:
    """An account's attempts in order of starting, and its points."""

    points: int = 0
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What the Daily screen says at one moment; `calendar` holds the coloured days of the last thirty."""

    time_to_beat_ms: int | None
    streak_days: int
    calendar: dict[date, Colour]
    passed_today: bool
    retry_offered: bool
    retry_enabled: bool


def start(diary: Diary, now_ms: int) -> Diary | None:
    """Begin an attempt: free until the day's first finish, then paid from the points until it is passed (R14.3)."""
    today = day(now_ms)
    colour = colour_of(diary, today)
    if colour is Colour.GREEN:
        return None
    is_retry = colour is Colour.RED
    if is_retry and not points_rules.can_retry(diary.points):
        return None
    price = tunables.DAILY_RETRY_POINTS if is_retry else 0
    return Diary(diary.points - price, (*diary.attempts, Attempt(today, now_ms)))


def finish(diary: Diary, started_ms: int, now_ms: int, took_ms: int) -> Diary | None:
    """Finish the attempt that was started at `started_ms`, which must be the last one and open.

    Past midnight it counts for its own day, but only for a while (R14.5).
    """
    if not diary.attempts:
        return None
    last = diary.attempts[-1]
    if last.started_ms != started_ms or last.took_ms is not None or now_ms > closes_at(last.day):
        return None
    return replace(diary, attempts=(*diary.attempts[:-1], replace(last, took_ms=took_ms)))


def closes_at(of: date) -> int:
    """The last moment at which an attempt of a day can be finished (R14.5)."""
    return day_starts(of + timedelta(days=1)) + tunables.DAILY_LATE_MS


def best_of(diary: Diary, of: date) -> int | None:
    """The fastest finish of a day."""
    times = [attempt.took_ms for attempt in diary.attempts if attempt.day == of and attempt.took_ms is not None]
    return min(times, default=None)


def time_to_beat(diary: Diary, of: date) -> int | None:
    """The fastest finish of the days before `of` that count; None when there is none (R14.2)."""
    window = (best_of(diary, of - timedelta(days=back)) for back in range(1, tunables.DAILY_WINDOW_DAYS + 1))
    return min((best for best in window if best is not None), default=None)


def colour_of(diary: Diary, of: date) -> Colour | None:
    """A day's colour; None for a day without an attempt (R14.4). Without a time to beat any finish passes."""
    if all(attempt.day != of for attempt in diary.attempts):
        return None
    best, target = best_of(diary, of), time_to_beat(diary, of)
    if best is None:
        return Colour.BLUE
    return Colour.GREEN if target is None or best < target else Colour.RED


def streak(diary: Diary, today: date) -> int:
    """Consecutive days with an attempt, up to today, or to yesterday while today has none (R14.4)."""
    played = {attempt.day for attempt in diary.attempts}
    last = today if today in played else today - timedelta(days=1)
    length = 0
    while last - timedelta(days=length) in played:
        length += 1
    return length


def summary(diary: Diary, now_ms: int) -> Summary:
    """All that the Daily screen says; the time to beat shown includes today's best."""
    today = day(now_ms)
    colours = {of: colour_of(diary, of) for of in _calendar_days(today)}
    shown = [time for time in (time_to_beat(diary, today), best_of(diary, today)) if time is not None]
    offered = colours[today] is Colour.RED
    return Summary(
        time_to_beat_ms=min(shown, default=None),
        streak_days=streak(diary, today),
        calendar={of: colour for of, colour in colours.items() if colour is not None},
        passed_today=colours[today] is Colour.GREEN,
        retry_offered=offered,
        retry_enabled=offered and points_rules.can_retry(diary.points),
    )


def _calendar_days(today: date) -> list[date]:
    return [today - timedelta(days=back) for back in reversed(range(tunables.DAILY_CALENDAR_DAYS))]
