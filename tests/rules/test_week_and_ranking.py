"""R9.5 to R9.8: the week and its leaderboard."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import ranking, week
from guessio.rules.ranking import Standing
from guessio.rules.terms import AccountId

MOMENTS = st.integers(0, 4_102_444_800_000)


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@given(MOMENTS)
def test_a_moment_lies_in_its_week(now_ms: int) -> None:
    key = week.key(now_ms)
    assert week.opens(key) <= now_ms < week.ends(key)
    assert datetime.fromtimestamp(week.opens(key) / 1000, UTC).weekday() == 0
    assert week.key(week.ends(key)) > key
    assert week.previous(week.key(week.ends(key))) == key


@given(MOMENTS)
def test_the_day_is_the_utc_day(now_ms: int) -> None:
    day = week.day(now_ms)
    assert day == datetime.fromtimestamp(now_ms / 1000, UTC).date()
    assert 0 <= now_ms - week.day_starts(day) < week.DAY_LENGTH


@pytest.mark.parametrize(
    ("now", "key"),
    [
        ("2026-11-29T23:59:59.999", "2026-11-23"),
        ("2026-11-30T00:00:00", "2026-11-30"),
        ("2026-12-06T12:00:00", "2026-11-30"),
        ("2027-01-01T00:00:00", "2026-12-28"),
    ],
)
def test_the_week_is_named_by_its_monday(now: str, key: str) -> None:
    assert week.key(ms(now)) == key


@pytest.mark.parametrize(
    ("now", "rolled", "closed"),
    [
        ("2026-11-29T23:59:59.999", "2026-11-23", False),
        ("2026-11-30T00:00:00", "2026-11-30", True),
        ("2026-11-30T00:02:59.999", "2026-11-30", True),
        ("2026-11-30T00:03:00", "2026-11-30", False),
        ("2026-11-30T00:03:00", "2026-11-23", True),
        ("2026-12-03T10:00:00", "2026-11-23", True),
    ],
)
def test_ranked_closes_for_the_roll_over(now: str, rolled: str, closed: bool) -> None:
    assert week.ranked_closed(ms(now), rolled) is closed


def standing(account: int, rating: int, played: int = 3, created: int = 0) -> Standing:
    return Standing(AccountId(account), rating, played, created)


def test_ties_go_to_the_older_account() -> None:
    board = ranking.ranked([standing(1, 50, created=9), standing(2, 50, created=5), standing(3, 70), standing(4, 99, 2)])
    assert [one.account for one in board] == [3, 2, 1]
    assert ranking.rank_of(AccountId(2), board) == 2
    assert ranking.rank_of(AccountId(4), board) is None


def test_a_rank_unlocks_after_three_ranked_matches() -> None:
    assert [ranking.matches_missing(played) for played in range(5)] == [3, 2, 1, 0, 0]


@pytest.mark.parametrize(("rank", "ever", "status"), [(10, 10, True), (11, 10, False), (1, 9, False), (None, 50, False)])
def test_top_status(rank: int | None, ever: int, status: bool) -> None:
    assert ranking.has_top_status(rank, ever) is status


@pytest.mark.parametrize(("rank", "told"), [(None, None), (3, None), (4, 4), (10, 10), (11, None)])
def test_the_recap_adds_places_below_the_podium(rank: int | None, told: int | None) -> None:
    assert ranking.recap(rank) == told
