"""The arithmetic of a duellist's clock, to the millisecond (R17.5). Clocks only run down; there is no increment.

After a downtime `since_ms` can lie ahead: until then a running clock costs nothing (R1.13).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from guessio.rules import tunables


@dataclass(frozen=True, slots=True)
class Clock:
    """`left_ms` was left at `since_ms`, from when it runs; with `since_ms` None it stands."""

    left_ms: int
    since_ms: int | None = None


def left_at(clock: Clock, now_ms: int) -> int:
    """What is left at `now_ms`, at least 0."""
    return max(0, clock.left_ms - spent_at(clock, now_ms))


def spent_at(clock: Clock, now_ms: int) -> int:
    """What the clock has cost since it was started; 0 while it stands."""
    return 0 if clock.since_ms is None else min(clock.left_ms, max(0, now_ms - clock.since_ms))


def flag_at(clock: Clock) -> int | None:
    """The moment at which a running clock reaches zero; None while it stands."""
    return None if clock.since_ms is None else clock.since_ms + clock.left_ms


def started(clock: Clock, now_ms: int) -> Clock:
    """The clock running from `now_ms` on."""
    return Clock(left_at(clock, now_ms), now_ms)


def stopped(clock: Clock, now_ms: int, credit_ms: int = 0) -> Clock:
    """The clock standing from `now_ms` on, with what it gets back."""
    return Clock(left_at(clock, now_ms) + credit_ms)


def moved(clock: Clock, by_ms: int) -> Clock:
    """The clock with its start moved on, so that `by_ms` of downtime cost nothing (R1.13)."""
    return clock if clock.since_ms is None else replace(clock, since_ms=clock.since_ms + by_ms)


def allowance(lag_ms: int, spent_ms: int, quota_ms: int) -> int:
    """What a move gets back for measured lag: at most a bit per move, what the move cost, and what the quota holds."""
    return max(0, min(lag_ms, tunables.DUEL_LAG_MOVE_MS, spent_ms, quota_ms))
