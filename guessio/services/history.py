"""A player's saved matches, newest first (R11.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from sqlalchemy import Connection

from guessio import clock
from guessio.rules.terms import AccountId, Difficulty, MatchType, Outcome, TableId
from guessio.services import paging
from guessio.services.paging import Page
from guessio.services.people import Person
from guessio.store import database, matches, people
from guessio.store.matches import Match, Narrowing, Player


class HistoryFilter(StrEnum):
    """What the list of matches can be narrowed to (R11.3)."""

    ALL = "all"
    RANKED = "ranked"
    CASUAL = "casual"
    WINS = "wins"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One saved match from the point of view of one player.

    `forfeited` marks a loss by leaving. `opponents` are in seat order. The score is `own_rounds` : `best_rounds` (the best
    opponent's). `rating_change` is None where rating played no part. `ago_ms` counts from the end; `ended_at` is ISO 8601.
    """

    match: TableId
    url: str
    outcome: Outcome
    forfeited: bool
    opponents: tuple[Person, ...]
    type: MatchType
    difficulty: Difficulty
    players: int
    own_rounds: int
    best_rounds: int
    rating_change: int | None
    ago_ms: int
    ended_at: str


HistoryPage: TypeAlias = Page[HistoryEntry, HistoryFilter]

_NARROWINGS = {
    HistoryFilter.ALL: Narrowing(),
    HistoryFilter.RANKED: Narrowing(type=MatchType.RANKED),
    HistoryFilter.CASUAL: Narrowing(type=MatchType.CASUAL),
    HistoryFilter.WINS: Narrowing(outcome=Outcome.WIN),
    HistoryFilter.LOSSES: Narrowing(outcome=Outcome.LOSS),
}


def page(account: AccountId, wanted: str, number: str) -> HistoryPage:
    """One page of the account's matches; an unknown filter shows all of them, a page number that is none the first."""
    return paging.page(HistoryFilter, wanted, number, partial(_listed, account))


def recent(account: AccountId, count: int) -> tuple[HistoryEntry, ...]:
    """The account's last `count` matches."""
    return _listed(account, HistoryFilter.ALL, count, 0)


def entries_of(conn: Connection, account: AccountId, found: tuple[Match, ...]) -> tuple[HistoryEntry, ...]:
    """Saved matches as lines of this player's list."""
    lines = matches.players(conn, [match.id for match in found])
    known = people.load(conn, [player.account for players in lines.values() for player in players])
    now = clock.now_ms()
    return tuple(_entry(match, account, lines[match.id], known, now) for match in found)


def moment(at_ms: int) -> datetime:
    """A moment as a date and time in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _listed(account: AccountId, narrowed: HistoryFilter, limit: int, offset: int) -> tuple[HistoryEntry, ...]:
    with database.read() as conn:
        return entries_of(conn, account, matches.page(conn, account, _NARROWINGS[narrowed], limit, offset))


def _entry(match: Match, account: AccountId, players: tuple[Player, ...], known: dict[AccountId, Person], now_ms: int) -> HistoryEntry:
    own = next(player for player in players if player.account == account)
    change = None
    if own.rating_before is not None and own.rating_after is not None:
        change = own.rating_after - own.rating_before
    return HistoryEntry(
        match=match.id,
        url=f"/matches/{match.id}",
        outcome=own.outcome,
        forfeited=own.forfeited and own.outcome is Outcome.LOSS,
        opponents=tuple(known[player.account] for player in players if player.account != account),
        type=match.type,
        difficulty=match.difficulty,
        players=match.players,
        own_rounds=own.rounds_won,
        best_rounds=own.best_opponent_rounds,
        rating_change=change,
        ago_ms=max(0, now_ms - match.ended_ms),
        ended_at=moment(match.ended_ms).isoformat(timespec="seconds"),
    )
