"""Marking a guess against a code, the same for every game (R1.7, R17.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from guessio.rules.terms import Difficulty, Mark

_STRENGTH = {None: -1, Mark.ABSENT: 0, Mark.PRESENT: 1, Mark.ELSEWHERE: 2, Mark.RIGHT: 3}

# The marks of a round's guesses are asked for again and again: for each viewer and each key, as long as the round runs.
_REMEMBERED = 65_536


@lru_cache(maxsize=_REMEMBERED)
def marks(code: str, guess: str, difficulty: Difficulty = Difficulty.STANDARD) -> tuple[Mark, ...]:
    """One mark for each digit of `guess`.

    Right places are settled first, then digits elsewhere from left to right; a digit is never credited more often than
    the code holds it (R17.3). Hardcore says only whether the digit is in the code, nothing about places (R1.7).
    """
    if difficulty is Difficulty.HARDCORE:
        return tuple(Mark.PRESENT if digit in code else Mark.ABSENT for digit in guess)
    unclaimed = [held for held, digit in zip(code, guess, strict=True) if held != digit]
    answer: list[Mark] = []
    for held, digit in zip(code, guess, strict=True):
        if held == digit:
            answer.append(Mark.RIGHT)
        elif digit in unclaimed:
            unclaimed.remove(digit)
            answer.append(Mark.ELSEWHERE)
        else:
            answer.append(Mark.ABSENT)
    return tuple(answer)


def totals(answer: Iterable[Mark]) -> tuple[int, int]:
    """The same answer as two numbers: exact places, misplaced digits (R17.3)."""
    counted = Counter(answer)
    return counted[Mark.RIGHT], counted[Mark.ELSEWHERE]


def best(seen: Iterable[tuple[str, Sequence[Mark]]]) -> dict[str, Mark]:
    """For each digit of these marked guesses its strongest mark: right > elsewhere > present > absent. Colours the keypad."""
    strongest: dict[str, Mark] = {}
    for digits, answer in seen:
        learn(strongest, digits, answer)
    return strongest


def learn(known: dict[str, Mark], digits: str, answer: Sequence[Mark]) -> dict[str, Mark]:
    """Put into `known` the marks of one guess that are stronger than what it holds; those digits with their new marks."""
    learnt: dict[str, Mark] = {}
    for digit, mark in zip(digits, answer, strict=True):
        if _STRENGTH[mark] > _STRENGTH[known.get(digit)]:
            known[digit] = learnt[digit] = mark
    return learnt
