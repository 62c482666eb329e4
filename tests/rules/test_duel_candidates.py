"""R17.7: exactly the numbers that fit a duel's answers, each equally likely."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessio.rules import duel_candidates, feedback
from guessio.rules.duel_candidates import Suspects
from guessio.rules.terms import SecretRule

NUMBERS = st.text(alphabet="0123456789", min_size=4, max_size=4)


@cache
def every_number(rule: SecretRule) -> tuple[str, ...]:
    numbers = (str(number).zfill(4) for number in range(10_000))
    return tuple(one for one in numbers if rule is SecretRule.REPEATS or len(set(one)) == 4)


def draw_all(suspects: Suspects, step: int = 1) -> list[str]:
    """What `choose` makes of every possible pick, or of every `step`th."""
    return [suspects.choose(lambda _, index=index: index) for index in range(0, suspects.count(), step)]


@pytest.mark.parametrize(
    ("length", "rule", "many"),
    [
        (4, SecretRule.REPEATS, 10_000),
        (5, SecretRule.REPEATS, 100_000),
        (4, SecretRule.ALL_DIFFERENT, 5_040),
        (5, SecretRule.ALL_DIFFERENT, 30_240),
    ],
)
def test_what_a_secret_can_be_at_first(length: int, rule: SecretRule, many: int) -> None:
    assert duel_candidates.everything(length, rule).count() == many


@settings(max_examples=20, deadline=None)
@given(index=st.integers(0, 5_039), guesses=st.lists(NUMBERS, min_size=1, max_size=5), rule=st.sampled_from(SecretRule))
def test_marks_and_totals_leave_what_brute_force_leaves(index: int, guesses: list[str], rule: SecretRule) -> None:
    """Every pick gives another fitting number and none is missing, so the draw is exactly uniform."""
    secret = every_number(rule)[index]
    answers = [(guess, feedback.marks(secret, guess)) for guess in guesses]
    by_place = by_totals = duel_candidates.everything(4, rule)
    for guess, marks in answers:
        by_place = by_place.learn(guess, marks)
        by_totals = by_totals.learn_totals(guess, *feedback.totals(marks))
    fits_place = [one for one in every_number(rule) if all(feedback.marks(one, g) == m for g, m in answers)]
    fits_totals = [
        one for one in every_number(rule) if all(feedback.totals(feedback.marks(one, g)) == feedback.totals(m) for g, m in answers)
    ]
    assert by_place.count() == len(fits_place)
    assert by_totals.count() == len(fits_totals)
    assert draw_all(by_place, step=7) == fits_place[::7]
    assert draw_all(by_totals, step=7) == fits_totals[::7]


def test_five_digits_with_repeats_by_totals() -> None:
    """The document's example: 11234 answered to 43211 with one exact and four misplaced."""
    suspects = duel_candidates.everything(5, SecretRule.REPEATS).learn_totals("43211", 1, 4)
    left = draw_all(suspects)
    assert "11234" in left
    assert all(feedback.totals(feedback.marks(one, "43211")) == (1, 4) for one in left)


def test_contradictions_are_an_error_not_a_guess() -> None:
    suspects = duel_candidates.everything(4, SecretRule.REPEATS).learn_totals("1234", 4, 0).learn_totals("5678", 4, 0)
    assert suspects.count() == 0
    with pytest.raises(ValueError, match="no number fits"):
        suspects.choose(lambda _: 0)
