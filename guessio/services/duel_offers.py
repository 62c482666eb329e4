"""Offering a duel, taking one back, taking somebody's, and the computer as an opponent (R3.6, R17.1, R17.7)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine import duel
from guessio.engine.duel import Agreement
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelPhase, EngagementKind, Refusal, SeatNo, TableId, TableKind
from guessio.services import bots, duel_seating, engaged, matchmaking, presence, tables, withdrawal
from guessio.services.duel_terms import Terms
from guessio.services.withdrawal import TOPIC, Withdrawn
from guessio.store import codec, database, duel_offers, duels, engagements, searches
from guessio.store.duel_offers import Offer
from guessio.store.searches import Group


class Refused(Exception):
    """A refusal inside a transaction, which rolls everything back."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.rejected = Rejected(refusal)


@dataclass(frozen=True, slots=True)
class Freed:
    """What an account was taken out of, to be told of after the commit."""

    groups: set[Group]
    withdrawn: Withdrawn

    def tell(self) -> None:
        """Let searches and lobby know."""
        matchmaking.tell(self.groups)
        withdrawal.tell(self.withdrawn)


def start() -> None:
    """Follow the presence of those who wait with an offer (R17.1). bootstrap calls it once."""
    presence.on_waiting(EngagementKind.DUEL_OFFER, away, back)


def make(actor: AccountId, terms: Terms, *, is_public: bool) -> Rejected | str:
    """Put up an offer, replacing an earlier one and ending a search; gives its id. The same offer again changes nothing (R3.6).

    Refusals: SUSPENDED, BANNED, BUSY_ELSEWHERE.
    """
    engaged.current(actor)
    present = presence.is_present(actor)
    now = clock.now_ms()
    offer = Offer(duel_seating.new_id(), actor, terms.agreement, is_public, now, None if present else now)
    with database.read() as conn:
        earlier = duel_offers.of_maker(conn, actor)
    if earlier is not None and (earlier.agreement, earlier.public, earlier.rematch_of) == (offer.agreement, is_public, None):
        return earlier.id
    try:
        with database.write() as conn:
            freed = put_up(conn, offer)
    except Refused as refused:
        return refused.rejected
    freed.tell()
    bus.publish(TOPIC, bus.DuelsChanged())
    if not present and presence.is_present(actor):
        back(actor)  # The connection came while this was written down.
    return offer.id


def put_up(conn: Connection, offer: Offer) -> Freed:
    """Keep the offer and bind its maker to it. Raises: Refused."""
    searches.hold(conn)
    freed = free(conn, offer.maker)
    if not engagements.bind(conn, offer.maker, EngagementKind.DUEL_OFFER, offer.id):
        raise Refused(Refusal.BUSY_ELSEWHERE)
    duel_offers.add(conn, offer)
    return freed


def withdraw(actor: AccountId) -> None:
    """Take one's own offer back; without one nothing changes."""
    with database.write() as conn:
        searches.hold(conn)
        own = duel_offers.of_maker(conn, actor)
        withdrawn = withdrawal.end(conn, [] if own is None else [own])
    withdrawal.tell(withdrawn)


def take(actor: AccountId, offer_id: str) -> Rejected | TableId:
    """Take an offer: first come, and whoever comes second is told that it is gone. Taking it again leads to the same duel (R17.1).

    Refusals: OFFER_GONE, OWN_OFFER, BUSY_ELSEWHERE, SUSPENDED, BANNED.
    """
    engaged.current(actor)
    table = TableId(offer_id)
    try:
        with database.write() as conn:
            searches.hold(conn)
            offer = _open_offer(conn, actor, offer_id)
            _use_up(conn, offer)
            freed = free(conn, actor)
            _bind(conn, actor, table)
            players, first = _pairing(conn, offer, actor)
            duel_seating.seat(conn, table, offer.agreement, players, first)
    except Refused as refused:
        return table if plays(actor, table) else refused.rejected
    freed.tell()
    bus.publish(TOPIC, bus.DuelsChanged())
    duel_seating.begun(table, players)
    return table


def computer(actor: AccountId, terms: Terms | None) -> Rejected | TableId:
    """Play the computer, on these terms or those of one's own offer, which a bot then takes at once (R17.7).

    Refusals: OFFER_GONE without terms and without an offer, BUSY_ELSEWHERE, SUSPENDED, BANNED.
    """
    engaged.current(actor)
    with database.read() as conn:
        own = duel_offers.of_maker(conn, actor)
    agreement = terms.agreement if terms is not None else own.agreement if own is not None else None
    if agreement is None:
        return begun_with_bot(actor, None) or Rejected(Refusal.OFFER_GONE)
    table = TableId(duel_seating.new_id())
    try:
        with database.write() as conn:
            searches.hold(conn)
            freed = free(conn, actor)
            _bind(conn, actor, table)
            bot = bots.take(conn, EngagementKind.DUEL, table)
            duel_seating.seat(conn, table, agreement, (actor, bot))
    except Refused as refused:
        return begun_with_bot(actor, agreement) or refused.rejected
    freed.tell()
    duel_seating.begun(table, (actor,))
    return table


def free(conn: Connection, actor: AccountId) -> Freed:
    """Take the account out of search and offer, so that it can be bound to a duel; the caller holds the groups (R3.6).

    Raises: Refused when the account may not play at all.
    """
    refusal = matchmaking.barred(conn, actor, clock.now_ms())
    if refusal is not None:
        raise Refused(refusal)
    return Freed(matchmaking.release(conn, actor), withdrawal.within(conn, actor))


def plays(actor: AccountId, table: TableId) -> bool:
    """Whether the account has a seat in that duel."""
    loaded = tables.load(table)
    return loaded is not None and loaded.kind is TableKind.DUEL and actor in duel.members(loaded.state)


def begun_with_bot(actor: AccountId, agreement: Agreement | None) -> TableId | None:
    """The duel against the computer that a tap just before this one has begun, so that a second asks for nothing new (R1.12)."""
    bound = engaged.current(actor)
    loaded = tables.load(TableId(bound.ref)) if bound is not None and bound.kind is EngagementKind.DUEL else None
    if loaded is None or not isinstance(loaded.state, DuelState) or loaded.state.phase is not DuelPhase.CHOOSING:
        return None
    state = loaded.state
    is_it = any(seat.is_bot for seat in state.seats) and agreement in (None, state.agreement)
    return state.id if is_it else None


def away(account: AccountId, since_ms: int) -> None:
    """Note that the maker of an offer has no live connection since `since_ms`."""
    _mark_presence(account, since_ms)


def back(account: AccountId) -> None:
    """Note that the maker of an offer has a live connection again."""
    _mark_presence(account, None)


def run_due() -> int | None:
    """End the offers whose makers have been away too long; gives the moment of the next such end. Running it twice changes nothing."""
    now = clock.now_ms()
    due = _next_due()
    if due is None or due > now:
        return due
    with database.write() as conn:
        searches.hold(conn)
        withdrawn = withdrawal.end(conn, list(duel_offers.abandoned(conn, now - tunables.DUEL_OFFER_AWAY_MS)))
    withdrawal.tell(withdrawn)
    return _next_due()


def _next_due() -> int | None:
    with database.read() as conn:
        since = duel_offers.longest_away(conn)
    return None if since is None else since + tunables.DUEL_OFFER_AWAY_MS


def _mark_presence(account: AccountId, since_ms: int | None) -> None:
    with database.write() as conn:
        news = duel_offers.mark_away(conn, account, since_ms)
    if news:
        bus.publish(TOPIC, bus.DuelsChanged())


def _open_offer(conn: Connection, actor: AccountId, offer_id: str) -> Offer:
    """The offer if `actor` can take it. Raises: Refused."""
    offer = duel_offers.find(conn, offer_id)
    if offer is None or offer.to not in (None, actor) or matchmaking.barred(conn, offer.maker, clock.now_ms()):
        raise Refused(Refusal.OFFER_GONE)
    if offer.maker == actor:
        raise Refused(Refusal.OWN_OFFER)
    return offer


def _use_up(conn: Connection, offer: Offer) -> None:
    """Take the offer away and bind its maker to the duel that has its name. Raises: Refused when it is gone by now."""
    bound = engagements.move(conn, [offer.maker], EngagementKind.DUEL_OFFER, EngagementKind.DUEL, offer.id)
    if not duel_offers.remove(conn, offer.id) or bound != 1:
        raise Refused(Refusal.OFFER_GONE)


def _bind(conn: Connection, actor: AccountId, table: TableId) -> None:
    if not engagements.bind(conn, actor, EngagementKind.DUEL, table):
        raise Refused(Refusal.BUSY_ELSEWHERE)


def _pairing(conn: Connection, offer: Offer, taker: AccountId) -> tuple[tuple[AccountId, AccountId], SeatNo | None]:
    """Who sits where, and who moves first where that is not drawn: in a rematch the seats stay and the first move changes hands (R17.4)."""
    previous = None if offer.rematch_of is None else duels.find(conn, offer.rematch_of)
    if previous is None:
        return (offer.maker, taker), None
    state = codec.decode(DuelState, previous.record)
    one, other = state.seats
    return (one.account, other.account), duel.first_of_rematch(state)
