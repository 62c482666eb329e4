"""What a bot's thinking costs, in this process."""

from __future__ import annotations

import random
import time

from benchmarks.figures import Figure
from guessio.rules import candidates, codes, feedback

GAMES = 200
WANTED_MS = 1.0


def six_digits() -> list[Figure]:
    """Processor time for choosing a six-digit guess, over whole games."""
    chance = random.Random(6)
    spent, moves = 0.0, 0
    for _ in range(GAMES):
        code, known, tried = codes.make(6, chance.randrange), candidates.Knowledge(6), set[str]()
        guess = ""
        while guess != code:
            began = time.process_time()
            guess = candidates.choose(known, frozenset(tried), chance.randrange)
            spent += time.process_time() - began
            moves += 1
            tried.add(guess)
            known = known.learn(guess, feedback.marks(code, guess))
    each_ms = 1000 * spent / moves
    return [Figure("CPU of a six-digit bot move", f"{each_ms:.2f} ms ({moves / GAMES:.2f} guesses a code)", "≤ 1 ms", each_ms <= WANTED_MS)]
