"""The 16 achievements of one account (SPEC 10)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Badge:
    """One achievement. `month` ("Mar 2026") is empty while locked; `is_new` until acknowledged.

    `done` of `needed` is the progress towards a locked one; `needed` is 0 where there is nothing to count. `key` is a stable
    name for an icon or an id.
    """

    key: str
    title: str
    how: str
    unlocked: bool
    month: str
    is_new: bool
    done: int
    needed: int


@dataclass(frozen=True, slots=True)
class ProgressCard:
    """How many are unlocked, and which locked one is nearest ("Next up"); `next_badge` is None when nothing can be counted."""

    unlocked: int
    total: int
    next_badge: Badge | None


@dataclass(frozen=True, slots=True)
class AchievementsPage:
    """All 16 badges in the order of the specification, and the card above them."""

    card: ProgressCard
    badges: tuple[Badge, ...]
    has_new: bool
