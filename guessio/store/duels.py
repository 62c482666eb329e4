"""Finished duels: one row per duel and one per duellist (R17.6, R17.7), and who is still on the duel's page (R17.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, or_, select, update

from guessio.engine.duel.state import Agreement
from guessio.rules.terms import AccountId, DuelEnd, DuelFormat, Outcome, SeatNo, SecretRule, TableId
from guessio.store.archive import Archive
from guessio.store.schema import duel_players, duels
from guessio.store.upsert import add


@dataclass(frozen=True, slots=True)
class Duel:
    """A saved duel. `record` is its final state as the runner's JSON, with both secrets; empty where only the list is read."""

    id: TableId
    agreement: Agreement
    end: DuelEnd
    winner: AccountId | None
    started_ms: int
    ended_ms: int
    record: str = ""


@dataclass(frozen=True, slots=True)
class Duellist:
    """One duellist's line of a saved duel."""

    duel: TableId
    account: AccountId
    seat: SeatNo
    outcome: Outcome
    guesses: int
    page_left_ms: int | None = None


_archive = Archive(duels, duel_players, duel_players.c.duel_id)


def save(conn: Connection, duel: Duel, players: Iterable[Duellist]) -> bool:
    """Save a duel with its players; False, and nothing done, when it was saved before."""
    saved = add(
        conn,
        duels,
        id=duel.id,
        clock_ms=duel.agreement.clock_ms,
        length=duel.agreement.length,
        secret_rule=duel.agreement.secret_rule,
        format=duel.agreement.format,
        end=duel.end,
        winner_id=duel.winner,
        started_ms=duel.started_ms,
        ended_ms=duel.ended_ms,
        record=duel.record,
    )
    if saved:
        lines = [
            {"duel_id": duel.id, "account_id": one.account, "seat": one.seat, "outcome": one.outcome, "guesses": one.guesses}
            for one in players
        ]
        conn.execute(duel_players.insert(), [{**line, "ended_ms": duel.ended_ms} for line in lines])
    return saved


def find(conn: Connection, duel: TableId) -> Duel | None:
    """One saved duel with its record."""
    row = _archive.row(conn, duel)
    return None if row is None else _duel(row, row.record)


def players(conn: Connection, ids: Iterable[TableId]) -> dict[TableId, tuple[Duellist, ...]]:
    """The players of these duels, in seat order."""
    return _archive.players(conn, ids, _duellist)


def page(conn: Connection, account: AccountId, outcome: Outcome | None, limit: int, offset: int = 0) -> tuple[Duel, ...]:
    """The account's duels, of one outcome if given, newest first, without their records."""
    conditions = () if outcome is None else (duel_players.c.outcome == outcome,)
    return tuple(_duel(row, "") for row in _archive.newest(conn, account, limit, offset, *conditions))


def page_opened(conn: Connection, duel: TableId, account: AccountId, now_ms: int) -> bool:
    """Note that the account has the finished duel's page open; whether it had been left before."""
    own = (duel_players.c.duel_id == duel, duel_players.c.account_id == account)
    came_back = conn.execute(select(duel_players.c.page_left_ms).where(*own)).scalar() is not None
    conn.execute(update(duel_players).where(*own).values(page_opened_ms=now_ms, page_left_ms=None))
    return came_back


def page_left(conn: Connection, duel: TableId, account: AccountId, since_ms: int) -> bool:
    """Note that the account left the finished duel's page at a moment, unless it was opened again since; whether that was news."""
    opened = duel_players.c.page_opened_ms
    statement = update(duel_players).where(
        duel_players.c.duel_id == duel,
        duel_players.c.account_id == account,
        duel_players.c.page_left_ms.is_(None),
        or_(opened.is_(None), opened <= since_ms),
    )
    return conn.execute(statement.values(page_left_ms=since_ms)).rowcount == 1


def _duel(row: Row[*tuple[Any, ...]], record: str) -> Duel:
    return Duel(
        id=TableId(row.id),
        agreement=Agreement(row.clock_ms, row.length, SecretRule(row.secret_rule), DuelFormat(row.format)),
        end=DuelEnd(row.end),
        winner=None if row.winner_id is None else AccountId(row.winner_id),
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
        record=record,
    )


def _duellist(row: Row[*tuple[Any, ...]]) -> Duellist:
    return Duellist(
        duel=TableId(row.duel_id),
        account=AccountId(row.account_id),
        seat=SeatNo(row.seat),
        outcome=Outcome(row.outcome),
        guesses=row.guesses,
        page_left_ms=row.page_left_ms,
    )
