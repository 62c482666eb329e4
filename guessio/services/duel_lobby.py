"""The duel lobby as its pages show it: offers to take, one's own, and the form for a new one (R17.1)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.services.duel_terms import Choices, Filter, Terms
from guessio.services.people import Person


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
