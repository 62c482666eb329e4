"""Losing the connection and coming back (R5.1, R7.1, R7.2, R9.3)."""

from __future__ import annotations

from guessio.engine import match
from guessio.engine.machine import Rejected, Step
from guessio.engine.match import events
from guessio.engine.match.commands import Connect, Disconnect
from guessio.engine.match.results import results
from guessio.rules.terms import AccountId, LeaveReason, MatchEnd, Refusal, SeatNo
from tests.kit.actors import Play


def test_a_gap_under_three_seconds_is_shown_to_nobody() -> None:
    """R5.1"""
    play = Play.in_round(2)
    play.vanish(1)
    assert play.events == (events.ConnectionNoted(SeatNo(1)),)
    assert play.events[0].only == ()
    play.wait(2_999)
    assert play.view(0).seats[1].away_ms is None
    play.come_back(1)
    assert play.events == (events.ConnectionNoted(SeatNo(1)),)
    play.wait(10_000)
    assert play.events == ()


def test_after_three_seconds_the_others_see_how_long_the_player_has() -> None:
    """R7.1"""
    play = Play.in_round(2)
    play.vanish(1)
    play.wait(3_000)
    assert play.events == (events.SeatAway(SeatNo(1)),)
    assert play.view(0).seats[1].away_ms == 57_000


def test_coming_back_within_sixty_seconds_keeps_the_seat() -> None:
    """R7.2"""
    play = Play.in_round(3)
    play.vanish(1)
    play.wait(59_999)
    play.come_back(1)
    assert play.events == (events.SeatBack(SeatNo(1)),)
    play.wait(60_000)
    assert play.seat(1).left_ms is None
    assert play.view(0).seats[1].away_ms is None


def test_not_back_in_sixty_seconds_is_a_forfeit() -> None:
    """R7.2"""
    play = Play.in_round(3)
    play.vanish(2)
    play.wait(59_999)
    assert play.seat(2).left_ms is None
    play.wait(1)
    assert play.happened(events.SeatLeft) == [events.SeatLeft(SeatNo(2), LeaveReason.TIMED_OUT)]
    assert play.seat(2).left_reason is LeaveReason.TIMED_OUT


def test_coming_back_at_the_very_deadline_is_too_late() -> None:
    play = Play.in_round(3)
    play.vanish(2)
    play.now_ms += 60_000
    play.come_back(2)
    assert play.seat(2).left_reason is LeaveReason.TIMED_OUT


def test_the_turn_timer_goes_on_meanwhile() -> None:
    """R7.1"""
    play = Play.in_round(2)
    play.vanish(0)
    play.wait(30_000)
    assert play.on_turn == 1
    assert play.seat(0).turns_skipped == 1


def test_the_grace_runs_from_the_moment_the_last_connection_was_gone() -> None:
    """R7.1"""
    play = Play.in_round(3)
    play.wait(5_000).vanish(2, since_ms=play.now_ms - 4_000)
    play.wait(0)
    assert play.view(0).seats[2].away_ms == 56_000


def test_an_absence_that_is_reported_late_never_ends_in_the_past() -> None:
    play = Play.in_round(3)
    play.wait(9_000).vanish(2, since_ms=play.now_ms - 90_000)
    play.wait(0)
    assert play.seat(2).left_ms == play.now_ms


def test_an_absence_cannot_start_in_the_future() -> None:
    play = Play.in_round(3)
    play.vanish(2, since_ms=play.now_ms + 5_000)
    assert play.seat(2).away_since_ms == play.now_ms


def test_a_repeated_report_changes_nothing() -> None:
    """R1.12"""
    play = Play.in_round(2)
    assert play.come_back(1) == Step(play.state)
    play.vanish(1)
    play.now_ms += 1_000
    assert play.vanish(1) == Step(play.state)


def test_bots_and_leavers_are_never_away() -> None:
    play = Play.in_round(3, bots=(1,))
    assert play.vanish(1) == Step(play.state)
    play.forfeit(2)
    assert play.vanish(2) == Step(play.state)
    assert play.come_back(2) == Step(play.state)


def test_strangers_are_told_so() -> None:
    play = Play.in_round(2)
    assert play.do(Connect(AccountId(7))) == Rejected(Refusal.NOT_SEATED)
    assert play.do(Disconnect(AccountId(7), play.now_ms)) == Rejected(Refusal.NOT_SEATED)


def test_leaving_on_ones_own_word_ends_the_absence() -> None:
    play = Play.in_round(3)
    play.vanish(2)
    play.wait(4_000).forfeit(2)
    assert play.view(0).seats[2].away_ms is None
    play.wait(3_600_000 if play.state.end else 1)
    assert play.seat(2).left_reason is LeaveReason.QUIT


def test_who_was_connected_is_fixed_when_the_match_is_decided() -> None:
    """R9.3: the closing seconds change nothing."""
    play = Play.in_round(2)
    play.win_round(0).next_round()
    play.vanish(1)
    play.wait(3_000).win_round(0)
    assert play.vanish(0) == Step(play.state)
    assert play.come_back(1) == Step(play.state)
    play.wait(3_000)
    assert match.is_over(play.state)
    assert [seat.connected for seat in results(play.state).seats] == [True, False]


def test_a_gap_too_short_to_be_shown_counts_as_connected() -> None:
    """R5.1, R9.3: a reload in the last second costs nothing."""
    play = Play.in_round(2)
    play.win_round(0).next_round()
    play.vanish(1)
    play.wait(2_999).win_round(0)
    assert results(play.state).full


def test_when_both_stay_away_the_first_to_run_out_loses() -> None:
    play = Play.in_round(2)
    play.vanish(1)
    play.wait(10)
    play.vanish(0)
    play.wait(120_000)
    assert (play.state.end, play.state.winner) == (MatchEnd.FORFEIT, 0)


def test_when_all_run_out_together_the_last_seat_wins() -> None:
    play = Play.in_round(3)
    for seat in range(3):
        play.vanish(seat)
    play.wait(120_000)
    assert (play.state.end, play.state.winner) == (MatchEnd.FORFEIT, 2)
