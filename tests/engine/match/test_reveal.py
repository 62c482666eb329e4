"""Reveal Position (R6.2)."""

from __future__ import annotations

from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.rules.terms import Difficulty, Mark, Refusal, SeatNo, Skill
from tests.kit.actors import Play
from tests.kit.builders import a_deal

SKILLS = (Skill.REVEAL, Skill.FREEZE)


def revealing(**made: object) -> Play:
    return Play.holding(*SKILLS, deal=a_deal(2, skills=SKILLS, reveal_order=(2, 0, 3, 1)), **made)


def test_it_shows_the_user_alone_one_digit_in_its_place() -> None:
    play = revealing()
    play.use()
    assert play.view(0).revealed == ((2, "3"),)
    assert play.view(1).revealed == ()


def test_the_turn_goes_on_and_the_skill_is_used_up() -> None:
    play = revealing()
    until = play.state.until_ms
    play.wait(100).use()
    assert (play.on_turn, play.state.until_ms) == (0, until)
    assert play.seat(0).skill_used


def test_everyone_hears_that_it_was_used_but_nothing_of_the_place() -> None:
    """R6.1: shown once used."""
    play = revealing()
    play.use()
    assert play.events == (events.SkillUsed(SeatNo(0), Skill.REVEAL),)
    assert play.view(1).seats[0].disclosed_skill is Skill.REVEAL


def test_a_place_that_the_player_knows_to_be_right_is_passed_over() -> None:
    play = revealing()
    play.guess("9038")
    play.guess()
    play.use()
    assert play.view(0).revealed == ((0, "1"),)


def test_what_the_opponent_placed_is_not_known() -> None:
    play = revealing()
    play.guess("5678")
    play.guess("9038")
    play.use()
    assert play.view(0).revealed == ((2, "3"),)


def test_in_hardcore_no_place_is_known_from_marks() -> None:
    """R1.7"""
    play = revealing(difficulty=Difficulty.HARDCORE)
    play.guess("9038")
    play.guess()
    play.use()
    assert play.view(0).revealed == ((2, "3"),)


def test_with_every_place_known_there_is_nothing_to_reveal_and_it_is_kept() -> None:
    play = revealing()
    for digits in ("1264", "5638"):
        play.guess(digits)
        play.guess()
    assert play.use() == Rejected(Refusal.NOTHING_TO_REVEAL)
    assert not play.seat(0).skill_used


def test_a_revealed_digit_colours_its_key() -> None:
    play = revealing()
    play.use()
    assert {key.digit: key.mark for key in play.view(0).keys}["3"] is Mark.RIGHT
    assert all(key.mark is None for key in play.view(1).keys)


def test_it_is_for_one_round_and_once_a_match() -> None:
    play = revealing()
    play.use()
    play.draw_round().next_round()
    assert play.view(0).revealed == ()
    play.guess()
    assert play.use() == Rejected(Refusal.SKILL_USED)
