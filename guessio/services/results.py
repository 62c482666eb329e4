"""Settling: everything that a finished match is worth, booked once, in one transaction keyed by the table (R8, R9, R11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from guessio import bus, clock, figures
from guessio.engine.match.results import MatchResult, results
from guessio.engine.match.state import MatchState
from guessio.rules.suspension import QuitStep
from guessio.rules.terms import AccountId, EngagementKind, MatchEnd, MatchType, TableId, TableKind
from guessio.rules.week import day
from guessio.services import achievements, quits, sessions, settling, week, worth
from guessio.services.quits import Consequence
from guessio.services.standing_down import stand_down
from guessio.services.worth import Worth
from guessio.store import codec, custom_totals, database, engagements, matches, ratings, statistics, suspensions
from guessio.store import tables as table_rows
from guessio.store.ratings import Standing

QUIT_WARNING = "That was the second Ranked match in a row that you left. After one more you are suspended for a while."


@dataclass(frozen=True, slots=True)
class Booked:
    """What was new in a settlement and must be told: unlocked achievements and consequences of quitting."""

    unlocked: dict[AccountId, tuple[str, ...]]
    consequences: tuple[Consequence, ...]


def start() -> None:
    """Settle each match as it ends. bootstrap calls it once."""
    settling.begin(TableKind.MATCH, _settle)


def settle(table: TableId) -> bool:
    """Book what the match of this table is worth; False when it is not over, no match, or settled before."""
    return settling.settle(table, TableKind.MATCH, _settle)


def _settle(state: MatchState) -> bool:
    with database.write() as conn:
        if not table_rows.settle(conn, state.id):
            return False
        booked = _book(conn, results(state), codec.encode(state))
    figures.SETTLEMENTS.inc()
    _tell(booked)
    return True


def _book(conn: Connection, result: MatchResult, record: str) -> Booked:
    """Write everything down in the caller's transaction."""
    members = tuple(seat.account for seat in result.seats)
    engagements.release(conn, members, EngagementKind.MATCH, result.id)
    if result.type is MatchType.CUSTOM:
        cancelled = result.end is MatchEnd.INACTIVITY
        custom_totals.count(conn, day(result.ended_ms).isoformat(), cancelled=cancelled)
        return Booked({}, ())
    monday = week.key(result.ended_ms)
    counts = statistics.hold(conn, members)
    rated = worth.touches_rating(result)
    standings = ratings.of(conn, monday, members) if rated else dict.fromkeys(members, Standing())
    started_ms = suspensions.server_started_ms(conn) if any(seat.forfeited for seat in result.seats) else None
    worths = tuple(quits.count(result, one, started_ms) for one in worth.of(result, counts, standings))
    matches.save(conn, _match_row(result, record), [_player_row(result, one) for one in worths])
    statistics.save(conn, {one.seat.account: one.counts for one in worths})
    if rated:
        ratings.save(conn, monday, {one.seat.account: one.standing for one in worths})
    return Booked(_unlock(conn, result, worths), _punish(conn, result, counts, worths))


def _unlock(conn: Connection, result: MatchResult, worths: Iterable[Worth]) -> dict[AccountId, tuple[str, ...]]:
    """Check every human's achievements (SPEC 10); bots have none."""
    people = [achievements.Played(one.seat.account, one.facts, one.counts.played) for one in worths if not one.seat.is_bot]
    return achievements.check(conn, people, clock.now_ms(), result.id)


def _punish(
    conn: Connection, result: MatchResult, before: Mapping[AccountId, statistics.Statistics], worths: Iterable[Worth]
) -> tuple[Consequence, ...]:
    now = clock.now_ms()
    found = (quits.punish(conn, result, before[one.seat.account].quits_in_row, one, now) for one in worths)
    return tuple(consequence for consequence in found if consequence is not None)


def _match_row(result: MatchResult, record: str) -> matches.Match:
    return matches.Match(
        id=result.id,
        type=result.type,
        difficulty=result.difficulty,
        players=result.players,
        end=result.end,
        winner=None if result.winner is None else result.seats[result.winner].account,
        started_ms=result.ended_ms - result.duration_ms,
        ended_ms=result.ended_ms,
        record=record,
    )


def _player_row(result: MatchResult, one: Worth) -> matches.Player:
    return matches.Player(
        match=result.id,
        account=one.seat.account,
        seat=one.seat.seat,
        outcome=one.seat.outcome,
        forfeited=one.seat.forfeited,
        full=result.full,
        rounds_won=one.seat.rounds_won,
        best_opponent_rounds=one.best_opponent_rounds,
        guesses=one.seat.guesses,
        turns_skipped=one.seat.turns_skipped,
        rating_before=one.rating_before,
        rating_after=one.rating_after,
        points_change=one.points_change,
        points_after=one.counts.points,
        feats=codec.encode(one.facts),
    )


def _tell(booked: Booked) -> None:
    """Tell each player what is new, after the commit."""
    for account, names in booked.unlocked.items():
        bus.publish(f"account:{account}", bus.AchievementUnlocked(names))
    for consequence in booked.consequences:
        topic = f"account:{consequence.account}"
        if consequence.step is QuitStep.SUSPEND:
            sessions.refresh(consequence.account)
            stand_down(consequence.account)
            bus.publish(topic, bus.Navigate("/"))
        else:
            bus.publish(topic, bus.Announce("warn", QUIT_WARNING))
