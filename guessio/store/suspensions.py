"""Suspensions: the record of each, and the state of the account that they set (R7.7, R12.4)."""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from guessio.rules.terms import AccountId, AccountState, TableId
from guessio.store.schema import accounts, suspensions, workers
from guessio.store.upsert import add


def automatic_since(conn: Connection, account: AccountId, since_ms: int) -> tuple[int, ...]:
    """When the automatic suspensions of the account began, those at or after `since_ms`."""
    statement = select(suspensions.c.started_ms).where(
        suspensions.c.account_id == account, suspensions.c.automatic.is_(True), suspensions.c.started_ms >= since_ms
    )
    return tuple(row.started_ms for row in conn.execute(statement))


def lift_ended(conn: Connection, now_ms: int) -> int:
    """Make the accounts active again whose suspension has run out; gives their number."""
    statement = (
        update(accounts)
        .where(accounts.c.state == AccountState.SUSPENDED, accounts.c.suspended_until_ms <= now_ms)
        .values(state=AccountState.ACTIVE, state_reason="", suspended_until_ms=None)
    )
    return conn.execute(statement).rowcount


def server_started_ms(conn: Connection) -> int | None:
    """When the youngest worker started, None when none has signed on."""
    return conn.execute(select(func.max(workers.c.started_ms))).scalar()


def suspend(conn: Connection, account: AccountId, reason: str, now_ms: int, until_ms: int, cause: TableId) -> bool:
    """Suspend an active account automatically, once per `cause`; False when it was booked before or the account is not active."""
    state = conn.execute(select(accounts.c.state).where(accounts.c.id == account)).scalar()
    if state != AccountState.ACTIVE:
        return False
    booked = add(
        conn,
        suspensions,
        account_id=account,
        reason=reason,
        automatic=True,
        started_ms=now_ms,
        until_ms=until_ms,
        cause=f"{cause}:{account}",
    )
    if not booked:
        return False
    conn.execute(
        update(accounts)
        .where(accounts.c.id == account, accounts.c.state == AccountState.ACTIVE)
        .values(state=AccountState.SUSPENDED, state_reason=reason, suspended_until_ms=until_ms)
    )
    return True
