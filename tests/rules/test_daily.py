"""SPEC 14 beyond the vectors."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import daily
from guessio.rules.daily import Attempt, Colour, Diary
from guessio.rules.week import DAY_LENGTH, day_starts

TODAY = date(2026, 11, 30)
NOON = day_starts(TODAY) + DAY_LENGTH // 2
MINUTE = 60_000


def finished(days_ago: int, took_ms: int) -> Attempt:
    day = TODAY - timedelta(days=days_ago)
    return Attempt(day, day_starts(day), took_ms)


def test_nothing_can_be_finished_that_was_not_started() -> None:
    assert daily.finish(Diary(), NOON, NOON, 1_000) is None


def test_an_attempt_is_finished_once_and_by_its_name() -> None:
    diary = daily.start(Diary(), NOON)
    assert diary is not None
    assert daily.finish(diary, NOON - 1, NOON + 1, 1) is None
    done = daily.finish(diary, NOON, NOON + 5_000, 5_000)
    assert done is not None
    assert daily.best_of(done, TODAY) == 5_000
    assert daily.finish(done, NOON, NOON + 6_000, 6_000) is None


@pytest.mark.parametrize(("after", "counts"), [(10 * MINUTE, True), (10 * MINUTE + 1, False)])
def test_midnight_leaves_ten_minutes(after: int, counts: bool) -> None:
    """R14.5."""
    late = day_starts(TODAY) + DAY_LENGTH - MINUTE
    diary = daily.start(Diary(), late)
    assert diary is not None
    done = daily.finish(diary, late, day_starts(TODAY) + DAY_LENGTH + after, 61_000)
    assert (done is not None) is counts
    if done is not None:
        assert daily.colour_of(done, TODAY) is Colour.GREEN


@pytest.mark.parametrize(("days_ago", "target"), [(1, 900), (7, 900), (8, None)])
def test_the_time_to_beat_looks_back_seven_days(days_ago: int, target: int | None) -> None:
    """R14.2."""
    assert daily.time_to_beat(Diary(0, (finished(days_ago, 900),)), TODAY) == target


def test_the_calendar_ends_thirty_days_back() -> None:
    diary = Diary(0, (finished(30, 900), finished(29, 900)))
    assert list(daily.summary(diary, NOON).calendar) == [TODAY - timedelta(days=29)]


@given(st.integers(0, 100), st.lists(st.integers(1, 10_000), max_size=15))
def test_points_never_go_below_zero_and_only_retries_cost(points: int, times: list[int]) -> None:
    diary, now = Diary(points, (finished(1, 1),)), NOON
    retries = 0
    for took in times:
        now += 1
        before = daily.colour_of(diary, TODAY)
        started = daily.start(diary, now)
        if started is None:
            assert before is Colour.RED
            assert diary.points < 10
            continue
        retries += before is Colour.RED
        diary = daily.finish(started, now, now, took) or started
        assert diary.points == points - 10 * retries >= 0
