"""Accounts as other players see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from guessio.rules.terms import AccountId
from guessio.store.schema import accounts


@dataclass(frozen=True, slots=True)
class Person:
    """One account beside which a small "bot" label stands when `is_bot` (R3.3). `avatar_url` is empty for initials."""

    account: AccountId
    username: str
    name: str
    avatar_url: str
    is_bot: bool


COLUMNS = (accounts.c.id, accounts.c.username, accounts.c.display_name, accounts.c.avatar_url, accounts.c.is_bot)


def load(conn: Connection, ids: Iterable[AccountId]) -> dict[AccountId, Person]:
    """The people of these account ids; an unknown id is left out."""
    wanted = set(ids)
    if not wanted:
        return {}
    rows = conn.execute(select(*COLUMNS).where(accounts.c.id.in_(wanted)))
    return {person.account: person for person in map(of_row, rows)}


def of_row(row: Row[*tuple[Any, ...]]) -> Person:
    """The person in a row that holds `COLUMNS`."""
    return Person(AccountId(row.id), row.username, row.display_name, row.avatar_url, bool(row.is_bot))
