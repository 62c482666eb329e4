"""`python -m tests.chaos`: many players, several servers, one Postgres, and faults for five minutes; then the audit.

The same seed gives the same plan of faults: CHAOS_SEED=… make chaos. What the players do in between depends on the machine's pace.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time

from tests.chaos import campaign, plan
from tests.chaos.campaign import Campaign

SECONDS, PLAYERS, SERVERS = 300.0, 60, 3


def main() -> int:
    """Run one campaign; 1 when anything was wrong."""
    given = _arguments()
    blows = plan.long(given.seed, given.seconds, given.servers)
    _say(f"seed {given.seed}: {len(blows)} faults in at least {given.seconds:g} s. To repeat the plan: CHAOS_SEED={given.seed} make chaos")
    full = Campaign(given.seed, given.players, blows, servers=given.servers, speed=given.speed, is_timed=not given.untimed)
    outcome = campaign.run(full, _say)
    for what, count in outcome.totals.items():
        _say(f"{count:>8}  {what}")
    for wrong in outcome.wrongs:
        _say(f"WRONG: {wrong}")
    _say(f"seed {given.seed}: {'nothing was wrong' if not outcome.wrongs else f'{len(outcome.wrongs)} things were wrong'}")
    return 1 if outcome.wrongs else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    seed = os.environ.get("CHAOS_SEED", "").strip()
    parser.add_argument("--seed", type=int, default=int(seed) if seed else random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("CHAOS_SECONDS", SECONDS)), help="how long to do harm")
    parser.add_argument("--players", type=int, default=int(os.environ.get("CHAOS_PLAYERS", PLAYERS)))
    parser.add_argument("--servers", type=int, default=SERVERS)
    parser.add_argument("--speed", type=float, default=6.0, help="how much shorter every duration of the rules is")
    parser.add_argument("--untimed", action="store_true", help="for a machine that is busy with other things: no time is too long")
    return parser.parse_args()


def _say(text: str) -> None:
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
