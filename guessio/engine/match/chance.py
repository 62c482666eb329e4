"""Bots' chance, drawn from the deal's seed by hashing, so that a match replays exactly (R1.5, R3.4)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from guessio.rules import tunables


def picker(seed: str, purpose: str, number: int) -> Callable[[int], int]:
    """A `pick(n)` uniform in range(n) whose draws depend on the seed, the purpose and the turn or seat number alone."""
    drawn = 0

    def pick(n: int) -> int:
        nonlocal drawn
        drawn += 1
        digest = hashlib.sha256(f"{seed}:{purpose}:{number}:{drawn}".encode()).digest()
        return int.from_bytes(digest) % n  # 256 bits: the remainder's bias is far below anything measurable

    return pick


def guess_wait_ms(seed: str, turn: int) -> int:
    """How long a bot thinks before its guess in this turn: 2 to 15 seconds (R1.5)."""
    pick = picker(seed, "wait", turn)
    return tunables.BOT_WAIT_MIN_MS + pick(tunables.BOT_WAIT_MAX_MS - tunables.BOT_WAIT_MIN_MS + 1)


def pick_wait_ms(seed: str, seat: int) -> int:
    """How long a bot takes to pick its skill: up to half of what a person has (R6.1)."""
    pick = picker(seed, "pick", seat)
    return tunables.PICK_MS // 4 + pick(tunables.PICK_MS // 4 + 1)
