"""R1.7, R17.3: the laws of marking."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import feedback
from guessio.rules.terms import Difficulty, Mark

LENGTHS = st.integers(4, 6)


def numbers(length: int) -> st.SearchStrategy[str]:
    return st.text(alphabet="0123456789", min_size=length, max_size=length)


def codes(length: int) -> st.SearchStrategy[str]:
    return st.permutations("0123456789").map(lambda digits: "".join(digits[:length]))


PAIRS = LENGTHS.flatmap(lambda length: st.tuples(numbers(length), numbers(length)))
CODE_PAIRS = LENGTHS.flatmap(lambda length: st.tuples(codes(length), codes(length)))


@given(PAIRS)
def test_right_means_the_same_digit_there_and_nothing_else(pair: tuple[str, str]) -> None:
    code, guess = pair
    for held, digit, mark in zip(code, guess, feedback.marks(code, guess), strict=True):
        assert (mark is Mark.RIGHT) == (held == digit)


@given(PAIRS)
def test_a_digit_is_credited_as_often_as_both_hold_it(pair: tuple[str, str]) -> None:
    code, guess = pair
    answer = feedback.marks(code, guess)
    credited = Counter(digit for digit, mark in zip(guess, answer, strict=True) if mark is not Mark.ABSENT)
    assert credited == Counter(code) & Counter(guess)


@given(PAIRS)
def test_copies_elsewhere_are_credited_from_the_left(pair: tuple[str, str]) -> None:
    code, guess = pair
    answer = feedback.marks(code, guess)
    for digit in set(guess):
        misses = [mark for d, mark in zip(guess, answer, strict=True) if d == digit and mark is not Mark.RIGHT]
        assert misses == sorted(misses, key=lambda mark: mark is Mark.ABSENT)


@given(PAIRS)
def test_totals_do_not_depend_on_who_guesses_whom(pair: tuple[str, str]) -> None:
    code, guess = pair
    assert feedback.totals(feedback.marks(code, guess)) == feedback.totals(feedback.marks(guess, code))


@given(PAIRS)
def test_all_right_is_the_code_itself(pair: tuple[str, str]) -> None:
    code, guess = pair
    assert feedback.totals(feedback.marks(code, code)) == (len(code), 0)
    assert (set(feedback.marks(code, guess)) == {Mark.RIGHT}) == (code == guess)


@given(CODE_PAIRS)
def test_hardcore_is_standard_without_places(pair: tuple[str, str]) -> None:
    code, guess = pair
    standard = feedback.marks(code, guess)
    hardcore = feedback.marks(code, guess, Difficulty.HARDCORE)
    assert hardcore == tuple(Mark.ABSENT if mark is Mark.ABSENT else Mark.PRESENT for mark in standard)


@given(CODE_PAIRS)
def test_hardcore_says_the_same_of_every_order_of_the_code(pair: tuple[str, str]) -> None:
    code, guess = pair
    other = "".join(sorted(code))
    assert feedback.marks(code, guess, Difficulty.HARDCORE) == feedback.marks(other, guess, Difficulty.HARDCORE)


def test_best_keeps_the_strongest_mark_of_a_digit() -> None:
    seen = [("12", (Mark.ABSENT, Mark.PRESENT)), ("1", (Mark.RIGHT,)), ("21", (Mark.ABSENT, Mark.ELSEWHERE))]
    assert feedback.best(seen) == {"1": Mark.RIGHT, "2": Mark.PRESENT}
    assert feedback.best([]) == {}


def test_a_guess_teaches_what_was_not_known_better() -> None:
    known = {"1": Mark.ELSEWHERE, "2": Mark.RIGHT}
    assert feedback.learn(known, "1231", (Mark.RIGHT, Mark.ELSEWHERE, Mark.ABSENT, Mark.ABSENT)) == {"1": Mark.RIGHT, "3": Mark.ABSENT}
    assert known == {"1": Mark.RIGHT, "2": Mark.RIGHT, "3": Mark.ABSENT}
