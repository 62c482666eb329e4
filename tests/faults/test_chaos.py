"""A short campaign of what `make chaos` does for minutes: the books are right whatever happened."""

from __future__ import annotations

import os
import random

import pytest

from tests.chaos import campaign, plan
from tests.chaos.campaign import Campaign

pytestmark = [pytest.mark.live, pytest.mark.faults, pytest.mark.timeout(420)]

SERVERS, PLAYERS = 3, 12


def test_through_kills_and_restarts_nothing_acknowledged_is_lost_and_all_is_booked_once() -> None:
    seed = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1_000_000))
    said: list[str] = [f"CHAOS_SEED={seed}"]
    short = Campaign(seed=seed, players=PLAYERS, plan=plan.short(seed, SERVERS), servers=SERVERS, ends_by_wins=True)
    outcome = campaign.run(short, said.append)
    assert not outcome.wrongs, "\n".join([*said, *outcome.wrongs])
    assert outcome.totals["guesses acknowledged"] >= PLAYERS
    assert outcome.totals["boards compared with the record"] >= PLAYERS
