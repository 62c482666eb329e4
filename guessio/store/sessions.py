"""Signed-in sessions: at most one an account, kept as the hash of the cookie's token (R12.3).

Every end is written down in the transaction that makes it, so that a worker that the notice never reached can ask.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from guessio.rules.terms import AccountId
from guessio.store import upsert
from guessio.store.accounts import COLUMNS, Account, from_row
from guessio.store.schema import accounts, session_ends, sessions


@dataclass(frozen=True, slots=True)
class Session:
    """A session that the database knows, with the account it belongs to."""

    account: Account
    expires_ms: int


@dataclass(frozen=True, slots=True)
class End:
    """When a session ended, and why: the word that its open pages are told."""

    at_ms: int
    reason: str


def replace(conn: Connection, account_id: AccountId, token_hash: str, expires_ms: int, earlier: End) -> str | None:
    """Make this the account's only session from now on, which is when the `earlier` one ends; the hash of that one, or None."""
    # Two sign-ins at once take turns here; SQLite has its one write lock for that.
    conn.execute(select(accounts.c.id).where(accounts.c.id == account_id).with_for_update(key_share=True))
    ended = end_of_account(conn, account_id, earlier)
    row = {"token_hash": token_hash, "account_id": account_id, "created_ms": earlier.at_ms, "expires_ms": expires_ms}
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


def end(conn: Connection, token_hash: str, how: End) -> bool:
    """End one session; whether there was one."""
    if conn.execute(delete(sessions).where(sessions.c.token_hash == token_hash)).rowcount == 0:
        return False
    upsert.add(conn, session_ends, token_hash=token_hash, reason=how.reason, ended_ms=how.at_ms)
    return True


def end_of_account(conn: Connection, account_id: AccountId, how: End) -> str | None:
    """End the account's session, whichever it is; its token's hash, or None when there was none."""
    token_hash = conn.execute(select(sessions.c.token_hash).where(sessions.c.account_id == account_id)).scalar()
    if token_hash is not None:
        end(conn, token_hash, how)
    return token_hash


def ends_since(conn: Connection, since_ms: int) -> dict[str, str]:
    """Why each session ended that has ended since then, by the hash of its token."""
    query = select(session_ends.c.token_hash, session_ends.c.reason).where(session_ends.c.ended_ms >= since_ms)
    return {row.token_hash: row.reason for row in conn.execute(query)}


def forget_ends(conn: Connection, before_ms: int) -> int:
    """Drop what was written down of ends before that moment; how many."""
    return conn.execute(delete(session_ends).where(session_ends.c.ended_ms < before_ms)).rowcount


def drop_expired(conn: Connection, now_ms: int) -> int:
    """Remove the sessions that have run out; how many."""
    return conn.execute(delete(sessions).where(sessions.c.expires_ms <= now_ms)).rowcount
