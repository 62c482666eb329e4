"""What an account's row counts: points, results and the ranked quits in a row (R8, R11.1, R7.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

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
_OF = select(*_COLUMNS).where(accounts.c.id == bindparam("account"))
_HOLD = (
    select(accounts.c.id, *_COLUMNS)
    .where(accounts.c.id.in_(bindparam("accounts", expanding=True)))
    .order_by(accounts.c.id)
    .with_for_update(key_share=True)
)
_SAVE = update(accounts).where(accounts.c.id == bindparam("account")).values({column: bindparam(column.name) for column in _COLUMNS})


def of(conn: Connection, account: AccountId) -> Statistics:
    """The counts of one account; zeros for an unknown one."""
    row = conn.execute(_OF, {"account": account}).first()
    return Statistics() if row is None else Statistics(*row)


def hold(conn: Connection, ids: Iterable[AccountId]) -> dict[AccountId, Statistics]:
    """The counts of these accounts, kept from changing until the transaction ends; locked in one order, so that none waits in a ring."""
    rows = conn.execute(_HOLD, {"accounts": tuple(set(ids))})
    return {AccountId(row[0]): Statistics(*row[1:]) for row in rows}


def save(conn: Connection, counts: Mapping[AccountId, Statistics]) -> None:
    """Set the counts of these accounts, one at least; the caller holds them."""
    conn.execute(_SAVE, [_parameters(account, one) for account, one in counts.items()])


def joined_ms(conn: Connection, account: AccountId) -> int:
    """When the account was made."""
    return conn.execute(select(accounts.c.created_ms).where(accounts.c.id == account)).scalar_one()


def _parameters(account: AccountId, counts: Statistics) -> dict[str, int]:
    return {"account": account, **{name: getattr(counts, name) for name in Statistics.__dataclass_fields__}}
