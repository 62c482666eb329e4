"""R1.1, R1.3, R1.6, R17.2: codes and the text of a guess."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import codes
from guessio.rules.terms import Refusal


class Picks:
    """A `pick` that plays back a list, and insists on the ranges that it is asked for."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.ranges: list[int] = []

    def __call__(self, n: int) -> int:
        self.ranges.append(n)
        return self.answers[len(self.ranges) - 1]


def test_every_code_of_different_digits_comes_from_exactly_one_draw() -> None:
    """Fisher–Yates: as many draws as codes, and no two of them alike, so all codes are equally likely."""
    made = [codes.make(3, Picks(*draw)) for draw in product(range(10), range(9), range(8))]
    assert sorted(made) == sorted("".join(digits) for digits in permutations("0123456789", 3))


def test_make_asks_for_shrinking_ranges() -> None:
    picks = Picks(0, 0, 0, 0)
    assert codes.make(4, picks) == "0123"
    assert picks.ranges == [10, 9, 8, 7]


def test_with_repeats_each_digit_is_drawn_for_itself() -> None:
    """R17.2."""
    made = Counter(codes.make(2, Picks(*draw), distinct=False) for draw in product(range(10), repeat=2))
    assert set(made.values()) == {1}
    assert len(made) == 100


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        ("0123", None),
        (123, Refusal.NOT_TEXT),
        (None, Refusal.NOT_TEXT),
        ("", Refusal.EMPTY),
        ("112", Refusal.WRONG_LENGTH),
        ("12345", Refusal.WRONG_LENGTH),
        ("11a4", Refusal.NOT_DIGITS),
        ("１２３４", Refusal.NOT_DIGITS),
        (" 123", Refusal.NOT_DIGITS),
        ("1231", Refusal.REPEATED_DIGIT),
    ],
)
def test_validate_gives_the_first_reason(raw: object, refusal: Refusal | None) -> None:
    assert codes.validate(raw, 4) is refusal


def test_repeats_are_fine_where_they_are_allowed() -> None:
    assert codes.validate("1111", 4, distinct=False) is None


@given(st.text(alphabet="0123456789", min_size=4, max_size=4))
def test_a_refused_repeat_is_named(raw: str) -> None:
    if codes.validate(raw, 4) is Refusal.REPEATED_DIGIT:
        assert raw.count(codes.repeated(raw)) > 1
    else:
        assert codes.repeated(raw) == ""


def test_repeated_looks_at_digits_only() -> None:
    assert codes.repeated("aab22") == "2"


@pytest.mark.parametrize(
    ("refusal", "raw", "detail"),
    [
        (Refusal.REPEATED_DIGIT, "1231", "1"),
        (Refusal.WRONG_LENGTH, "12", "4"),
        (Refusal.NOT_DIGITS, "12a4", ""),
    ],
)
def test_detail_completes_the_wording(refusal: Refusal, raw: str, detail: str) -> None:
    assert codes.detail(refusal, raw, 4) == detail


def test_a_commitment_binds_code_and_nonce() -> None:
    """R1.3, by hand: SHA-256 of "code:nonce"."""
    nonce = "00112233445566778899aabbccddeeff"
    shown = codes.commitment("0417", nonce)
    assert shown == hashlib.sha256(b"0417:" + nonce.encode()).hexdigest()
    assert codes.verify("0417", nonce, shown)
    assert not codes.verify("0418", nonce, shown)
    assert not codes.verify("0417", nonce[::-1], shown)
