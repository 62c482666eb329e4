"""Who waits for a match, in which group and order (R3.1), and the bots that a short group has been given (R3.2)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, delete, func, select, text, update

from guessio.rules.terms import AccountId, Difficulty, MatchType
from guessio.store.schema import search_fills, searches
from guessio.store.upsert import insert

LOCK = 7_331_001
"""The number of the transaction lock under which groups change on Postgres; held by all together who change one group each."""
GROUP_LOCK = 7_331_002
"""The first number of the locks of single groups."""


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """The three choices; players who made the same ones wait together (R3.1)."""

    type: MatchType
    difficulty: Difficulty
    players: int

    def __str__(self) -> str:
        return f"{self.type}:{self.difficulty}:{self.players}"


@dataclass(frozen=True, slots=True)
class Search:
    """One waiting player. `place` orders the line; `away_since_ms` is set while no live connection is open (R3.8)."""

    account: AccountId
    group: Group
    joined_ms: int
    place: int
    away_since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Fills:
    """The bots seated in a group so far and when the last seat was filled (0 = none yet)."""

    bots: tuple[AccountId, ...] = ()
    last_fill_ms: int = 0


def hold(conn: Connection) -> None:
    """Keep everybody else out of all groups until this transaction ends; SQLite's write lock does it anyway."""
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})


def hold_group(conn: Connection, group: Group) -> None:
    """Keep everybody else out of this group until the transaction ends, while other groups change. It may touch accounts that wait here,
    and free ones that it binds; for anything else `hold`, and never after this: two who did would wait for each other.
    """
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock_shared(:number)"), {"number": LOCK})
        conn.execute(text("SELECT pg_advisory_xact_lock(:first, hashtext(:group))"), {"first": GROUP_LOCK, "group": str(group)})


def find(conn: Connection, account: AccountId) -> Search | None:
    """The account's search, if it has one."""
    row = conn.execute(select(searches).where(searches.c.account_id == account)).first()
    return None if row is None else _of_row(row)


def among(conn: Connection, accounts: Iterable[AccountId]) -> dict[AccountId, Group]:
    """Those of the accounts that have a search, each with the group that it waits in."""
    rows = conn.execute(select(searches).where(searches.c.account_id.in_(tuple(accounts))))
    return {AccountId(row.account_id): _group(row) for row in rows}


def waiting(conn: Connection, group: Group) -> tuple[Search, ...]:
    """The group's line, first come first."""
    rows = conn.execute(select(searches).where(_in_group(searches, group)).order_by(searches.c.place, searches.c.account_id))
    return tuple(map(_of_row, rows))


def everybody(conn: Connection) -> dict[Group, tuple[Search, ...]]:
    """Every line that has somebody in it."""
    lines: dict[Group, tuple[Search, ...]] = {}
    for search in map(_of_row, conn.execute(select(searches).order_by(searches.c.place, searches.c.account_id))):
        lines[search.group] = (*lines.get(search.group, ()), search)
    return lines


def join(conn: Connection, account: AccountId, group: Group, now_ms: int) -> None:
    """Put the account at the end of the group's line, taking it out of any other."""
    last = conn.execute(select(func.max(searches.c.place))).scalar() or 0
    columns = {
        "type": group.type,
        "difficulty": group.difficulty,
        "players": group.players,
        "joined_ms": now_ms,
        "place": max(last + 1, now_ms),
        "away_since_ms": None,
    }
    statement = insert(conn, searches).values(account_id=account, **columns)
    conn.execute(statement.on_conflict_do_update(index_elements=[searches.c.account_id], set_=columns))


def leave(conn: Connection, members: Iterable[AccountId]) -> int:
    """Take the accounts out of their lines; gives how many were in one."""
    return conn.execute(delete(searches).where(searches.c.account_id.in_(tuple(members)))).rowcount


def mark_away(conn: Connection, account: AccountId, since_ms: int | None) -> None:
    """Note since when a waiting player has had no live connection, or None when there is one again."""
    conn.execute(update(searches).where(searches.c.account_id == account).values(away_since_ms=since_ms))


def fills(conn: Connection, group: Group) -> Fills:
    """The bots that the group has so far."""
    row = conn.execute(select(search_fills.c.bots, search_fills.c.last_fill_ms).where(_in_group(search_fills, group))).first()
    return Fills() if row is None else Fills(tuple(AccountId(bot) for bot in json.loads(row.bots)), row.last_fill_ms)


def all_fills(conn: Connection) -> dict[Group, Fills]:
    """Every group that has been given bots."""
    return {
        _group(row): Fills(tuple(AccountId(bot) for bot in json.loads(row.bots)), row.last_fill_ms)
        for row in conn.execute(select(search_fills))
    }


def save_fills(conn: Connection, group: Group, kept: Fills) -> None:
    """Keep the group's bots and the time of the last fill."""
    columns = {"bots": json.dumps(kept.bots), "last_fill_ms": kept.last_fill_ms}
    statement = insert(conn, search_fills).values(type=group.type, difficulty=group.difficulty, players=group.players, **columns)
    keys = [search_fills.c.type, search_fills.c.difficulty, search_fills.c.players]
    conn.execute(statement.on_conflict_do_update(index_elements=keys, set_=columns))


def clear_fills(conn: Connection, group: Group) -> None:
    """Forget the group's fills."""
    conn.execute(delete(search_fills).where(_in_group(search_fills, group)))


def _in_group(table: Table, group: Group) -> ColumnElement[bool]:
    columns = table.c
    return and_(columns.type == group.type, columns.difficulty == group.difficulty, columns.players == group.players)


def _group(row: Row[*tuple[Any, ...]]) -> Group:
    return Group(MatchType(row.type), Difficulty(row.difficulty), row.players)


def _of_row(row: Row[*tuple[Any, ...]]) -> Search:
    account, since = row.account_id, row.away_since_ms
    return Search(AccountId(account), _group(row), row.joined_ms, row.place, since)
