"""What a sensible person would guess next, from nothing but what their own board shows."""

from __future__ import annotations

import random

from guessio.rules import candidates
from guessio.rules.terms import Difficulty, Mark
from tests.kit.board import Board


def next_guess(board: Board, chance: random.Random) -> str:
    """A code that fits every mark on this board."""
    marked = [row for row in board.rows if row.marks is not None]
    hardcore = any(mark == Mark.PRESENT for row in marked for mark in row.marks or ())
    knowledge = candidates.Knowledge(board.length, Difficulty.HARDCORE if hardcore else Difficulty.STANDARD)
    for row in marked:
        knowledge = knowledge.learn(row.digits, tuple(Mark(mark) for mark in row.marks or ()))
    tried = frozenset(row.digits for row in board.rows if not row.is_skip)
    try:
        return candidates.choose(knowledge, tried, chance.randrange)
    except ValueError:
        return wasted_guess(board, chance)


def wasted_guess(board: Board, chance: random.Random) -> str:
    """A well-formed guess that was not made before in this round, and is unlikely to be right."""
    tried = {row.digits for row in board.rows}
    while True:
        digits = "".join(chance.sample("0123456789", board.length))
        if digits not in tried:
            return digits
