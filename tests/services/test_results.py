"""Settling a match: what it is worth, booked once (R7.5-R7.7, R8, R9, R11.1, R11.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from guessio import bus
from guessio.engine.match.state import MatchState, Seat
from guessio.rules import tunables, week
from guessio.rules.achievements import Achievement
from guessio.rules.terms import AccountId, Difficulty, EngagementKind, LeaveReason, MatchType, Outcome, TableId, TableKind
from guessio.services import engaged, matchmaking, results, sweep, tables
from guessio.store import accounts, achievements, database, engagements, ratings, schema
from guessio.store.ratings import Standing
from guessio.store.statistics import Statistics
from tests.kit.actors import Play
from tests.kit.builders import START_MS
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import TRIO, Heard, an_account, counts, lines, played, seated, settled, standing

pytestmark = pytest.mark.db

MONDAY = week.key(START_MS)
HOUR_MS = 3_600_000


def rated(play: Play, *values: int) -> Play:
    """The match with these ratings at its start."""
    seats: list[Seat] = [replace(seat, rating=value) for seat, value in zip(play.state.seats, values, strict=True)]
    play.state = replace(play.state, seats=tuple(seats))
    return play


def won_by(seat: int, players: int = 2, **made: object) -> Play:
    """A match that this seat wins two to nothing."""
    play = Play.in_round(players, **made)
    play.win_round(seat)
    play.next_round()
    return play.win_round(seat)


def unlocked_by(account: AccountId) -> set[str]:
    with database.read() as conn:
        return set(achievements.of(conn, account))


def keep(account: AccountId, value: int, monday: str = MONDAY) -> None:
    with database.write() as conn:
        ratings.save(conn, monday, {account: Standing(value, 0)})


def test_a_casual_win_gives_points_and_counts_but_no_rating() -> None:
    ada, bo = seated()
    table = settled(won_by(0))
    assert counts(ada) == Statistics(points=3, played=1, won=1, rounds_won=2)
    assert counts(bo) == Statistics(played=1, lost=1)
    assert standing(ada, MONDAY) == Standing()
    assert (lines(table)[ada].rating_before, lines(table)[ada].points_change) == (None, 3)


def test_a_hardcore_win_gives_five_points_and_a_draw_one_each() -> None:
    ada, bo = seated()
    settled(won_by(1, difficulty=Difficulty.HARDCORE))
    assert (counts(ada).points, counts(bo).points) == (0, 5)
    draw = Play.in_round(2)
    for _ in range(2):
        draw.draw_round()
        draw.next_round()
    draw.draw_round()
    settled(draw, "m2")
    assert (counts(ada).points, counts(bo).points, counts(ada).drawn) == (1, 6, 1)


def test_a_ranked_win_moves_the_rating_by_the_formula() -> None:
    ada, bo = seated()
    keep(ada, 1000)
    keep(bo, 1000)
    table = settled(rated(won_by(0, type=MatchType.RANKED), 1000, 1000))
    assert standing(ada, MONDAY) == Standing(1016, 1)
    assert standing(bo, MONDAY) == Standing(984, 1)
    line = lines(table)[bo]
    assert (line.rating_before, line.rating_after, line.outcome) == (1000, 984, Outcome.LOSS)
    assert counts(ada).ranked_played == 1


def test_rating_stops_at_zero_and_history_says_what_was_applied() -> None:
    _, bo = seated()
    table = settled(rated(won_by(0, type=MatchType.RANKED), 0, 0))
    line = lines(table)[bo]
    assert (line.rating_before, line.rating_after) == (0, 0)


def test_a_match_across_monday_counts_for_the_week_in_which_it_ends() -> None:
    ada, bo = seated()
    sunday = week.ends(MONDAY) - 1_000
    keep(ada, 1000)
    keep(bo, 1000)
    table = settled(rated(won_by(0, type=MatchType.RANKED, at_ms=sunday), 1000, 1000))
    monday = week.key(sunday + timedelta(days=1) // timedelta(milliseconds=1))
    assert standing(ada, MONDAY) == Standing(1000, 0)
    assert standing(ada, monday) == Standing(16, 1)
    line = lines(table)[ada]
    assert (line.rating_before, line.rating_after) == (0, 16)


def test_who_forfeits_ranked_loses_thirty_and_the_other_wins_without_gain() -> None:
    ada, bo = seated()
    keep(ada, 100)
    keep(bo, 100)
    play = rated(Play.in_round(2, type=MatchType.RANKED), 100, 100)
    play.forfeit(1)
    table = settled(play)
    assert (standing(ada, MONDAY).rating, standing(bo, MONDAY).rating) == (100, 70)
    assert (counts(ada).points, counts(bo).points) == (3, 0)
    assert (lines(table)[bo].forfeited, lines(table)[bo].full) == (True, False)


def test_a_match_cancelled_for_inactivity_costs_everybody() -> None:
    ada, bo, cy = seated(3, points=25)
    for account in (ada, bo, cy):
        keep(account, 40)
    play = rated(Play.in_round(3), 40, 40, 40)
    play.forfeit(2)
    for _ in range(2 * tunables.CANCEL_ROTATIONS):
        play.time_out()
    table = settled(play)
    assert [standing(account, MONDAY).rating for account in (ada, bo, cy)] == [10, 10, 10]
    assert [counts(account).points for account in (ada, bo, cy)] == [22, 22, 25]
    assert counts(ada) == Statistics(points=22, played=1, turns_skipped=2)
    assert {line.outcome for line in lines(table).values()} == {Outcome.CANCELLED}


def test_settling_twice_changes_nothing() -> None:
    ada, _ = seated()
    table = settled(won_by(0))
    assert not results.settle(table)
    assert counts(ada).played == 1


def test_a_match_that_goes_on_is_not_settled() -> None:
    ada, _ = seated()
    play = Play.in_round(2)
    tables.create(TableKind.MATCH, play.state)
    assert not results.settle(play.state.id)
    assert not results.settle(TableId("nothing"))
    assert counts(ada).played == 0


def test_what_a_crash_left_unsettled_is_settled_by_the_sweep_once(time: FakeClock) -> None:
    ada, bo = seated()
    table = played(won_by(0))
    with database.write() as conn:
        engagements.bind(conn, ada, EngagementKind.MATCH, table)
    news = Heard(f"account:{bo}")
    time.advance(60_000)
    sweep.once()
    sweep.once()
    assert (counts(ada).played, counts(bo).played) == (1, 1)
    with database.read() as conn:
        assert engagements.find(conn, ada) is None
    assert news.messages == [bus.AchievementUnlocked(("welcome",))]


def test_a_settlement_that_fails_changes_nothing_and_can_be_made_later(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, _ = seated()
    table = played(won_by(0))
    with monkeypatch.context() as broken:
        broken.setattr("guessio.services.achievements.check", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            results.settle(table)
    assert counts(ada) == Statistics()
    assert lines(table) == {}
    assert results.settle(table)


def test_an_engagement_made_since_is_not_released() -> None:
    ada, _ = seated()
    with database.write() as conn:
        engagements.bind(conn, ada, EngagementKind.MATCH, "m9")
    settled(won_by(0))
    with database.read() as conn:
        assert engagements.find(conn, ada) == engagements.Engagement(ada, EngagementKind.MATCH, "m9")


def test_a_custom_match_leaves_only_a_daily_total() -> None:
    ada, _ = seated()
    settled(won_by(0, type=MatchType.CUSTOM))
    settled(won_by(0, type=MatchType.CUSTOM), "m2")
    assert counts(ada) == Statistics()
    assert lines(TableId("m1")) == {}
    with database.read() as conn:
        row = conn.execute(schema.custom_totals.select()).one()
    assert (row.completed, row.cancelled) == (2, 0)


def test_a_long_run_of_wins_is_seen_through_matches_that_say_nothing() -> None:
    ada, bo = seated()
    for number in range(tunables.FLAWLESS_WINS[-1]):
        assert Achievement.FLAWLESS_20 not in unlocked_by(ada)
        settled(won_by(0, at_ms=START_MS + 2 * number * HOUR_MS), f"win{number}")
        neutral = Play.in_round(2, at_ms=START_MS + (2 * number + 1) * HOUR_MS)
        neutral.forfeit(1)
        settled(neutral, f"neutral{number}")
    assert {Achievement.FLAWLESS_5, Achievement.FLAWLESS_10, Achievement.FLAWLESS_20} <= unlocked_by(ada)
    assert Achievement.TERRIBLE_GUESSER not in unlocked_by(bo)


def test_bots_have_statistics_but_no_achievements() -> None:
    _, bot = seated(bots=(1,))
    news = Heard(f"account:{bot}")
    settled(won_by(0, bots=(1,)))
    assert counts(bot).played == 1
    with database.read() as conn:
        unlocked = conn.execute(schema.achievements.select()).all()
    assert {row.account_id for row in unlocked} == {101}
    assert news.messages == []


# --- quitting Ranked again and again (R7.7) ------------------------------------------------------------------------------


def quits(name: str, reason: LeaveReason = LeaveReason.QUIT, type: MatchType = MatchType.RANKED) -> None:
    play = Play.in_round(2, type=type)
    play.forfeit(0, reason)
    settled(play, name)


def state_of(account: AccountId) -> accounts.Account:
    with database.read() as conn:
        found = accounts.find(conn, account)
    assert found is not None
    return found


def test_the_second_quit_in_a_row_warns_and_the_third_suspends(time: FakeClock) -> None:
    ada, _ = seated()
    news = Heard(f"account:{ada}")
    quits("m1")
    assert not [message for message in news.messages if isinstance(message, bus.Announce)]
    quits("m2")
    assert bus.Announce("warn", results.QUIT_WARNING) in news.messages
    assert state_of(ada).state == "active"
    quits("m3")
    assert state_of(ada).state == "suspended"
    assert state_of(ada).suspended_until_ms == time.now_ms + tunables.SUSPENSION_STEPS_MS[0]
    assert bus.Navigate("/") in news.messages


def test_who_is_suspended_while_waiting_waits_no_more() -> None:
    ada, _ = seated()
    quits("m1")
    quits("m2")
    matchmaking.search(ada, TRIO)
    quits("m3")
    assert engaged.current(ada) is None


def test_who_is_suspended_while_playing_another_match_leaves_it_at_once() -> None:
    """Nobody waits a minute for somebody who may not move."""
    ada, bo = seated()
    quits("m1")
    quits("m2")
    for one in (ada, bo, an_account("cy")):
        matchmaking.search(one, TRIO)
    bound = engaged.current(ada)
    assert bound is not None
    quits("m3")
    loaded = tables.load(TableId(bound.ref))
    assert loaded is not None
    assert {seat.account for seat in loaded.state.seats if seat.left_ms is not None} == {ada}
    assert state_of(ada).suspended_until_ms is not None
    assert engaged.current(bo) is not None


def test_each_suspension_within_thirty_days_is_longer(time: FakeClock) -> None:
    ada, _ = seated()
    for name in ("m1", "m2", "m3"):
        quits(name)
    time.advance(tunables.SUSPENSION_STEPS_MS[0])
    quits("m4")
    assert state_of(ada).suspended_until_ms == time.now_ms + tunables.SUSPENSION_STEPS_MS[1]


def test_finishing_a_ranked_match_resets_the_count() -> None:
    ada, _ = seated()
    quits("m1")
    quits("m2")
    settled(won_by(1, type=MatchType.RANKED), "m3")
    assert counts(ada).quits_in_row == 0
    quits("m4")
    assert (counts(ada).quits_in_row, state_of(ada).state) == (1, "active")


def test_casual_quits_are_not_counted() -> None:
    ada, _ = seated()
    for name in ("m1", "m2", "m3"):
        quits(name, type=MatchType.CASUAL)
    assert (counts(ada).quits_in_row, state_of(ada).state) == (0, "active")


def test_nobody_is_blamed_for_a_connection_lost_soon_after_a_server_start() -> None:
    ada, _ = seated()
    with database.write() as conn:
        conn.execute(schema.workers.insert().values(id="w1", started_ms=START_MS, beat_ms=START_MS))
    quits("m1", LeaveReason.TIMED_OUT)
    assert counts(ada).quits_in_row == 0
    quits("m2", LeaveReason.QUIT)
    assert counts(ada).quits_in_row == 1


def test_a_finished_state_is_kept_whole() -> None:
    seated()
    table = settled(won_by(0))
    loaded = tables.load(table)
    with database.read() as conn:
        record = conn.execute(schema.matches.select()).one().record
    from guessio.store import codec

    assert loaded is not None
    assert codec.decode(MatchState, record) == loaded.state
