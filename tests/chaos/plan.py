"""What will be done to the site and when, drawn from a seed so that a plan can be repeated."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum


class Harm(StrEnum):
    """One kind of fault."""

    KILL = "worker killed"
    KILL_ONE = "one of several workers of a server killed"
    KILL_TWO = "two workers killed"
    KILL_ALL = "all workers killed"
    STOP = "worker told to stop"
    STALL = "worker stalled"
    RESTART = "Postgres restarted"
    AWAY = "Postgres away"
    KILL_IN_RESTART = "worker killed while Postgres is away"
    CUT_BUS = "bus cut"
    CUT_LEASES = "leases cut"
    CUT_STREAMS = "streams dropped"
    SLOW = "slow clients"


@dataclass(frozen=True, slots=True)
class Blow:
    """One fault: `after_s` after the one before, at server `where`, for `lasts_s` where it has a length."""

    after_s: float
    harm: Harm
    where: int
    lasts_s: float


LASTS_S: dict[Harm, tuple[float, float]] = {
    Harm.KILL: (0.0, 5.0),
    Harm.KILL_TWO: (0.0, 4.0),
    Harm.KILL_ALL: (0.0, 4.0),
    Harm.STOP: (0.0, 3.0),
    Harm.STALL: (1.0, 12.0),
    Harm.RESTART: (0.0, 0.5),
    Harm.AWAY: (4.0, 20.0),
    Harm.KILL_IN_RESTART: (1.0, 5.0),
}
SHORT = (Harm.KILL, Harm.KILL_ONE, Harm.CUT_STREAMS, Harm.RESTART, Harm.SLOW, Harm.STOP)
LONGEST = Blow(2.0, Harm.AWAY, 0, 20.0)


def long(seed: int, length_s: float, servers: int) -> tuple[Blow, ...]:
    """Every kind of fault at least once where the length allows, among them the longest absence of Postgres; then as chance will."""
    chance = random.Random(seed)
    kinds = list(Harm)
    chance.shuffle(kinds)
    plan: list[Blow] = []
    spent = 0.0
    while spent < length_s:
        harm = kinds.pop() if kinds else chance.choice(list(Harm))
        blow = _draw(chance, harm, servers)
        if harm is Harm.AWAY and not any(one.harm is Harm.AWAY for one in plan):
            blow = LONGEST
        plan.append(blow)
        spent += blow.after_s + blow.lasts_s
    return tuple(plan)


def short(seed: int, servers: int) -> tuple[Blow, ...]:
    """A few faults, each once, in quick succession."""
    chance = random.Random(seed)
    return tuple(_draw(chance, harm, servers, after_s=(0.5, 2.0), most_s=1.0) for harm in SHORT)


def _draw(chance: random.Random, harm: Harm, servers: int, *, after_s: tuple[float, float] = (2.0, 7.0), most_s: float = 60.0) -> Blow:
    least, most = LASTS_S.get(harm, (0.0, 0.0))
    after = round(chance.uniform(*after_s), 1)
    return Blow(after, harm, chance.randrange(servers), round(chance.uniform(least, min(most, most_s)), 1))
