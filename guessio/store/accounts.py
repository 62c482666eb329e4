"""Accounts of people and bots: looked up by id, by the provider's subject or by username."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from guessio.rules.terms import AccountId, AccountState
from guessio.store import upsert
from guessio.store.schema import accounts


@dataclass(frozen=True, slots=True)
class Account:
    """One account. `avatar_url` is empty for initials; `suspended_until_ms` is None for a suspension without end."""

    id: AccountId
    username: str
    display_name: str
    avatar_url: str
    is_bot: bool
    state: AccountState
    state_reason: str
    suspended_until_ms: int | None
    points: int
    created_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """What a new account is made of. `subject` joins issuer and the provider's subject id; None for a bot."""

    subject: str | None
    email: str | None
    username: str
    display_name: str
    avatar_url: str = ""
    is_bot: bool = False
    created_ms: int


COLUMNS = (
    accounts.c.id,
    accounts.c.username,
    accounts.c.display_name,
    accounts.c.avatar_url,
    accounts.c.is_bot,
    accounts.c.state,
    accounts.c.state_reason,
    accounts.c.suspended_until_ms,
    accounts.c.points,
    accounts.c.created_ms,
)


def from_row(row: Any) -> Account:
    """The account in a row selected by `COLUMNS` (which may be followed by others)."""
    return Account(AccountId(row[0]), row[1], row[2], row[3], row[4], AccountState(row[5]), *row[6:10])


def find(conn: Connection, account_id: AccountId) -> Account | None:
    """The account of that id."""
    row = conn.execute(select(*COLUMNS).where(accounts.c.id == account_id)).first()
    return None if row is None else from_row(row)


def find_by_subject(conn: Connection, subject: str) -> Account | None:
    """The account that signs in as that subject of that issuer: the only thing an account is matched by."""
    row = conn.execute(select(*COLUMNS).where(accounts.c.subject == subject)).first()
    return None if row is None else from_row(row)


def find_by_username(conn: Connection, username: str) -> Account | None:
    """The account of that username, capitals ignored (R12.2)."""
    row = conn.execute(select(*COLUMNS).where(accounts.c.username_key == username.lower())).first()
    return None if row is None else from_row(row)


def find_many(conn: Connection, account_ids: Iterable[AccountId]) -> dict[AccountId, Account]:
    """Those of the accounts that exist, by id, in one query."""
    rows = conn.execute(select(*COLUMNS).where(accounts.c.id.in_(set(account_ids))))
    return {account.id: account for account in [from_row(row) for row in rows]}


def add(conn: Connection, new: NewAccount) -> AccountId | None:
    """Make the account; None when its username or its subject is taken, which the database decides (R12.2)."""
    values = {
        "subject": new.subject,
        "email": new.email,
        "username": new.username,
        "username_key": new.username.lower(),
        "display_name": new.display_name,
        "avatar_url": new.avatar_url,
        "is_bot": new.is_bot,
        "created_ms": new.created_ms,
    }
    query = upsert.insert(conn, accounts).values(values).on_conflict_do_nothing().returning(accounts.c.id)
    made = conn.execute(query).scalar()
    return None if made is None else AccountId(made)


def refresh_contact(conn: Connection, account_id: AccountId, email: str, avatar_url: str) -> None:
    """Keep what the provider said at this sign-in: the address may have changed, and pictures move."""
    conn.execute(update(accounts).where(accounts.c.id == account_id).values(email=email, avatar_url=avatar_url))
