"""The pool of bot accounts (R3.3)."""

from __future__ import annotations

from sqlalchemy import Connection, exists, func, select

from guessio.rules.terms import AccountId
from guessio.store.schema import accounts, engagements
from guessio.store.upsert import insert


def count(conn: Connection) -> int:
    """How many bots there are."""
    return conn.execute(select(func.count()).where(accounts.c.is_bot.is_(True))).scalar_one()


def idle(conn: Connection) -> tuple[AccountId, ...]:
    """The bots that are bound to nothing."""
    bound = exists().where(engagements.c.account_id == accounts.c.id)
    rows = conn.execute(select(accounts.c.id).where(accounts.c.is_bot.is_(True), ~bound).order_by(accounts.c.id))
    return tuple(AccountId(row.id) for row in rows)


def make(conn: Connection, username: str, now_ms: int) -> AccountId | None:
    """Make a bot of this name; None when the name is taken."""
    statement = (
        insert(conn, accounts)
        .values(username=username, username_key=username.lower(), display_name=username, is_bot=True, created_ms=now_ms)
        .on_conflict_do_nothing()
        .returning(accounts.c.id)
    )
    made = conn.execute(statement).scalar()
    return None if made is None else AccountId(made)
