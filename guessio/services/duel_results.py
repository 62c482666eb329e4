"""Writing a finished duel down, once, and letting its players go; no points, rating or statistics hang on it (R17.7)."""

from __future__ import annotations

from guessio import bus
from guessio.engine import duel
from guessio.engine.duel.state import DuelState
from guessio.rules.terms import DuelEnd, EngagementKind, Outcome, TableId, TableKind
from guessio.services import settling, withdrawal
from guessio.store import codec, database, duels, engagements
from guessio.store import tables as table_rows


def start() -> None:
    """Settle each duel as it ends. bootstrap calls it once."""
    settling.begin(TableKind.DUEL, _settle)


def settle(table: TableId) -> bool:
    """Write the duel of this table down; False when it is not over, no duel, or written down before."""
    return settling.settle(table, TableKind.DUEL, _settle)


def _settle(state: DuelState) -> bool:
    result = duel.results(state)
    row = duels.Duel(
        id=result.id,
        agreement=result.agreement,
        end=result.end,
        winner=result.winner,
        started_ms=result.started_ms,
        ended_ms=result.ended_ms,
        record=codec.encode(state),
    )
    lines = [duels.Duellist(result.id, one.account, one.seat, one.outcome, one.guesses) for one in result.players]
    with database.write() as conn:
        if not table_rows.settle(conn, state.id):
            return False
        engagements.release(conn, duel.members(state), EngagementKind.DUEL, state.id)
        duels.save(conn, row, lines)
        for one in result.players if result.end is DuelEnd.DISCONNECT else ():
            if one.outcome is Outcome.LOSS:
                # Whoever stayed away gives no answer to a rematch, unless the page is opened again.
                duels.page_left(conn, state.id, one.account, result.ended_ms)
    bus.publish(withdrawal.TOPIC, bus.RematchChanged(state.id))
    return True
