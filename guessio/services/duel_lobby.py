"""The duel lobby as its pages show it: offers to take, one's own, and the form for a new one (R17.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from guessio import clock
from guessio.rules.terms import AccountId, EngagementKind, TableId
from guessio.services import duel_offers as offering
from guessio.services import duel_terms, engaged
from guessio.services.duel_terms import Choices, Filter, Terms
from guessio.services.people import Person
from guessio.store import database, duel_offers, engagements, people
from guessio.store.duel_offers import Offer


@dataclass(frozen=True, slots=True)
class OfferRow:
    """Somebody's public offer. `take_url` is where a POST takes it."""

    id: str
    maker: Person
    terms: Terms
    waited_ms: int
    take_url: str


@dataclass(frozen=True, slots=True)
class OwnOffer:
    """One's own offer. `path` is the link for a friend; not `is_public` when only the link leads to it."""

    id: str
    terms: Terms
    is_public: bool
    waited_ms: int
    path: str


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """The lobby for one account: `rows` fit the filter, the newest first; `total` counts all public offers of others.

    `chosen` is what the form has selected beforehand. `query` is the filter as a query string (`clock=5&length=4`), which the page's
    stream is opened with as well: `/live?page=duels&` + `query`.
    """

    rows: tuple[OfferRow, ...]
    total: int
    own: OwnOffer | None
    filter: Filter
    choices: Choices
    chosen: Terms
    query: str


@dataclass(frozen=True, slots=True)
class OfferPage:
    """An offer behind its link. `is_own` for its maker, who can withdraw it; `is_gone` when it was taken, withdrawn or never was."""

    id: str
    maker: Person | None
    terms: Terms | None
    is_own: bool
    is_gone: bool
    waited_ms: int
    take_url: str


def page(actor: AccountId, fields: Mapping[str, str]) -> LobbyPage:
    """The lobby for one account, narrowed to what the fields `clock`, `length`, `repeats` and `format` name."""
    now = clock.now_ms()
    with database.read() as conn:
        offers = duel_offers.public(conn)
        own = duel_offers.of_maker(conn, actor)
        known = people.load(conn, [offer.maker for offer in offers])
    wanted = duel_terms.narrowing(fields)
    rows = tuple(_row(offer, known[offer.maker], now) for offer in offers if offer.maker != actor)
    mine = _own(own, now) if own is not None and own.rematch_of is None else None
    return LobbyPage(
        rows=tuple(row for row in rows if wanted.fits(row.terms)),
        total=len(rows),
        own=mine,
        filter=wanted,
        choices=duel_terms.choices(),
        chosen=mine.terms if mine is not None else _chosen(wanted),
        query=urlencode(_fields(wanted)),
    )


def running(actor: AccountId) -> TableId | None:
    """The duel that the account is playing, to which the lobby leads while it lasts."""
    bound = engaged.current(actor)
    return TableId(bound.ref) if bound is not None and bound.kind is EngagementKind.DUEL else None


def playing(accounts: Iterable[AccountId]) -> frozenset[AccountId]:
    """Those of the accounts that are bound to a duel."""
    wanted = tuple(accounts)
    if not wanted:
        return frozenset()
    with database.read() as conn:
        return engagements.among(conn, wanted, EngagementKind.DUEL)


def offer(actor: AccountId, offer_id: str) -> OfferPage | TableId:
    """The offer behind a link, or the duel that it has led to for those who play it."""
    now = clock.now_ms()
    with database.read() as conn:
        found = duel_offers.find(conn, offer_id)
        known = {} if found is None else people.load(conn, [found.maker])
    if found is None or (found.to is not None and actor not in (found.to, found.maker)):
        gone = OfferPage(offer_id, None, None, is_own=False, is_gone=True, waited_ms=0, take_url="")
        return TableId(offer_id) if offering.plays(actor, TableId(offer_id)) else gone
    row = _row(found, known[found.maker], now)
    return OfferPage(row.id, row.maker, row.terms, found.maker == actor, is_gone=False, waited_ms=row.waited_ms, take_url=row.take_url)


def _row(offer: Offer, maker: Person, now_ms: int) -> OfferRow:
    waited_ms = max(0, now_ms - offer.made_ms)
    return OfferRow(offer.id, maker, duel_terms.of(offer.agreement), waited_ms, f"/duels/offer/{offer.id}/take")


def _own(offer: Offer, now_ms: int) -> OwnOffer:
    waited_ms = max(0, now_ms - offer.made_ms)
    return OwnOffer(offer.id, duel_terms.of(offer.agreement), offer.public, waited_ms, f"/duels/offer/{offer.id}")


def _chosen(wanted: Filter) -> Terms:
    """What the form begins with: what is being looked for, the usual elsewhere."""
    chosen = duel_terms.USUAL
    return replace(
        chosen,
        minutes=wanted.minutes or chosen.minutes,
        length=wanted.length or chosen.length,
        secret_rule=wanted.secret_rule or chosen.secret_rule,
        format=wanted.format or chosen.format,
    )


def _fields(wanted: Filter) -> dict[str, str]:
    named = {"clock": wanted.minutes, "length": wanted.length, "repeats": wanted.secret_rule, "format": wanted.format}
    return {name: str(value) for name, value in named.items() if value is not None}
