"""Accounts, searches and finished matches in the database of a test, in one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import update

from guessio import bus, clock
from guessio.engine.match.state import MatchState
from guessio.rules.terms import AccountId, Difficulty, MatchType, TableId, TableKind
from guessio.services import results, tables
from guessio.store import accounts, database, matches, ratings, schema, statistics
from guessio.store.accounts import NewAccount
from guessio.store.matches import Player
from guessio.store.ratings import Standing
from guessio.store.searches import Group
from guessio.store.statistics import Statistics
from tests.kit.actors import Play
from tests.kit.builders import NAMES, account

DUO = Group(MatchType.CASUAL, Difficulty.STANDARD, 2)
TRIO = Group(MatchType.CASUAL, Difficulty.HARDCORE, 3)
RANKED = Group(MatchType.RANKED, Difficulty.STANDARD, 2)


def an_account(username: str, **columns: Any) -> AccountId:
    """A person of this name; `columns` set columns of the account."""
    new = NewAccount(subject=f"test|{username}", email=None, username=username, display_name=username.title(), created_ms=clock.now_ms())
    with database.write() as conn:
        made = accounts.add(conn, new)
        assert made is not None, f"{username} is taken"
        if columns:
            conn.execute(update(schema.accounts).where(schema.accounts.c.id == made).values(**columns))
    return made


def seated(players: int = 2, *, bots: tuple[int, ...] = (), **columns: Any) -> tuple[AccountId, ...]:
    """The accounts that `kit.builders` puts into seats; `columns` set columns of all of them."""
    ids = tuple(account(seat) for seat in range(players))
    with database.write() as conn:
        for seat, one in enumerate(ids):
            row = {"id": one, "username": NAMES[seat], "username_key": NAMES[seat], "display_name": NAMES[seat].title()}
            row |= {"created_ms": seat, "is_bot": seat in bots} | columns
            conn.execute(schema.accounts.insert().values(row))
    return ids


def played(play: Play, name: str = "m1") -> TableId:
    """A table whose match is over and not settled yet, as `play` left it."""
    from dataclasses import replace

    while play.state.ended_ms is None or not tables.machine(TableKind.MATCH).is_over(play.state):
        play.to_deadline()
    state: MatchState = replace(play.state, id=TableId(name))
    tables.create(TableKind.MATCH, state)
    with database.write() as conn:
        conn.execute(update(schema.tables).where(schema.tables.c.id == name).values(over_ms=state.ended_ms))
    return state.id


def settled(play: Play, name: str = "m1") -> TableId:
    """A finished and settled match."""
    table = played(play, name)
    assert results.settle(table)
    return table


def counts(one: AccountId) -> Statistics:
    """The account's statistics."""
    with database.read() as conn:
        return statistics.of(conn, one)


def standing(one: AccountId, week: str) -> Standing:
    """The account's rating and ranked matches in a week."""
    with database.read() as conn:
        return ratings.of(conn, week, [one])[one]


def lines(table: TableId) -> dict[AccountId, Player]:
    """The saved players of a match."""
    with database.read() as conn:
        return {player.account: player for player in matches.players(conn, [table]).get(table, ())}


class Heard:
    """What was published on a topic since it was made."""

    def __init__(self, topic: str) -> None:
        self.messages: list[Any] = []
        self.end: Callable[[], None] = bus.subscribe(topic, lambda _topic, message: self.messages.append(message))
