"""Forfeits (R7.2 to R7.5)."""

from __future__ import annotations

from guessio.engine import match
from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.engine.match.commands import Forfeit
from guessio.rules.terms import AccountId, LeaveReason, MatchEnd, MatchPhase, Refusal, RoundEnd, SeatNo
from tests.kit.actors import Play


def test_of_two_the_other_gets_the_running_round_and_the_match() -> None:
    """R7.4, R1.10: the awarded round shows before the results open."""
    play = Play.in_round(2)
    play.guess()
    play.forfeit(0)
    assert play.events == (events.SeatLeft(SeatNo(0), LeaveReason.QUIT), events.RoundEnded(1, last=True))
    assert (play.round.end, play.round.winner) == (RoundEnd.AWARDED, 1)
    assert (play.state.phase, play.state.end, play.state.winner) == (MatchPhase.CLOSING, MatchEnd.FORFEIT, 1)
    play.wait(3_000)
    assert play.events == (events.MatchEnded(MatchEnd.FORFEIT),)


def test_of_two_between_rounds_nothing_is_awarded_and_it_is_over_at_once() -> None:
    play = Play.in_round(2)
    play.win_round(1)
    play.forfeit(1)
    assert play.events == (events.SeatLeft(SeatNo(1), LeaveReason.QUIT), events.MatchEnded(MatchEnd.FORFEIT))
    assert (play.state.phase, play.state.winner, len(play.state.rounds)) == (MatchPhase.OVER, 0, 1)
    assert play.round.winner == 1


def test_in_the_countdown_the_match_is_over_at_once() -> None:
    play = Play.of(2)
    play.forfeit(0)
    assert (play.state.phase, play.state.winner, play.state.rounds) == (MatchPhase.OVER, 1, ())


def test_of_three_the_others_play_on_and_the_turn_stays() -> None:
    """R7.4"""
    play = Play.in_round(3)
    until = play.state.until_ms
    play.wait(1_000).forfeit(2)
    assert (play.on_turn, play.state.until_ms) == (0, until)
    play.guess()
    play.guess()
    assert play.on_turn == 0


def test_when_the_player_on_turn_leaves_the_next_one_has_full_time_at_once() -> None:
    """R7.4"""
    play = Play.in_round(3)
    play.wait(25_000).forfeit(0)
    assert play.events == (events.SeatLeft(SeatNo(0), LeaveReason.QUIT), events.TurnStarted(2, SeatNo(1)))
    assert play.state.until_ms == play.now_ms + 30_000
    assert play.seat(0).turns_skipped == 0
    assert play.round.skips == ()


def test_the_last_one_left_wins_and_the_running_round_has_no_winner() -> None:
    """R7.4"""
    play = Play.in_round(4)
    for seat in (0, 3, 1):
        play.forfeit(seat)
    assert play.happened(events.RoundEnded) == [events.RoundEnded(1, last=True)]
    assert play.events[-1] == events.MatchEnded(MatchEnd.FORFEIT)
    assert (play.round.end, play.round.winner) == (RoundEnd.ABANDONED, None)
    assert (play.state.phase, play.state.winner) == (MatchPhase.OVER, 2)


def test_a_bot_can_be_the_last_one() -> None:
    play = Play.in_round(3, bots=(1,))
    play.forfeit(0)
    play.forfeit(2)
    assert (play.state.end, play.state.winner) == (MatchEnd.FORFEIT, 1)


def test_bots_play_on_to_the_end_when_every_person_has_left() -> None:
    play = Play.in_round(3, bots=(0, 2))
    play.forfeit(1)
    play.wait(3_600_000)
    assert play.state.end is MatchEnd.PLAYED
    assert match.is_over(play.state)


def test_the_next_seat_still_in_opens_when_the_opener_has_left() -> None:
    """R1.4"""
    play = Play.in_round(3)
    play.forfeit(1)
    play.crack()
    assert play.view(0).results[-1].next_opener_name == "Cy"
    play.next_round()
    assert play.on_turn == 2


def test_leaving_in_the_pause_of_three_plays_on() -> None:
    play = Play.in_round(3)
    play.crack()
    play.forfeit(0)
    assert play.state.phase is MatchPhase.PAUSE
    play.next_round()
    assert play.on_turn == 1


def test_a_leavers_rounds_neither_win_nor_share_the_lead() -> None:
    """R1.11"""
    play = Play.in_round(3)
    play.win_round(0)
    play.forfeit(0)
    play.next_round().win_round(2)
    assert play.state.winner == 2


def test_once_the_match_is_decided_nobody_can_forfeit_it() -> None:
    """R7.3"""
    play = Play.in_round(2)
    play.win_round(0).next_round().win_round(0)
    assert play.forfeit(1) == Rejected(Refusal.ALREADY_OVER)
    assert not play.view(1).can_forfeit
    play.time_out()
    assert play.forfeit(1) == Rejected(Refusal.ALREADY_OVER)


def test_a_stranger_cannot_forfeit() -> None:
    assert Play.of(2).do(Forfeit(AccountId(7))) == Rejected(Refusal.NOT_SEATED)


def test_a_forfeit_at_the_very_deadline_comes_after_it() -> None:
    play = Play.in_round(2)
    play.now_ms += 30_000
    play.forfeit(1)
    assert play.seat(0).turns_skipped == 1
    assert play.state.winner == 0


def test_a_leaver_may_look_on_without_playing() -> None:
    """R7.5"""
    play = Play.in_round(3)
    play.guess()
    play.forfeit(0)
    play.guess()
    view = play.view(0)
    assert (view.has_left, view.can_guess, view.can_forfeit, view.can_pick) == (True, False, False, False)
    assert [row.marks is not None for row in view.rows] == [True, False]
    assert view.seats[0].has_left
