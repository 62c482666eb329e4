"""What an account is bound to right now (R3.6), letting go of a table that has let go of it."""

from __future__ import annotations

from guessio.rules.terms import AccountId, EngagementKind, TableId
from guessio.services import tables
from guessio.store import database, engagements
from guessio.store.engagements import Engagement

_AT_TABLE = (EngagementKind.MATCH, EngagementKind.DUEL)


def current(account: AccountId) -> Engagement | None:
    """What binds the account. A table that is over, or that the account forfeited, binds no more and is let go of here (R3.6)."""
    with database.read() as conn:
        found = engagements.find(conn, account)
    if found is None or found.kind not in _AT_TABLE or binds(account, TableId(found.ref)):
        return found
    with database.write() as conn:
        engagements.release(conn, [account], found.kind, found.ref)
    return None


def binds(account: AccountId, table: TableId) -> bool:
    """Whether the table still is the account's one thing at a time."""
    loaded = tables.load(table)
    return loaded is not None and account in tables.machine(loaded.kind).engaged(loaded.state)
