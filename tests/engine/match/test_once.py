"""Every command takes effect once, however often it comes (R1.12)."""

from __future__ import annotations

from guessio.engine.machine import Rejected, Step
from guessio.rules.terms import Refusal, Skill
from tests.kit.actors import Play


def test_a_repeated_guess_changes_nothing() -> None:
    play = Play.in_round(2)
    play.guess("0234")
    before = play.state
    assert play.guess("0234", seat=0, turn=1) == Step(before)
    assert len(play.round.guesses) == 1


def test_a_repeat_is_known_turns_and_rounds_later() -> None:
    play = Play.in_round(2)
    play.guess("0234")
    play.win_round(1).next_round()
    play.guess()
    before = play.state
    assert play.guess("0234", seat=0, turn=1) == Step(before)


def test_the_repeated_winning_guess_of_a_finished_match_changes_nothing() -> None:
    play = Play.in_round(2)
    play.crack()
    play.next_round().win_round(0)
    turn, digits = play.state.turns_taken, play.code
    play.time_out()
    assert play.guess(digits, seat=0, turn=turn) == Step(play.state)


def test_a_repeat_by_one_who_has_left_since_changes_nothing() -> None:
    play = Play.in_round(3)
    play.guess("02345")
    play.forfeit(0)
    assert play.guess("02345", seat=0, turn=1) == Step(play.state)


def test_the_guess_of_another_seat_is_no_repeat() -> None:
    play = Play.in_round(2)
    play.guess("0234")
    assert play.guess("0234", seat=1, turn=1) == Rejected(Refusal.STALE_TURN)


def test_the_same_digits_in_ones_next_turn_are_a_new_guess() -> None:
    play = Play.in_round(2)
    play.guess("0234")
    play.guess()
    play.guess("0234")
    assert len(play.round.guesses) == 3


def test_a_second_forfeit_changes_nothing_even_when_all_is_over() -> None:
    """R7.3"""
    play = Play.in_round(3)
    play.forfeit(1)
    assert play.forfeit(1) == Step(play.state)
    play.forfeit(2)
    assert play.forfeit(1) == Step(play.state)


def test_a_repeated_skill_use_changes_nothing_then_and_later() -> None:
    """R6.2"""
    play = Play.holding(Skill.FREEZE, Skill.REVEAL, Skill.XRAY)
    play.use(2)
    assert play.use(2) == Step(play.state)
    play.guess()
    assert play.use(2, seat=0, turn=1) == Step(play.state)
    play.use()
    assert play.use() == Step(play.state)
    assert len(play.round.reveals) == 1


def test_another_target_in_the_same_turn_is_no_repeat() -> None:
    """R6.2"""
    play = Play.holding(Skill.FREEZE, Skill.REVEAL, Skill.XRAY)
    play.use(2)
    assert play.use(1) == Rejected(Refusal.SKILL_ACTIVE)


def test_what_falls_due_before_a_repeat_still_happens() -> None:
    play = Play.in_round(2)
    play.guess("0234")
    play.now_ms += 30_000
    play.guess("0234", seat=0, turn=1)
    assert play.on_turn == 0
    assert play.seat(1).turns_skipped == 1
