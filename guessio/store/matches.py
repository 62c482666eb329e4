"""Saved matches: one row per match and one per player in it (R11.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, exists, select

from guessio.rules.terms import AccountId, Difficulty, MatchEnd, MatchType, Outcome, SeatNo, TableId
from guessio.store.archive import Archive
from guessio.store.schema import match_players, matches
from guessio.store.upsert import add


@dataclass(frozen=True, slots=True)
class Match:
    """A saved match. `record` is its final state as the runner's JSON; empty where only the list is read."""

    id: TableId
    type: MatchType
    difficulty: Difficulty
    players: int
    end: MatchEnd
    winner: AccountId | None
    started_ms: int
    ended_ms: int
    record: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """One player's line of a saved match. Rating is None where it played no part; `feats` is JSON for the achievements."""

    match: TableId
    account: AccountId
    seat: SeatNo
    outcome: Outcome
    forfeited: bool
    full: bool
    rounds_won: int
    best_opponent_rounds: int
    guesses: int
    turns_skipped: int
    rating_before: int | None
    rating_after: int | None
    points_change: int
    points_after: int
    feats: str


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a list of matches is narrowed to; None leaves a side open."""

    type: MatchType | None = None
    outcome: Outcome | None = None


_archive = Archive(matches, match_players, match_players.c.match_id)
_ADD_PLAYERS = match_players.insert()
_FEATS = (
    select(match_players.c.feats)
    .where(match_players.c.account_id == bindparam("account"))
    .order_by(match_players.c.ended_ms.desc(), match_players.c.match_id.desc())
)
_LATEST_FEATS = _FEATS.limit(bindparam("most"))


def save(conn: Connection, match: Match, players: Iterable[Player]) -> bool:
    """Save a match with its players; False, and nothing done, when it was saved before."""
    row = {name: getattr(match, name) for name in Match.__dataclass_fields__}
    row["winner_id"] = row.pop("winner")
    if not add(conn, matches, **row):
        return False
    conn.execute(_ADD_PLAYERS, [_line(match, player) for player in players])
    return True


def find(conn: Connection, match: TableId) -> Match | None:
    """One saved match with its record."""
    row = _archive.row(conn, match)
    return None if row is None else _match(row, row.record)


def players(conn: Connection, ids: Iterable[TableId]) -> dict[TableId, tuple[Player, ...]]:
    """The players of these matches, in seat order."""
    return _archive.players(conn, ids, _player)


def page(conn: Connection, account: AccountId, narrowing: Narrowing, limit: int, offset: int = 0) -> tuple[Match, ...]:
    """The account's matches, newest first, without their records."""
    return tuple(_match(row, "") for row in _archive.newest(conn, account, limit, offset, *_conditions(narrowing)))


def feats(conn: Connection, account: AccountId, most: int | None = None) -> tuple[str, ...]:
    """The facts of the account's matches, newest first, all or the `most` latest, as JSON (SPEC 10)."""
    rows = conn.execute(_FEATS if most is None else _LATEST_FEATS, {"account": account, "most": most})
    return tuple(rows.scalars())


def took_part(conn: Connection, match: TableId, account: AccountId) -> bool:
    """Whether the account had a seat in a saved match."""
    seat = exists().where(match_players.c.match_id == match, match_players.c.account_id == account)
    return bool(conn.execute(select(seat)).scalar_one())


def _line(match: Match, player: Player) -> dict[str, Any]:
    line: dict[str, Any] = {name: getattr(player, name) for name in Player.__dataclass_fields__}
    return {"match_id": line.pop("match"), "account_id": line.pop("account"), **line, "ended_ms": match.ended_ms, "type": match.type}


def _conditions(narrowing: Narrowing) -> Iterator[ColumnElement[bool]]:
    if narrowing.type is not None:
        yield match_players.c.type == narrowing.type
    if narrowing.outcome is not None:
        yield match_players.c.outcome == narrowing.outcome


def _match(row: Row[*tuple[Any, ...]], record: str) -> Match:
    return Match(
        TableId(row.id),
        MatchType(row.type),
        Difficulty(row.difficulty),
        row.players,
        MatchEnd(row.end),
        None if row.winner_id is None else AccountId(row.winner_id),
        row.started_ms,
        row.ended_ms,
        record,
    )


def _player(row: Row[*tuple[Any, ...]]) -> Player:
    return Player(
        match=TableId(row.match_id),
        account=AccountId(row.account_id),
        seat=SeatNo(row.seat),
        outcome=Outcome(row.outcome),
        forfeited=row.forfeited,
        full=row.full,
        rounds_won=row.rounds_won,
        best_opponent_rounds=row.best_opponent_rounds,
        guesses=row.guesses,
        turns_skipped=row.turns_skipped,
        rating_before=row.rating_before,
        rating_after=row.rating_after,
        points_change=row.points_change,
        points_after=row.points_after,
        feats=row.feats,
    )
