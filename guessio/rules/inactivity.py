"""Turns that run out one after another (R7.6)."""

from __future__ import annotations

from enum import StrEnum

from guessio.rules import tunables


class Inactivity(StrEnum):
    """What one more timed-out turn leads to."""

    NOTHING = "nothing"
    WARN = "warn"
    CANCEL = "cancel"


def judge(timeouts: int, seated: int, warned: bool) -> Inactivity:
    """Judge a time-out that has just been counted (R7.6).

    `timeouts` counts the timed-out turns of this round since the last accepted guess; `seated` the players left now;
    `warned` whether the warning was given since that guess. A frozen or forfeited turn is no time-out.
    """
    if timeouts >= tunables.CANCEL_ROTATIONS * seated:
        return Inactivity.CANCEL
    if timeouts >= tunables.WARNING_ROTATIONS * seated and not warned:
        return Inactivity.WARN
    return Inactivity.NOTHING
