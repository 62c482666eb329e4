"""Thousands of matches in which everybody does anything: each ends, and every step keeps the rules.

GUESSIO_SOAK sets how many matches are played.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from guessio.engine.match import events
from guessio.rules.terms import MatchEnd, Refusal, RoundEnd, Skill
from tests.engine.match.wanderer import Wanderer

MATCHES = int(os.environ.get("GUESSIO_SOAK", "2000"))
PARTS = 8
VARIED_FROM = 800
"""How many matches are enough to have met everything that can happen."""


@pytest.mark.parametrize("part", range(PARTS))
def test_random_matches_end_and_keep_the_rules(part: int) -> None:
    """R1.2, R1.5, R1.8, R1.12, R1.13, R7.4: see `Wanderer` for what is checked at each step."""
    met: Counter[object] = Counter()
    for seed in range(part, MATCHES, PARTS):
        wanderer = Wanderer(seed)
        try:
            met += wanderer.play()
            if seed % (PARTS * 4) == part:
                assert wanderer.replayed() == wanderer.state, "a match replays exactly"
        except AssertionError as failure:
            raise AssertionError(f"match {seed}: {failure}") from failure
    if MATCHES >= VARIED_FROM:
        for kind in (*MatchEnd, *RoundEnd, *Skill, *events.MatchEvent.__args__, Refusal.STALE_TURN, Refusal.TOO_LATE, "restart"):
            assert met[kind], f"the random matches never met {kind}"
