"""What the suspension, ban or deletion of an account means for what it is bound to: it waits for no match and plays none (R12.4, R12.5)."""

from __future__ import annotations

from guessio.engine.match.commands import Forfeit
from guessio.rules.terms import AccountId, EngagementKind, TableId
from guessio.services import duel_exit, matchmaking, tables
from guessio.store import database, engagements


def stand_down(account: AccountId) -> None:
    """Take the account out of its search, offers, duel and live match, so that nobody waits for somebody who may not act.

    Call it after the commit of whatever has ended its play; twice changes nothing.
    """
    duel_exit.leave(account)
    matchmaking.leave(account)
    with database.read() as conn:
        bound = engagements.find(conn, account)
    if bound is not None and bound.kind is EngagementKind.MATCH:
        tables.dispatch(TableId(bound.ref), Forfeit(account))
