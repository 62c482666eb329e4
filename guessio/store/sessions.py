"""Signed-in sessions: at most one an account, kept as the hash of the cookie's token (R12.3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from guessio.rules.terms import AccountId
from guessio.store.accounts import COLUMNS, Account, from_row
from guessio.store.schema import accounts, sessions


@dataclass(frozen=True, slots=True)
class Session:
    """A session that the database knows, with the account it belongs to."""

    account: Account
    expires_ms: int


def replace(conn: Connection, account_id: AccountId, token_hash: str, created_ms: int, expires_ms: int) -> str | None:
    """Make this the account's only session; the hash of the one that it ended, or None."""
    # Two sign-ins at once take turns here; SQLite has its one write lock for that.
    conn.execute(select(accounts.c.id).where(accounts.c.id == account_id).with_for_update(key_share=True))
    ended = end_of_account(conn, account_id)
    row = {"token_hash": token_hash, "account_id": account_id, "created_ms": created_ms, "expires_ms": expires_ms}
    conn.execute(insert(sessions).values(row))
    return ended


def find(conn: Connection, token_hash: str) -> Session | None:
    """The session of that token, ended ones excepted; whether it has expired is the caller's to judge."""
    query = select(*COLUMNS, sessions.c.expires_ms).join_from(sessions, accounts).where(sessions.c.token_hash == token_hash)
    row = conn.execute(query).first()
    return None if row is None else Session(from_row(row), row[-1])


def running(conn: Connection, token_hashes: Collection[str], now_ms: int) -> dict[str, Session]:
    """Those of the sessions that still run, by the hashes of their tokens."""
    query = (
        select(*COLUMNS, sessions.c.expires_ms, sessions.c.token_hash)
        .join_from(sessions, accounts)
        .where(sessions.c.token_hash.in_(tuple(token_hashes)), sessions.c.expires_ms > now_ms)
    )
    return {row[-1]: Session(from_row(row), row[-2]) for row in conn.execute(query)}


def exists_for(conn: Connection, account_id: AccountId, now_ms: int) -> bool:
    """Whether the account has a session that still runs."""
    query = select(sessions.c.token_hash).where(sessions.c.account_id == account_id, sessions.c.expires_ms > now_ms)
    return conn.execute(query).first() is not None


def end(conn: Connection, token_hash: str) -> bool:
    """End one session; whether there was one."""
    return conn.execute(delete(sessions).where(sessions.c.token_hash == token_hash)).rowcount > 0


def end_of_account(conn: Connection, account_id: AccountId) -> str | None:
    """End the account's session, whichever it is; its token's hash, or None when there was none."""
    token_hash = conn.execute(select(sessions.c.token_hash).where(sessions.c.account_id == account_id)).scalar()
    if token_hash is not None:
        end(conn, token_hash)
    return token_hash


def drop_expired(conn: Connection, now_ms: int) -> int:
    """Remove the sessions that have run out; how many."""
    return conn.execute(delete(sessions).where(sessions.c.expires_ms <= now_ms)).rowcount
