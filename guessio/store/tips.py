"""Tips that an account is shown once (R6.3)."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from guessio.rules.terms import AccountId
from guessio.store.schema import accounts


def seen(conn: Connection, account: AccountId) -> frozenset[str]:
    """The names of the tips that the account has been shown."""
    text = conn.execute(select(accounts.c.tips_seen).where(accounts.c.id == account)).scalar_one_or_none()
    return frozenset((text or "").split())


def mark(conn: Connection, account: AccountId, name: str) -> bool:
    """Note that a tip was shown; False when it had been before."""
    known = seen(conn, account)
    if name in known:
        return False
    conn.execute(update(accounts).where(accounts.c.id == account).values(tips_seen=" ".join(sorted({*known, name}))))
    return True
