"""What the suspension, ban or deletion of an account means for its duel: it has resigned, and its offer is gone (R17.6)."""

from __future__ import annotations

from guessio.engine.duel.commands import Resign
from guessio.rules.terms import AccountId, EngagementKind, TableId
from guessio.services import tables, withdrawal
from guessio.store import database, engagements, searches


def leave(account: AccountId) -> None:
    """Take the account out of its duel and its offers. Call it after the commit of whatever has ended its play; twice changes nothing."""
    with database.write() as conn:
        searches.hold(conn)
        withdrawn = withdrawal.within(conn, account)
        bound = engagements.find(conn, account)
    withdrawal.tell(withdrawn)
    if bound is not None and bound.kind is EngagementKind.DUEL:
        tables.dispatch(TableId(bound.ref), Resign(account))
