"""Chance from a seed: repeatable, in range, and even."""

from __future__ import annotations

from collections import Counter

from guessio.rules import draws


def test_the_same_seed_draws_the_same() -> None:
    first, second = draws.picker("ab", "guess", 3), draws.picker("ab", "guess", 3)
    assert [first(1000) for _ in range(20)] == [second(1000) for _ in range(20)]


def test_seed_purpose_and_number_tell_draws_apart() -> None:
    pickers = [
        draws.picker("ab", "guess", 3),
        draws.picker("ac", "guess", 3),
        draws.picker("ab", "wait", 3),
        draws.picker("ab", "guess", 4),
    ]
    assert len({pick(1 << 60) for pick in pickers}) == 4


def test_draws_are_even() -> None:
    pick = draws.picker("seed", "even", 0)
    counts = Counter(pick(8) for _ in range(8_000))
    assert sum((counts[face] - 1_000) ** 2 / 1_000 for face in range(8)) < 24.32
