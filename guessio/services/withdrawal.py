"""Taking duel offers back inside a transaction that binds an account to something else (R3.6, R17.4)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from guessio import bus
from guessio.rules.terms import AccountId, EngagementKind
from guessio.store import duel_offers, engagements
from guessio.store.duel_offers import Offer

TOPIC = "duels"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The offers that ended, to be told of after the commit."""

    offers: tuple[Offer, ...] = ()


def within(conn: Connection, account: AccountId) -> Withdrawn:
    """End the account's own offer, and every rematch that it was asked for: whoever goes elsewhere gives no answer any more."""
    own = duel_offers.of_maker(conn, account)
    asked = [offer for offer in duel_offers.rematches_of(conn, account) if offer.to == account]
    return end(conn, ([] if own is None else [own]) + asked)


def end(conn: Connection, offers: list[Offer]) -> Withdrawn:
    """End these offers and let their makers go."""
    return Withdrawn(tuple(offer for offer in offers if _end(conn, offer)))


def tell(withdrawn: Withdrawn) -> None:
    """Let the lobby, and the pages of duels whose rematch is off, know. Call it after the commit."""
    for duel in sorted({offer.rematch_of for offer in withdrawn.offers if offer.rematch_of is not None}):
        bus.publish(TOPIC, bus.RematchChanged(duel))
    if any(offer.rematch_of is None for offer in withdrawn.offers):
        bus.publish(TOPIC, bus.DuelsChanged())


def _end(conn: Connection, offer: Offer) -> bool:
    engagements.release(conn, [offer.maker], EngagementKind.DUEL_OFFER, offer.id)
    return duel_offers.remove(conn, offer.id)
