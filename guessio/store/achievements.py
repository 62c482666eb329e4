"""Unlocked achievements: permanent, each with its time, "new" until acknowledged (SPEC 10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

from guessio.rules.terms import AccountId, TableId
from guessio.store.schema import achievements
from guessio.store.upsert import add_each


@dataclass(frozen=True, slots=True)
class Unlocked:
    """One unlocked achievement of an account, by the name of `rules.achievements`."""

    name: str
    unlocked_ms: int
    seen: bool


_NAMES = select(achievements.c.account_id, achievements.c.name).where(achievements.c.account_id.in_(bindparam("accounts", expanding=True)))


def of(conn: Connection, account: AccountId) -> dict[str, Unlocked]:
    """What the account has unlocked, by name."""
    statement = select(achievements.c.name, achievements.c.unlocked_ms, achievements.c.seen)
    rows = conn.execute(statement.where(achievements.c.account_id == account))
    return {row.name: Unlocked(row.name, row.unlocked_ms, bool(row.seen)) for row in rows}


def names(conn: Connection, accounts: Iterable[AccountId]) -> dict[AccountId, frozenset[str]]:
    """The names of what each of these accounts has unlocked."""
    found: dict[AccountId, set[str]] = {account: set() for account in accounts}
    for account, name in conn.execute(_NAMES, {"accounts": tuple(found)}):
        found[account].add(name)
    return {account: frozenset(unlocked) for account, unlocked in found.items()}


def unlock(conn: Connection, account: AccountId, names: Iterable[str], now_ms: int, match: TableId | None) -> tuple[str, ...]:
    """Unlock these for the account; gives the ones that were not unlocked before."""
    wanted = tuple(names)
    if not wanted:
        return ()
    new = {"account_id": account, "unlocked_ms": now_ms, "seen": False, "match_id": match}
    added = add_each(conn, achievements, [{**new, "name": name} for name in wanted], achievements.c.name)
    return tuple(name for name in wanted if name in added)


def acknowledge(conn: Connection, account: AccountId) -> None:
    """Take the "new" mark off everything that the account has unlocked so far."""
    conn.execute(update(achievements).where(achievements.c.account_id == account).values(seen=True))


def of_match(conn: Connection, account: AccountId, match: TableId) -> tuple[str, ...]:
    """What this match unlocked for the account, by name."""
    statement = select(achievements.c.name).where(achievements.c.account_id == account, achievements.c.match_id == match)
    return tuple(conn.execute(statement.order_by(achievements.c.name)).scalars())
