"""A duellist's finished duels, newest first (R17.7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from sqlalchemy import Connection

from guessio import clock
from guessio.rules.terms import AccountId, DuelEnd, Outcome, TableId
from guessio.services import duel_terms, history, paging
from guessio.services.duel_terms import Terms
from guessio.services.paging import Page
from guessio.services.people import Person
from guessio.store import database, duels, people
from guessio.store.duels import Duel, Duellist


class DuelFilter(StrEnum):
    """What the list of duels can be narrowed to."""

    ALL = "all"
    WINS = "wins"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class DuelEntry:
    """One finished duel from the point of view of one duellist. `ago_ms` counts from the end; `ended_at` is ISO 8601."""

    duel: TableId
    url: str
    outcome: Outcome
    end: DuelEnd
    opponent: Person
    terms: Terms
    own_guesses: int
    their_guesses: int
    ago_ms: int
    ended_at: str


DuelHistoryPage: TypeAlias = Page[DuelEntry, DuelFilter]

_OUTCOMES = {DuelFilter.ALL: None, DuelFilter.WINS: Outcome.WIN, DuelFilter.LOSSES: Outcome.LOSS}


def page(account: AccountId, wanted: str, number: str) -> DuelHistoryPage:
    """One page of the account's duels; an unknown filter shows all of them, a page number that is none the first."""
    return paging.page(DuelFilter, wanted, number, partial(_listed, account))


def recent(account: AccountId, count: int) -> tuple[DuelEntry, ...]:
    """The account's last `count` duels, for the profile."""
    return _listed(account, DuelFilter.ALL, count, 0)


def entries_of(conn: Connection, account: AccountId, found: tuple[Duel, ...]) -> tuple[DuelEntry, ...]:
    """Saved duels as lines of this player's list."""
    lines = duels.players(conn, [duel.id for duel in found])
    known = people.load(conn, [line.account for players in lines.values() for line in players])
    now = clock.now_ms()
    return tuple(_entry(duel, account, lines[duel.id], known, now) for duel in found)


def _listed(account: AccountId, narrowed: DuelFilter, limit: int, offset: int) -> tuple[DuelEntry, ...]:
    with database.read() as conn:
        return entries_of(conn, account, duels.page(conn, account, _OUTCOMES[narrowed], limit, offset))


def _entry(duel: Duel, account: AccountId, players: tuple[Duellist, ...], known: dict[AccountId, Person], now_ms: int) -> DuelEntry:
    own, other = sorted(players, key=lambda player: player.account != account)
    return DuelEntry(
        duel=duel.id,
        url=f"/duels/history/{duel.id}",
        outcome=own.outcome,
        end=duel.end,
        opponent=known[other.account],
        terms=duel_terms.of(duel.agreement),
        own_guesses=own.guesses,
        their_guesses=other.guesses,
        ago_ms=max(0, now_ms - duel.ended_ms),
        ended_at=history.moment(duel.ended_ms).isoformat(timespec="seconds"),
    )
