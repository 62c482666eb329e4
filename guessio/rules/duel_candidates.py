"""Which numbers a duel's secret can still be, and drawing one of them fairly (R17.7).

A duel allows repeats and answers by totals, so what an answer says is no longer a matter of single places. There are only
10,000 or 100,000 numbers, though: a set of them is one integer with a bit for each number, and an answer is taken in by a handful of
operations on such integers, whatever the length, the secrets and the format. Every remaining number is equally likely to be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from guessio.rules.codes import DIGITS
from guessio.rules.terms import Mark, SecretRule


@dataclass(frozen=True, slots=True)
class Suspects:
    """The numbers of `length` digits that are still possible; bit n of `bits` stands for the number n."""

    length: int
    bits: int

    def count(self) -> int:
        """How many numbers are left."""
        return self.bits.bit_count()

    def learn(self, guess: str, marks: tuple[Mark, ...]) -> Suspects:
        """Keep the numbers that give `guess` these marks, one a place."""
        field = _field(self.length)
        bits = self.bits
        for place, (digit, mark) in enumerate(zip(guess, marks, strict=True)):
            there = field.at[place][digit]
            bits &= there if mark is Mark.RIGHT else ~there
        credited = Counter(digit for digit, mark in zip(guess, marks, strict=True) if mark is not Mark.ABSENT)
        for digit, guessed in Counter(guess).items():
            copies = credited[digit]
            bits &= field.holding[digit][copies]
            if copies < guessed:
                bits &= ~field.holding[digit][copies + 1]
        return replace(self, bits=bits)

    def learn_totals(self, guess: str, exact: int, misplaced: int) -> Suspects:
        """Keep the numbers that give `guess` so many exact places and so many misplaced digits."""
        field = _field(self.length)
        exact_places = (field.at[place][digit] for place, digit in enumerate(guess))
        credited = (
            field.holding[digit][copies]
            for digit, guessed in Counter(guess).items()
            for copies in range(1, guessed + 1)
        )  # fmt: skip
        bits = self.bits & _exactly(exact, exact_places, field.everything)
        return replace(self, bits=bits & _exactly(exact + misplaced, credited, field.everything))

    def choose(self, pick: Callable[[int], int]) -> str:
        """One of the remaining numbers, all equally likely if `pick(n)` is uniform in range(n). `pick` is called once.

        Raises:
            ValueError: none is left, which true answers cannot lead to.
        """
        left = self.count()
        if not left:
            raise ValueError("no number fits these answers")
        return str(_nth(self.bits, pick(left), 10**self.length)).zfill(self.length)


def everything(length: int, rule: SecretRule) -> Suspects:
    """All the numbers that a secret can be before the first guess (R17.2)."""
    field = _field(length)
    bits = field.everything
    if rule is SecretRule.ALL_DIFFERENT:
        for digit in DIGITS:
            bits &= ~field.holding[digit][2]
    return Suspects(length, bits)


@dataclass(frozen=True, slots=True)
class _Field:
    """The sets that answers are made of.

    `at[place][digit]`: the numbers with that digit there. `holding[digit][n]`: those that hold the digit at least n times.
    """

    everything: int
    at: tuple[dict[str, int], ...]
    holding: dict[str, tuple[int, ...]]


@cache
def _field(length: int) -> _Field:
    numbers = 10**length
    everything_ = (1 << numbers) - 1
    at = tuple(_digits_at(10 ** (length - 1 - place), everything_) for place in range(length))
    return _Field(everything_, at, {digit: _holding(digit, at, everything_) for digit in DIGITS})


def _digits_at(value: int, everything_: int) -> dict[str, int]:
    """The numbers by their digit at the place that counts `value`: runs of that many, coming again with period ten times that."""
    starts = everything_ // ((1 << 10 * value) - 1)
    run = (1 << value) - 1
    return {digit: starts * (run << int(digit) * value) for digit in DIGITS}


def _holding(digit: str, at: tuple[dict[str, int], ...], everything_: int) -> tuple[int, ...]:
    holding = [everything_] + [0] * (len(at) + 1)
    for place in at:
        for copies in range(len(at), 0, -1):
            holding[copies] |= holding[copies - 1] & place[digit]
    return tuple(holding)


def _exactly(wanted: int, sets: Iterable[int], everything_: int) -> int:
    """The numbers that are in exactly `wanted` of `sets`, counted for all numbers at once in binary, a plane a bit."""
    planes = [0, 0, 0]
    for carry in sets:
        for order, plane in enumerate(planes):
            planes[order] = plane ^ carry
            carry &= plane
    bits = everything_
    for order, plane in enumerate(planes):
        bits &= plane if wanted >> order & 1 else ~plane
    return bits


def _nth(bits: int, index: int, width: int) -> int:
    """The place of the set bit number `index` (from 0), found by halving."""
    place = 0
    while width > 1:
        half = width // 2
        low = bits & ((1 << half) - 1)
        below = low.bit_count()
        if index < below:
            bits, width = low, half
        else:
            bits, index, place, width = bits >> half, index - below, place + half, width - half
    return place
