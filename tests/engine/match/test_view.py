"""What a viewer may see (R1.2, R1.3, R1.7, R1.9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guessio.engine import match
from guessio.engine.match import view
from guessio.rules import codes
from guessio.rules.terms import AccountId, Difficulty, Mark, MatchEnd, MatchPhase, RoundEnd, SeatNo, Skill
from tests.kit.actors import Play
from tests.kit.builders import account


def test_marks_are_for_the_guesser_alone() -> None:
    """R1.7"""
    play = Play.in_round(2)
    play.guess("1352")
    own, other = play.view(0).rows[0], play.view(1).rows[0]
    assert own.marks == (Mark.RIGHT, Mark.ELSEWHERE, Mark.ABSENT, Mark.ELSEWHERE)
    assert (other.marks, other.digits, other.number, other.name) == (None, "1352", 1, "Ada")


def test_hardcore_marks_tell_nothing_of_places() -> None:
    """R1.7"""
    play = Play.in_round(2, difficulty=Difficulty.HARDCORE)
    play.guess("1352")
    assert play.view(0).rows[0].marks == (Mark.PRESENT, Mark.PRESENT, Mark.ABSENT, Mark.PRESENT)


def test_the_row_and_the_board_agree() -> None:
    play = Play.in_round(2)
    play.guess("1352")
    play.time_out()
    play.guess("5678")
    for seat in (0, 1):
        rows = play.view(seat).rows
        assert view.row_view(play.state, SeatNo(seat), 1) == rows[0]
        assert view.skip_view(play.state, SeatNo(seat), 2) == rows[1]
        assert view.row_view(play.state, SeatNo(seat), 2) == rows[2]
        assert view.seats(play.state, account(seat), play.now_ms) == play.view(seat).seats
        assert view.keys(play.state, account(seat)) == play.view(seat).keys
    assert [row.key for row in play.view(0).rows] == ["r1-g1", "r1-s2", "r1-g2"]


def test_keys_show_the_best_that_is_known_from_own_guesses() -> None:
    play = Play.in_round(2)
    play.guess("2130")
    play.guess("5671")
    known = {key.digit: key.mark for key in play.view(0).keys}
    assert list(known) == list(codes.DIGITS)
    assert (known["3"], known["2"], known["0"], known["5"]) == (Mark.RIGHT, Mark.ELSEWHERE, Mark.ABSENT, None)


def test_keys_start_afresh_each_round() -> None:
    play = Play.in_round(2)
    play.win_round(0).next_round()
    assert all(key.mark is None for key in play.view(0).keys)


def test_before_the_first_round_the_board_is_empty() -> None:
    state = Play.of(3)
    seen = state.view(1)
    assert (seen.rows, seen.results, seen.commitment, seen.round_number, seen.turn, seen.revealed) == ((), (), "", 0, 0, ())
    assert (seen.digits, seen.guess_limit, seen.players, seen.guesses_used) == (5, 15, 3, 0)
    assert all(key.mark is None for key in seen.keys)


def test_the_commitment_shows_from_the_start_and_the_nonce_at_the_end() -> None:
    """R1.3"""
    play = Play.in_round(2)
    promised = play.view(1).commitment
    assert len(promised) == 64
    play.crack()
    result = play.view(1).results[0]
    assert result.commitment == promised
    assert codes.verify(result.code, result.nonce, promised)


def test_the_commitment_differs_each_round() -> None:
    """R1.3"""
    play = Play.in_round(2)
    first = play.view(0).commitment
    play.win_round(0).next_round()
    assert play.view(0).commitment != first


def test_everyone_sees_the_result_of_a_finished_round() -> None:
    """R1.9"""
    play = Play.in_round(2)
    play.wait(9_000).guess()
    play.wait(4_000).guess()
    play.wait(7_000).crack()
    for seat in (0, 1):
        result = play.view(seat).results[0]
        assert (result.code, result.winner, result.winner_name, result.is_own_win) == ("1234", 0, "Ada", seat == 0)
        assert (result.scores, result.duration_ms, result.guesses_used) == ((1, 0), 20_000, 3)
        assert (result.fastest_ms, result.fastest_name) == (4_000, "Bo")
        assert (result.next_opener_name, result.is_last) == ("Bo", False)


def test_of_equally_fast_guesses_the_first_counts() -> None:
    play = Play.in_round(2)
    play.wait(1_000).guess()
    play.wait(1_000).crack()
    assert play.view(0).results[0].fastest_name == "Ada"


def test_a_round_without_guesses_has_no_fastest() -> None:
    play = Play.in_round(2)
    play.forfeit(1)
    result = play.view(0).results[0]
    assert (result.end, result.fastest_ms, result.fastest_name) == (RoundEnd.AWARDED, None, "")
    assert (result.is_last, result.next_opener_name) == (True, "")


def test_earlier_results_keep_the_score_and_opener_of_their_time() -> None:
    play = Play.in_round(2)
    play.win_round(0).next_round().win_round(1).next_round().win_round(1)
    results = play.view(0).results
    assert [result.scores for result in results] == [(1, 0), (1, 1), (1, 2)]
    assert [result.next_opener_name for result in results] == ["Bo", "Ada", ""]
    assert [result.is_last for result in results] == [False, False, True]


def test_who_was_fastest_and_who_opens_next_is_told_by_seat_because_names_may_be_the_same() -> None:
    play = Play.in_round()
    play.state = replace(play.state, seats=tuple(replace(seat, name="Sam") for seat in play.state.seats))
    play.wait(4_000).guess(play.wrong())
    play.wait(1_000).crack()
    own, other = (play.view(seat).results[-1] for seat in (0, 1))
    assert (own.fastest_is_own, other.fastest_is_own) == (False, True)
    assert (own.next_opener_is_own, other.next_opener_is_own) == (False, True)


def test_a_running_round_has_no_result() -> None:
    """R1.2"""
    play = Play.in_round(2)
    with pytest.raises(ValueError, match="still running"):
        view.round_result(play.state, account(0), 1)


def test_the_player_on_turn_is_the_one_who_can_guess() -> None:
    """R1.5"""
    play = Play.in_round(2)
    assert [play.view(seat).can_guess for seat in (0, 1)] == [True, False]
    assert [seat.on_turn for seat in play.view(1).seats] == [True, False]
    assert play.view(1).turn_name == "Ada"


@pytest.mark.parametrize(("waited", "left"), [(0, 30_000), (12_000, 18_000), (30_001, 0)])
def test_remaining_time_counts_from_the_view(waited: int, left: int) -> None:
    play = Play.in_round(2)
    seen = match.view_for(play.state, account(0), play.now_ms + waited)
    assert (seen.remaining_ms, seen.phase_total_ms) == (left, 30_000)


def test_each_phase_has_its_time() -> None:
    """R1.10, R6.1"""
    play = Play.of(2, skills=(Skill.FREEZE, Skill.FREEZE))
    totals = {play.state.phase: play.view(0).phase_total_ms}
    while not match.is_over(play.state):
        if play.state.phase is MatchPhase.TURN:
            play.crack()
        else:
            play.time_out()
        totals.setdefault(play.state.phase, play.view(0).phase_total_ms)
    assert totals == {
        MatchPhase.PICKING: 10_000,
        MatchPhase.COUNTDOWN: 5_000,
        MatchPhase.TURN: 30_000,
        MatchPhase.PAUSE: 5_000,
        MatchPhase.CLOSING: 3_000,
        MatchPhase.OVER: None,
    }


def test_others_see_who_picked_but_not_what() -> None:
    """R6.1"""
    play = Play.of(2, skills=(Skill.FREEZE, Skill.XRAY))
    assert [play.view(seat).can_pick for seat in (0, 1)] == [True, False]
    assert play.view(1).turn_name == "Ada"
    play.pick(0, Skill.FREEZE)
    seen = play.view(1).seats
    assert [(seat.is_picking, seat.has_picked, seat.disclosed_skill) for seat in seen] == [(False, True, None), (True, False, None)]


def test_the_end_tells_each_player_how_it_went() -> None:
    play = Play.in_round(2)
    play.win_round(1).next_round().win_round(1)
    play.time_out()
    lost, won = play.view(0), play.view(1)
    assert (won.end, won.winner, won.winner_name, won.is_own_win, won.is_draw) == (MatchEnd.PLAYED, 1, "Bo", True, False)
    assert (lost.is_own_win, lost.is_draw, lost.can_guess, lost.can_forfeit) == (False, False, False, False)
    assert won.seats[1].rounds_won == 2


def test_a_draw_is_a_draw_for_all() -> None:
    play = Play.in_round(2)
    play.draw_round().next_round().draw_round().next_round().draw_round()
    assert [play.view(seat).is_draw for seat in (0, 1)] == [True, True]


def test_a_stranger_sees_what_is_public_and_can_do_nothing() -> None:
    """R1.7"""
    play = Play.holding(Skill.REVEAL, Skill.XRAY)
    play.use()
    play.guess()
    seen = match.view_for(play.state, AccountId(7), play.now_ms)
    assert (seen.own_seat, seen.skill, seen.revealed) == (None, None, ())
    assert (seen.can_guess, seen.can_forfeit, seen.can_pick, seen.is_frozen, seen.is_watched) == (False,) * 5
    assert all(row.marks is None for row in seen.rows)
    assert all(key.mark is None for key in seen.keys)
    assert seen.own_guesses_in_round == 0


def test_seats_carry_the_public_face_of_each_player() -> None:
    play = Play.in_round(2, bots=(1,))
    seat = play.view(0).seats[1]
    assert (seat.seat, seat.account, seat.username, seat.name) == (SeatNo(1), account(1), "bo", "Bo")
    assert (seat.avatar_url, seat.is_bot, seat.rating, seat.is_own) == ("/avatars/bo.svg", True, 1001, False)


def test_the_view_counts_guesses() -> None:
    play = Play.in_round(2)
    for _ in range(3):
        play.guess()
    assert (play.view(0).guesses_used, play.view(0).own_guesses_in_round, play.view(1).own_guesses_in_round) == (3, 2, 1)


def test_how_a_seat_stands_says_nothing_of_who_has_it() -> None:
    """Screens are remembered by it and filled in for others."""
    play = Play.in_round(2)
    own = play.view(0).seats[0]
    other = own._replace(seat=SeatNo(1), account=account(3), username="cy", name="Cy", avatar_url="/cy.svg", rating=9)
    assert own.standing == other.standing
    changed = (own._replace(is_bot=True), own._replace(on_turn=not own.on_turn), own._replace(away_ms=1), own._replace(rounds_won=2))
    assert all(seat.standing != own.standing for seat in changed)
