"""Bots' chance, drawn from the deal's seed by hashing, so that a match replays exactly (R1.5, R3.4)."""

from __future__ import annotations

from guessio.rules import tunables
from guessio.rules.draws import picker

__all__ = ["guess_wait_ms", "pick_wait_ms", "picker"]


def guess_wait_ms(seed: str, turn: int) -> int:
    """How long a bot thinks before its guess in this turn: 2 to 15 seconds (R1.5)."""
    pick = picker(seed, "wait", turn)
    return tunables.BOT_WAIT_MIN_MS + pick(tunables.BOT_WAIT_MAX_MS - tunables.BOT_WAIT_MIN_MS + 1)


def pick_wait_ms(seed: str, seat: int) -> int:
    """How long a bot takes to pick its skill: up to half of what a person has (R6.1)."""
    pick = picker(seed, "pick", seat)
    return tunables.PICK_MS // 4 + pick(tunables.PICK_MS // 4 + 1)
