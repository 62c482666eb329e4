"""R17.5, R1.13: clocks to the millisecond."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import clocks
from guessio.rules.clocks import Clock

TIMES = st.integers(0, 600_000)


def test_a_running_clock_runs_down_to_its_flag() -> None:
    clock = clocks.started(Clock(60_000), 1_000)
    assert clocks.left_at(clock, 1_000) == 60_000
    assert clocks.left_at(clock, 60_999) == 1
    assert clocks.flag_at(clock) == 61_000
    assert clocks.left_at(clock, 61_000) == clocks.left_at(clock, 99_000) == 0


def test_a_standing_clock_stands() -> None:
    clock = Clock(5_000)
    assert clocks.left_at(clock, 10**9) == 5_000
    assert clocks.spent_at(clock, 10**9) == 0
    assert clocks.flag_at(clock) is None
    assert clocks.moved(clock, 1_000) == clock


@given(left=TIMES, start=TIMES, stops=st.lists(TIMES, max_size=8))
def test_stopping_and_starting_costs_exactly_what_passed(left: int, start: int, stops: list[int]) -> None:
    clock, now = clocks.started(Clock(left), start), start
    for pause in stops:
        now += pause
        clock = clocks.started(clocks.stopped(clock, now), now)
    assert clocks.left_at(clock, now) == max(0, left - sum(stops))


@given(left=st.integers(1, 600_000), spent=TIMES, downtime=TIMES)
def test_downtime_costs_nothing_and_gives_nothing(left: int, spent: int, downtime: int) -> None:
    clock = clocks.started(Clock(left), 0)
    later = clocks.moved(clock, downtime)
    assert clocks.left_at(later, spent + downtime) == clocks.left_at(clock, spent)
    assert clocks.left_at(later, downtime // 2) == left


@given(lag=st.integers(-100, 5_000), spent=TIMES, quota=st.integers(0, 1_000))
def test_the_allowance_is_bounded_on_every_side(lag: int, spent: int, quota: int) -> None:
    credit = clocks.allowance(lag, spent, quota)
    assert 0 <= credit <= min(300, spent, quota)
    assert credit <= max(0, lag)
    clock = clocks.started(Clock(600_000), 0)
    assert clocks.stopped(clock, spent, credit).left_ms <= 600_000
