"""A rematch: both must want it, and it is off when one of them goes elsewhere (R17.4).

Wanting one is an offer to the opponent alone, so all that holds for offers holds for it: it binds its maker, is replaced by another
offer or a search, and ends when its maker has been away.
"""

from __future__ import annotations

from typing import cast

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine import duel
from guessio.engine.duel.state import DuelState, Seat
from guessio.engine.machine import Rejected
from guessio.rules.terms import AccountId, EngagementKind, Refusal, TableId, TableKind
from guessio.services import bots, duel_offers, duel_results, duel_seating, engaged, presence, tables, withdrawal
from guessio.services.duel_offers import Refused
from guessio.services.duel_views import RematchState, RematchView
from guessio.store import database, duels, engagements, searches
from guessio.store import duel_offers as rows
from guessio.store.duel_offers import Offer


def want(actor: AccountId, table: TableId) -> Rejected | TableId | None:
    """Offer a rematch, or agree to the other's offer; gives the new duel when both agree, else the old one. None without a seat in it.

    Refusals: NO_REMATCH while the duel goes on and when the other went elsewhere, BUSY_ELSEWHERE, SUSPENDED, BANNED.
    """
    state = _seated(actor, table)
    if state is None:
        return None
    if not duel.is_over(state):
        return Rejected(Refusal.NO_REMATCH)
    duel_results.settle(table)
    engaged.current(actor)
    opponent = _opponent(state, actor)
    engaged.current(opponent.account)
    if opponent.is_bot:
        return _against_bot(actor, state, opponent)
    asked = _asked(actor, table)
    return _agree(actor, asked) if asked is not None else _ask(actor, state, opponent)


def look(state: DuelState, viewer: AccountId) -> RematchView:
    """How things stand with a rematch of this finished duel, for one of its two players."""
    opponent = _opponent(state, viewer)
    with database.read() as conn:
        offers = {offer.maker for offer in rows.rematches(conn, state.id)}
        is_gone = not opponent.is_bot and _is_elsewhere(conn, state.id, opponent.account)
    if viewer in offers:
        stands = RematchState.OFFERED
    elif opponent.account in offers:
        stands = RematchState.ASKED
    else:
        stands = RematchState.GONE if is_gone else RematchState.OPEN
    return RematchView(stands, opponent.name, f"/duel/{state.id}/rematch")


def opened(account: AccountId, table: TableId) -> None:
    """The account has opened the page of a duel: if it is over, a rematch is possible again."""
    if not is_over(table):
        return
    with database.write() as conn:
        came_back = duels.page_opened(conn, table, account, clock.now_ms())
    if came_back:
        bus.publish(withdrawal.TOPIC, bus.RematchChanged(table))


def left(account: AccountId, table: TableId, since_ms: int) -> None:
    """The account has not had the page of a finished duel open since a moment: no rematch any more."""
    if not is_over(table):
        return
    duel_results.settle(table)
    with database.write() as conn:
        searches.hold(conn)
        if not duels.page_left(conn, table, account, since_ms):
            return
        withdrawal.end(conn, list(rows.rematches(conn, table)))
    bus.publish(withdrawal.TOPIC, bus.RematchChanged(table))


def is_over(table: TableId) -> bool:
    """Whether this is a duel that is over."""
    loaded = tables.peek(table) or tables.load(table)
    return loaded is not None and loaded.kind is TableKind.DUEL and duel.is_over(loaded.state)


def _ask(actor: AccountId, state: DuelState, opponent: Seat) -> Rejected | TableId:
    now = clock.now_ms()
    present = presence.is_present(actor)
    offer = Offer(
        duel_seating.new_id(), actor, state.agreement, False, now, None if present else now, to=opponent.account, rematch_of=state.id
    )
    theirs: Offer | None = None
    freed = None
    try:
        with database.write() as conn:
            searches.hold(conn)
            offers = {one.maker: one for one in rows.rematches(conn, state.id)}
            theirs = offers.get(opponent.account)
            if theirs is None and actor not in offers:
                if _is_elsewhere(conn, state.id, opponent.account):
                    raise Refused(Refusal.NO_REMATCH)
                freed = duel_offers.put_up(conn, offer)
    except Refused as refused:
        return _agreed(actor, state) or refused.rejected
    if theirs is not None:
        return _agree(actor, theirs)  # Both asked at the same moment.
    if freed is not None:
        freed.tell()
        bus.publish(withdrawal.TOPIC, bus.RematchChanged(state.id))
    return state.id


def _agree(actor: AccountId, offer: Offer) -> Rejected | TableId:
    taken = duel_offers.take(actor, offer.id)
    return Rejected(Refusal.NO_REMATCH) if taken == Rejected(Refusal.OFFER_GONE) else taken


def _against_bot(actor: AccountId, state: DuelState, opponent: Seat) -> Rejected | TableId:
    """The computer always plays again; another bot sits down when that one has found other work."""
    table = TableId(duel_seating.new_id())
    try:
        with database.write() as conn:
            searches.hold(conn)
            freed = duel_offers.free(conn, actor)
            if not engagements.bind(conn, actor, EngagementKind.DUEL, table):
                raise Refused(Refusal.BUSY_ELSEWHERE)
            same = engagements.bind(conn, opponent.account, EngagementKind.DUEL, table)
            bot = opponent.account if same else bots.take(conn, EngagementKind.DUEL, table)
            one, other = (bot if seat.is_bot else actor for seat in state.seats)
            duel_seating.seat(conn, table, state.agreement, (one, other), duel.first_of_rematch(state))
    except Refused as refused:
        return duel_offers.begun_with_bot(actor, state.agreement) or refused.rejected
    freed.tell()
    duel_seating.begun(table, (actor,))
    return table


def _asked(actor: AccountId, table: TableId) -> Offer | None:
    with database.read() as conn:
        return next((offer for offer in rows.rematches(conn, table) if offer.to == actor), None)


def _agreed(actor: AccountId, state: DuelState) -> TableId | None:
    """The duel of the same two that this account is bound to already: the other has just agreed (R1.12)."""
    bound = engaged.current(actor)
    loaded = tables.load(TableId(bound.ref)) if bound is not None and bound.kind is EngagementKind.DUEL else None
    return TableId(loaded.state.id) if loaded is not None and duel.members(loaded.state) == duel.members(state) else None


def _is_elsewhere(conn: Connection, table: TableId, account: AccountId) -> bool:
    """Whether the account left the duel's page, or is bound to something."""
    lines = duels.players(conn, [table]).get(table, ())
    has_left = any(line.account == account and line.page_left_ms is not None for line in lines)
    return has_left or engagements.find(conn, account) is not None


def _seated(actor: AccountId, table: TableId) -> DuelState | None:
    loaded = tables.load(table)
    if loaded is None or loaded.kind is not TableKind.DUEL or actor not in duel.members(loaded.state):
        return None
    return cast(DuelState, loaded.state)


def _opponent(state: DuelState, actor: AccountId) -> Seat:
    one, other = state.seats
    return other if one.account == actor else one
