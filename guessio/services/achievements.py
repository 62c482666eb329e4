"""The 16 achievements of one account: checked, shown, acknowledged (SPEC 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

LOOKS = (6, 40, 300)
"""How many of the latest matches are looked at after each match: more only while a run that counts goes on through all of them.

The last is many times the longest streak. Whoever views the achievements has all of them checked.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """A saved match as one account's achievements see it, and the matches that the account has played with it."""

    account: AccountId
    facts: MatchFacts
    played: int


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


def check(conn: Connection, people: Sequence[Played], now_ms: int, match: TableId) -> dict[AccountId, tuple[str, ...]]:
    """Unlock what is due after a saved match, in its transaction; gives what was not unlocked before, where there is any."""
    unlocked = store.names(conn, [one.account for one in people])
    fresh = {one.account: store.unlock(conn, one.account, _due(conn, one, unlocked[one.account]), now_ms, match) for one in people}
    return {account: names for account, names in fresh.items() if names}


def titles(names: tuple[str, ...]) -> tuple[str, ...]:
    """What the achievements of these keys are called, for an announcement."""
    return tuple(rules.TITLES[Achievement(name)] for name in names)


def _due(conn: Connection, one: Played, unlocked: frozenset[str]) -> tuple[Achievement, ...]:
    """What is due and still locked. Older matches are read only where this one may complete a run that is still wanted."""
    totals = Totals(one.played)
    runs = rules.within_reach(one.facts, totals) - unlocked
    history = _latest(conn, one.account, runs) if runs else [one.facts]
    return rules.earned(history, totals, [key for key in Achievement if key not in unlocked])


def _latest(conn: Connection, account: AccountId, runs: Iterable[Achievement]) -> list[MatchFacts]:
    """The latest matches, as many as settle these runs."""
    history: list[MatchFacts] = []
    for most in LOOKS:
        history = _history(conn, account, most)
        if len(history) < most or not any(rules.goes_on(key, history) for key in runs):
            break
    return history


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
