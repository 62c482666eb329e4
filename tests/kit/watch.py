"""Looking at a player from outside: what the stream told, and how long something took."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.kit import solver, table
from tests.kit.player import Player
from tests.kit.processes import until


def heard(person: Player, words: bytes) -> bool:
    """Whether these bytes came over the stream."""
    return any(words in shown.body for shown in person.shown if shown.what == "stream")


def has_row(person: Player, digits: str) -> bool:
    """Whether the guess stands on the board."""
    return any(row.digits == digits for row in person.board.rows)


def guess(people: tuple[Player, ...], *, within_s: float = 60.0) -> str:
    """Whoever is to move guesses something wrong, and everybody sees it; the digits."""
    mover = table.on_turn(people)
    digits = solver.wasted_guess(mover.board, mover.chance)
    assert mover.guess(digits).done
    for person in people:
        person.wait_for(lambda person=person: has_row(person, digits), "the guess", within_s=within_s)
    return digits


def seconds_until(holds: Callable[[], bool], what: str) -> float:
    """How long it took until `holds()`. Raises: TimeoutError."""
    began = time.monotonic()
    until(holds, what)
    return time.monotonic() - began
