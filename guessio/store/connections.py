"""Which worker holds streams of whom: an account is connected while any row names it (R5.1)."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, select

from guessio.rules.terms import AccountId
from guessio.store.schema import connections
from guessio.store.upsert import insert


def add(conn: Connection, worker: str, accounts: Iterable[AccountId], now_ms: int) -> None:
    """Note that the worker holds a stream of each account."""
    rows = [{"worker_id": worker, "account_id": account, "opened_ms": now_ms} for account in accounts]
    if rows:
        conn.execute(insert(conn, connections).on_conflict_do_nothing(), rows)


def remove(conn: Connection, worker: str, account: AccountId) -> None:
    """Note that the worker holds no stream of the account any more."""
    conn.execute(delete(connections).where(connections.c.worker_id == worker, connections.c.account_id == account))


def remove_all(conn: Connection, worker: str) -> tuple[AccountId, ...]:
    """Note that the worker holds no stream at all; the accounts that it held some of."""
    held = conn.execute(select(connections.c.account_id).where(connections.c.worker_id == worker)).scalars()
    accounts = tuple(AccountId(account) for account in held)
    conn.execute(delete(connections).where(connections.c.worker_id == worker))
    return accounts


def held_by(conn: Connection, worker: str) -> tuple[AccountId, ...]:
    """The accounts that the worker holds streams of."""
    query = select(connections.c.account_id).where(connections.c.worker_id == worker).order_by(connections.c.account_id)
    return tuple(AccountId(account) for account in conn.execute(query).scalars())


def present(conn: Connection, accounts: Iterable[AccountId], without: Iterable[str] = ()) -> frozenset[AccountId]:
    """Those of the accounts that have a stream somewhere; the workers named in `without` don't count."""
    query = select(connections.c.account_id).where(
        connections.c.account_id.in_(tuple(accounts)), connections.c.worker_id.not_in(tuple(without))
    )
    return frozenset(AccountId(account) for account in conn.execute(query).scalars())
