"""Chance that can be replayed: draws made from a seed by hashing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable


def picker(seed: str, purpose: str, number: int) -> Callable[[int], int]:
    """A `pick(n)` uniform in range(n), whose draws follow from the seed, the purpose and the number alone."""
    drawn = 0

    def pick(n: int) -> int:
        nonlocal drawn
        drawn += 1
        digest = hashlib.sha256(f"{seed}:{purpose}:{number}:{drawn}".encode()).digest()
        return int.from_bytes(digest) % n  # of 256 bits: the remainder's bias is far below anything measurable

    return pick
