"""Ratings, kept by week, so that a new week starts everybody at zero without touching a row (R9.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, or_, select

from guessio.rules.terms import AccountId, AccountState
from guessio.store import people
from guessio.store.people import Person
from guessio.store.schema import accounts, ratings
from guessio.store.upsert import replacing


@dataclass(frozen=True, slots=True)
class Standing:
    """An account's rating in one week and the ranked matches that it has played in it."""

    rating: int = 0
    ranked_played: int = 0


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One entry of a week's ranking, best first."""

    rank: int
    person: Person
    rating: int


_OF = select(ratings).where(ratings.c.week == bindparam("week"), ratings.c.account_id.in_(bindparam("accounts", expanding=True)))


def of(conn: Connection, week: str, ids: Iterable[AccountId]) -> dict[AccountId, Standing]:
    """The standings of these accounts in a week; whoever has none stands at zero."""
    wanted = tuple(set(ids))
    rows = conn.execute(_OF, {"week": week, "accounts": wanted})
    found = {AccountId(row.account_id): Standing(row.rating, row.ranked_played) for row in rows}
    return {account: found.get(account, Standing()) for account in wanted}


def save(conn: Connection, week: str, standings: Mapping[AccountId, Standing]) -> None:
    """Set the standings of these accounts, one at least, in a week."""
    rows = [
        {"week": week, "account_id": account, "rating": one.rating, "ranked_played": one.ranked_played}
        for account, one in standings.items()
    ]
    conn.execute(replacing(conn.dialect.name, ratings), rows)


def board(conn: Connection, week: str, unlocked_at: int, limit: int) -> tuple[BoardRow, ...]:
    """The first `limit` of a week among active accounts with `unlocked_at` ranked matches; ties to the older account (R9.6)."""
    rows = conn.execute(
        select(*people.COLUMNS, ratings.c.rating)
        .join(ratings, ratings.c.account_id == accounts.c.id)
        .where(_listed(week, unlocked_at))
        .order_by(ratings.c.rating.desc(), accounts.c.created_ms, accounts.c.id)
        .limit(limit)
    )
    return tuple(BoardRow(rank, people.of_row(row), row.rating) for rank, row in enumerate(rows, start=1))


def rank(conn: Connection, week: str, unlocked_at: int, account: AccountId) -> int | None:
    """The account's place in a week, or None while it has none (R9.6)."""
    joined = ratings.join(accounts, ratings.c.account_id == accounts.c.id)
    own = conn.execute(
        select(ratings.c.rating, accounts.c.created_ms, accounts.c.id)
        .select_from(joined)
        .where(_listed(week, unlocked_at), accounts.c.id == account)
    ).first()
    if own is None:
        return None
    older = or_(accounts.c.created_ms < own.created_ms, and_(accounts.c.created_ms == own.created_ms, accounts.c.id < own.id))
    ahead = or_(ratings.c.rating > own.rating, and_(ratings.c.rating == own.rating, older))
    return 1 + conn.execute(select(func.count()).select_from(joined).where(_listed(week, unlocked_at), ahead)).scalar_one()


def _listed(week: str, unlocked_at: int) -> ColumnElement[bool]:
    return and_(
        ratings.c.week == week,
        ratings.c.ranked_played >= unlocked_at,
        accounts.c.state == AccountState.ACTIVE,
        accounts.c.username_key != "guest",
    )
