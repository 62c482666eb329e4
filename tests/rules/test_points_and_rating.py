"""SPEC 8 and 9: points and rating beyond the vectors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import points, rating
from guessio.rules.rating import Rated
from guessio.rules.terms import Difficulty, MatchType, Outcome

STANDARD, HARDCORE = Difficulty.STANDARD, Difficulty.HARDCORE

PLAYERS = st.integers(2, 4).flatmap(
    lambda seats: st.lists(
        st.builds(Rated, st.integers(0, 3000), st.integers(0, 3), st.just(False), st.just(True), st.just(False)),
        min_size=seats,
        max_size=seats,
    )
)


@pytest.mark.parametrize(
    ("kind", "difficulty", "outcome", "held", "forfeited", "change"),
    [
        (MatchType.RANKED, STANDARD, Outcome.WIN, 0, False, 3),
        (MatchType.CASUAL, HARDCORE, Outcome.WIN, 0, False, 5),
        (MatchType.RANKED, STANDARD, Outcome.DRAW, 0, False, 1),
        (MatchType.RANKED, STANDARD, Outcome.DRAW, 0, True, 0),
        (MatchType.RANKED, STANDARD, Outcome.LOSS, 9, False, 0),
        (MatchType.RANKED, STANDARD, Outcome.CANCELLED, 25, False, -3),
        (MatchType.RANKED, STANDARD, Outcome.CANCELLED, 25, True, 0),
        (MatchType.CUSTOM, STANDARD, Outcome.WIN, 0, False, 0),
        (MatchType.CUSTOM, STANDARD, Outcome.CANCELLED, 50, False, 0),
    ],
)
def test_points(kind: MatchType, difficulty: Difficulty, outcome: Outcome, held: int, forfeited: bool, change: int) -> None:
    assert points.after_match(kind, difficulty, outcome, held, forfeited) == change


@given(st.integers(0, 10_000_000))
def test_the_penalty_is_the_nearest_tenth_and_never_too_much(held: int) -> None:
    penalty = points.inactivity_penalty(held)
    assert 0 <= penalty <= held
    assert -5 <= penalty * 10 - held <= 5


@given(PLAYERS)
def test_two_equal_results_leave_the_sum_of_raw_changes_at_zero(players: list[Rated]) -> None:
    """Every pair is judged once from each side, so nothing is made or lost before rounding and floor."""
    changes = rating.after_match(MatchType.RANKED, False, len(players), players)
    assert sum(change.raw for change in changes) == pytest.approx(0, abs=1e-9)


@given(PLAYERS)
def test_no_rating_falls_below_the_floor(players: list[Rated]) -> None:
    for cancelled in (False, True):
        for before, change in zip(players, rating.after_match(MatchType.RANKED, cancelled, len(players), players), strict=True):
            assert change.after >= 0
            assert change.after - before.rating == change.applied


@given(st.integers(0, 4000), st.integers(0, 4000))
def test_expectations_of_two_add_up(own: int, other: int) -> None:
    assert rating.expected(own, other) + rating.expected(other, own) == pytest.approx(1)


@pytest.mark.parametrize(("raw", "change"), [(0.5, 1), (-0.5, -1), (2.5, 3), (-2.5, -3), (0.49, 0), (-0.49, 0)])
def test_halves_are_rounded_away_from_zero(raw: float, change: int) -> None:
    assert rating.applied(1000, raw).change == change


def test_casual_changes_no_rating_unless_cancelled() -> None:
    """R9.1, R7.6."""
    players = [Rated(100, 2, True, True, False), Rated(100, 0, False, True, True)]
    assert [one.applied for one in rating.after_match(MatchType.CASUAL, False, 2, players)] == [0, 0]
    assert [one.applied for one in rating.after_match(MatchType.CASUAL, True, 2, players)] == [-30, -30]
    assert [one.applied for one in rating.after_match(MatchType.CUSTOM, True, 2, players)] == [0, 0]


def test_equal_players_are_not_confused_with_each_other() -> None:
    """Two seats can look exactly alike; each is still the other's opponent."""
    players = [Rated(100, 1, False, True, False)] * 3
    assert [one.change for one in rating.after_match(MatchType.RANKED, False, 3, players)] == [0, 0, 0]
