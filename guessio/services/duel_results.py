"""Writing a finished duel down, once, and letting its players go; no points, rating or statistics hang on it (R17.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guessio import bus
from guessio.engine import duel
from guessio.engine.duel.state import DuelState
from guessio.rules.terms import DuelEnd, EngagementKind, Outcome, TableId, TableKind
from guessio.services import tables, withdrawal
from guessio.store import codec, database, duels, engagements
from guessio.store import tables as table_rows

_subscriptions: list[Callable[[], None]] = []


def start() -> None:
    """Settle each duel as it ends; the runner's sweep hands in again what was not settled. bootstrap calls it once."""
    while _subscriptions:
        _subscriptions.pop()()
    _subscriptions.append(tables.on_over(_on_over))


def settle(table: TableId) -> bool:
    """Write the duel of this table down; False when it is not over, no duel, or written down before."""
    loaded = tables.load(table)
    return loaded is not None and loaded.kind is TableKind.DUEL and _settle(loaded.state)


def _on_over(_table: TableId, kind: TableKind, state: Any) -> None:
    if kind is TableKind.DUEL:
        _settle(state)


def _settle(state: DuelState) -> bool:
    if not duel.is_over(state):
        return False
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
