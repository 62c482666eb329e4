"""Quitting Ranked again and again: counted, warned of, and at last suspended without anybody's doing (R7.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from guessio import clock
from guessio.engine.match.results import MatchResult
from guessio.rules import suspension, tunables
from guessio.rules.suspension import QuitStep
from guessio.rules.terms import AccountId, LeaveReason, MatchEnd, MatchType
from guessio.services.worth import Worth
from guessio.store import database, suspensions

REASON = "Left several Ranked matches in a row before they were over."


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a quit has led to for one account."""

    account: AccountId
    step: QuitStep


def count(result: MatchResult, worth: Worth, server_started_ms: int | None) -> Worth:
    """The worth with its count of ranked quits in a row: one more for a quit, none after a match that was finished normally."""
    seat = worth.seat
    if result.type is not MatchType.RANKED or seat.is_bot:
        return worth
    if seat.forfeited:
        quits = worth.counts.quits_in_row + (not _blameless(worth, server_started_ms))
    else:
        quits = worth.counts.quits_in_row if result.end is MatchEnd.INACTIVITY else 0
    return replace(worth, counts=replace(worth.counts, quits_in_row=quits))


def punish(conn: Connection, result: MatchResult, before: int, worth: Worth, now_ms: int) -> Consequence | None:
    """Suspend the account when this match's quit was one too many; gives what the player must be told.

    `before` is the number of quits in a row before the match: a match that added none has no consequence.
    """
    quits = worth.counts.quits_in_row
    step = suspension.after_quit(quits) if quits > before else QuitStep.NOTHING
    if step is QuitStep.SUSPEND and not _suspend(conn, result, worth.seat.account, now_ms):
        return None
    return None if step is QuitStep.NOTHING else Consequence(worth.seat.account, step)


def lift() -> int:
    """Make the accounts active again whose suspension has run out; gives their number."""
    with database.write() as conn:
        return suspensions.lift_ended(conn, clock.now_ms())


def _suspend(conn: Connection, result: MatchResult, account: AccountId, now_ms: int) -> bool:
    suspensions.lift_ended(conn, now_ms)
    earlier = suspensions.automatic_since(conn, account, now_ms - tunables.SUSPENSION_MEMORY_MS)
    length = suspension.length_ms(earlier, now_ms)
    return suspensions.suspend(conn, account, REASON, now_ms, now_ms + length, result.id)


def _blameless(worth: Worth, server_started_ms: int | None) -> bool:
    """Whether the server, not the player, ended the connection: it was lost in downtime or soon after a start."""
    seat = worth.seat
    if seat.left_reason is not LeaveReason.TIMED_OUT or seat.left_ms is None or server_started_ms is None:
        return False
    return suspension.is_blameless(seat.left_ms - tunables.AWAY_GRACE_MS, server_started_ms)
