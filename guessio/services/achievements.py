"""The 16 achievements of one account: checked, shown, acknowledged (SPEC 10)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from guessio import clock
from guessio.rules import achievements as rules
from guessio.rules import week
from guessio.rules.achievements import Achievement, MatchFacts, Totals
from guessio.rules.terms import AccountId, TableId
from guessio.store import achievements as store
from guessio.store import codec, database, matches, statistics
from guessio.store.achievements import Unlocked

LOOK_BACK = 300
"""The matches looked at after each match: many times the longest streak. Whoever views the achievements has all of them checked."""


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


def page(account: AccountId) -> AchievementsPage:
    """The account's achievements, checked anew because they are looked at (SPEC 10)."""
    badges = badges_of(account)
    return AchievementsPage(card_of(badges), badges, any(badge.is_new for badge in badges))


def badges_of(account: AccountId, *, checked: bool = True) -> tuple[Badge, ...]:
    """All 16 badges of an account; `checked=False` leaves what is unlocked as it is, for a bot."""
    with database.read() as conn:
        totals, history = _totals(conn, account), _history(conn, account)
        unlocked = store.of(conn, account)
    due = set(rules.earned(history, totals)) - {Achievement(name) for name in unlocked} if checked else set[Achievement]()
    if due:
        with database.write() as conn:
            store.unlock(conn, account, sorted(due), clock.now_ms(), None)
            unlocked = store.of(conn, account)
    return tuple(_badge(key, unlocked.get(key), rules.progress(key, history, totals)) for key in Achievement)


def card_of(badges: tuple[Badge, ...]) -> ProgressCard:
    """The card that sums badges up; the nearest is the locked one with the largest part done."""
    counted = [badge for badge in badges if badge.needed and not badge.unlocked]
    nearest = max(counted, key=lambda badge: badge.done / badge.needed, default=None)
    return ProgressCard(sum(badge.unlocked for badge in badges), len(badges), nearest)


def acknowledge(account: AccountId) -> None:
    """Take the "new" marks off."""
    with database.write() as conn:
        store.acknowledge(conn, account)


def check(conn: Connection, account: AccountId, now_ms: int, match: TableId) -> tuple[str, ...]:
    """Unlock what is due after a saved match, in its transaction; gives what was not unlocked before."""
    due = rules.earned(_history(conn, account, LOOK_BACK), _totals(conn, account))
    return store.unlock(conn, account, due, now_ms, match)


def titles(names: tuple[str, ...]) -> tuple[str, ...]:
    """What the achievements of these keys are called, for an announcement."""
    return tuple(rules.TITLES[Achievement(name)] for name in names)


def _history(conn: Connection, account: AccountId, most: int | None = None) -> list[MatchFacts]:
    """The facts of the account's matches, newest first."""
    return [codec.decode(MatchFacts, text) for text in matches.feats(conn, account, most)]


def _totals(conn: Connection, account: AccountId) -> Totals:
    return Totals(statistics.of(conn, account).played)


def _badge(key: Achievement, unlocked: Unlocked | None, progress: rules.Progress) -> Badge:
    return Badge(
        key=key,
        title=rules.TITLES[key],
        how=rules.HOW[key],
        unlocked=unlocked is not None,
        month="" if unlocked is None else f"{week.day(unlocked.unlocked_ms):%b %Y}",
        is_new=unlocked is not None and not unlocked.seen,
        done=progress.done,
        needed=progress.needed if progress.needed > 1 else 0,
    )
