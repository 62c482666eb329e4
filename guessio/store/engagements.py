"""The one thing at a time that an account is bound to: one row per account, so that the database keeps R3.6 true.

`ref` is the table's id for a match or duel, the offer's for a duel offer, and for a search the group's text when a bot holds a
seat in it (empty for a person).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from guessio.rules.terms import AccountId, EngagementKind
from guessio.store.schema import engagements
from guessio.store.upsert import add

_RELEASE = delete(engagements).where(
    engagements.c.account_id.in_(bindparam("members", expanding=True)),
    engagements.c.kind == bindparam("kind"),
    engagements.c.ref == bindparam("ref"),
)


@dataclass(frozen=True, slots=True)
class Engagement:
    """What `account` is bound to."""

    account: AccountId
    kind: EngagementKind
    ref: str


def find(conn: Connection, account: AccountId) -> Engagement | None:
    """What the account is bound to at present, as far as the database knows."""
    row = conn.execute(select(engagements).where(engagements.c.account_id == account)).first()
    return None if row is None else _of_row(row)


def by_ref(conn: Connection, kind: EngagementKind, ref: str) -> tuple[AccountId, ...]:
    """The accounts bound to one thing."""
    rows = conn.execute(
        select(engagements.c.account_id).where(engagements.c.kind == kind, engagements.c.ref == ref).order_by(engagements.c.account_id)
    )
    return tuple(AccountId(row.account_id) for row in rows)


def among(conn: Connection, accounts: Iterable[AccountId], kind: EngagementKind) -> frozenset[AccountId]:
    """Those of the accounts that are bound to something of this kind."""
    rows = conn.execute(select(engagements.c.account_id).where(engagements.c.account_id.in_(tuple(accounts)), engagements.c.kind == kind))
    return frozenset(AccountId(row.account_id) for row in rows)


def bind(conn: Connection, account: AccountId, kind: EngagementKind, ref: str = "") -> bool:
    """Bind a free account; False when it is bound to something already."""
    return add(conn, engagements, account_id=account, kind=kind, ref=ref)


def move(conn: Connection, members: Iterable[AccountId], source: EngagementKind, target: EngagementKind, ref: str) -> int:
    """Rebind those of `members` that are bound to a `source`; gives how many were."""
    statement = (
        update(engagements).where(engagements.c.account_id.in_(tuple(members)), engagements.c.kind == source).values(kind=target, ref=ref)
    )
    return conn.execute(statement).rowcount


def release(conn: Connection, members: Iterable[AccountId], kind: EngagementKind, ref: str = "") -> int:
    """Free those of `members` that are bound to exactly this; anything newer stays. Gives how many were freed."""
    return conn.execute(_RELEASE, {"members": tuple(members), "kind": kind, "ref": ref}).rowcount


def _of_row(row: Row[*tuple[Any, ...]]) -> Engagement:
    return Engagement(AccountId(row.account_id), EngagementKind(row.kind), row.ref)
