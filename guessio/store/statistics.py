"""What an account's row counts: points, results and the ranked quits in a row (R8, R11.1, R7.7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select, update

from guessio.rules.terms import AccountId
from guessio.store.schema import accounts


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of one account, over all time."""

    points: int = 0
    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    rounds_won: int = 0
    turns_skipped: int = 0
    ranked_played: int = 0
    quits_in_row: int = 0


_COLUMNS = tuple(accounts.c[name] for name in Statistics.__dataclass_fields__)


def of(conn: Connection, account: AccountId) -> Statistics:
    """The counts of one account; zeros for an unknown one."""
    row = conn.execute(select(*_COLUMNS).where(accounts.c.id == account)).first()
    return Statistics() if row is None else Statistics(*row)


def hold(conn: Connection, ids: Iterable[AccountId]) -> dict[AccountId, Statistics]:
    """The counts of these accounts, kept from changing until the transaction ends; locked in one order, so that none waits in a ring."""
    wanted = tuple(set(ids))
    rows = conn.execute(
        select(accounts.c.id, *_COLUMNS).where(accounts.c.id.in_(wanted)).order_by(accounts.c.id).with_for_update(key_share=True)
    )
    return {AccountId(row[0]): Statistics(*row[1:]) for row in rows}


def save(conn: Connection, account: AccountId, counts: Statistics) -> None:
    """Set an account's counts; the caller holds them."""
    conn.execute(update(accounts).where(accounts.c.id == account).values(**asdict(counts)))


def joined_ms(conn: Connection, account: AccountId) -> int:
    """When the account was made."""
    return conn.execute(select(accounts.c.created_ms).where(accounts.c.id == account)).scalar_one()
