"""Playing a duel: what a duellist sends and the page they see. Nobody else gets anything of it, not even that it exists."""

from __future__ import annotations

from typing import cast

from guessio import clock
from guessio.engine.duel import view
from guessio.engine.duel.commands import DuelCommand, Resign, SetSecret, SubmitGuess
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules.terms import AccountId, DuelPhase, Refusal, TableId, TableKind
from guessio.services import duel_lag, duel_rematch, tables
from guessio.services.duel_views import DuelPage, RematchState, RematchView
from guessio.services.shelf import Loaded
from guessio.services.tables import Outcome

__all__ = [
    "DuelPage", "Outcome", "Rejected", "RematchState", "RematchView", "guess", "look", "page", "resign", "seen", "set_secret",
]  # fmt: skip


def page(actor: AccountId, duel: TableId) -> DuelPage | None:
    """What the duel's page shows `actor`; None for an unknown duel and for one in which they have no seat."""
    loaded = tables.load(duel)
    if loaded is None or not _has_seat(actor, loaded):
        return None
    return look(cast(DuelState, loaded.state), actor, loaded.version, clock.now_ms())


def look(state: DuelState, viewer: AccountId, version: int, now_ms: int) -> DuelPage:
    """The duel as one of its players may see it at a moment."""
    shown = view.view_for(state, viewer, now_ms)
    is_over = shown.phase is DuelPhase.OVER
    return DuelPage(
        version=version,
        view=shown,
        was_away=any(lane.is_own and lane.away_ms is not None for lane in shown.lanes),
        rematch=duel_rematch.look(state, viewer) if is_over and shown.own_seat is not None else None,
        record_url=f"/duels/history/{state.id}" if is_over else "",
    )


def set_secret(actor: AccountId, duel: TableId, digits: str) -> Outcome:
    """Choose the number that the other must break, and be ready (R17.2, R17.5). Surrounding blanks do not count."""
    return _send(actor, duel, SetSecret(actor, digits.strip()))


def guess(actor: AccountId, duel: TableId, turn: int, digits: str, lag: str = "") -> Outcome:
    """Guess in turn number `turn`, once however often it is sent; `lag` is the sealed delay of that turn (R17.5, R1.12)."""
    known = _known(actor, duel)
    if known is None:
        return None
    lag_ms = duel_lag.read(cast(DuelState, known.state), actor, turn, lag)
    return tables.dispatch(duel, SubmitGuess(actor, turn, digits.strip(), lag_ms))


def resign(actor: AccountId, duel: TableId) -> Outcome:
    """Give the duel up (R17.6)."""
    return _send(actor, duel, Resign(actor))


def seen(actor: AccountId, duel: TableId, turn: int, sent: str) -> str | Rejected | None:
    """The page has got the turn that was sent with the stamp `sent`: the measured delay, sealed. Refusals: STALE_TURN."""
    loaded = tables.load(duel)
    if loaded is None or not _has_seat(actor, loaded):
        return None
    measured = duel_lag.measure(cast(DuelState, loaded.state), actor, turn, sent, clock.now_ms())
    return Rejected(Refusal.STALE_TURN) if measured is None else measured


def _send(actor: AccountId, duel: TableId, command: DuelCommand) -> Outcome:
    return tables.dispatch(duel, command) if _known(actor, duel) is not None else None


def _known(actor: AccountId, duel: TableId) -> Loaded | None:
    # Kind, members and seed of a table never change, so what this process last knew of it is enough to decide who may send.
    known = tables.peek(duel) or tables.load(duel)
    return known if known is not None and _has_seat(actor, known) else None


def _has_seat(actor: AccountId, loaded: Loaded) -> bool:
    return loaded.kind is TableKind.DUEL and actor in tables.machine(loaded.kind).members(loaded.state)
