"""A duellist's finished duels, newest first (R17.7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from guessio import clock
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelEnd, Outcome, TableId
from guessio.services import duel_terms, history
from guessio.services.duel_terms import Terms
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


@dataclass(frozen=True, slots=True)
class DuelHistoryPage:
    """One page of the list, newest first. `page` counts from 1; `newer` and `older` are page numbers or None at the ends."""

    entries: tuple[DuelEntry, ...]
    filter: DuelFilter
    filters: tuple[DuelFilter, ...]
    page: int
    newer: int | None
    older: int | None


_OUTCOMES = {DuelFilter.ALL: None, DuelFilter.WINS: Outcome.WIN, DuelFilter.LOSSES: Outcome.LOSS}


def page(account: AccountId, wanted: str, number: str) -> DuelHistoryPage:
    """One page of the account's duels; an unknown filter shows all of them, a page number that is none the first."""
    chosen = DuelFilter(wanted) if wanted in frozenset(DuelFilter) else DuelFilter.ALL
    current = int(number) if number.isascii() and number.isdigit() and 0 < len(number) < 7 else 1
    current = max(1, current)
    size = tunables.HISTORY_PAGE_SIZE
    with database.read() as conn:
        found = duels.page(conn, account, _OUTCOMES[chosen], size + 1, (current - 1) * size)
        entries = entries_of(conn, account, found[:size])
    return DuelHistoryPage(
        entries=entries,
        filter=chosen,
        filters=tuple(DuelFilter),
        page=current,
        newer=current - 1 if current > 1 else None,
        older=current + 1 if len(found) > size else None,
    )


def recent(account: AccountId, count: int) -> tuple[DuelEntry, ...]:
    """The account's last `count` duels, for the profile."""
    with database.read() as conn:
        return entries_of(conn, account, duels.page(conn, account, None, count))


def entries_of(conn: Connection, account: AccountId, found: tuple[Duel, ...]) -> tuple[DuelEntry, ...]:
    """Saved duels as lines of this player's list."""
    lines = duels.players(conn, [duel.id for duel in found])
    known = people.load(conn, [line.account for players in lines.values() for line in players])
    now = clock.now_ms()
    return tuple(_entry(duel, account, lines[duel.id], known, now) for duel in found)


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
