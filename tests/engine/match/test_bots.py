"""Computer-controlled players (R1.5, R3.4)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from guessio.engine import match
from guessio.engine.machine import Rejected
from guessio.engine.match import bots, chance, events, guessing, seating
from guessio.engine.match.state import Reveal, Xray
from guessio.rules import candidates, codes, feedback, tunables
from guessio.rules.terms import Difficulty, Refusal, SeatNo, Skill
from tests.kit.actors import Play
from tests.kit.builders import a_deal, a_match, a_random_deal


def against_bot(seed: str = "ab", **made: object) -> Play:
    return Play.in_round(2, bots=(1,), deal=a_deal(2, seed=seed), **made)


def bots_alone(players: int, seed: int, difficulty: Difficulty = Difficulty.STANDARD) -> Play:
    chance_ = random.Random(seed)
    play = Play(a_match(players, skills=(), difficulty=difficulty, bots=tuple(range(players)), deal=a_random_deal(players, chance_)))
    while not match.is_over(play.state):
        play.to_deadline()
    return play


def test_a_bot_waits_between_two_and_fifteen_seconds() -> None:
    """R1.5"""
    waits = [chance.guess_wait_ms("ab" * 32, turn) for turn in range(2_000)]
    assert min(waits) >= tunables.BOT_WAIT_MIN_MS
    assert max(waits) <= tunables.BOT_WAIT_MAX_MS
    assert max(waits) - min(waits) > 12_500


def test_a_bot_guesses_when_its_wait_is_over_and_has_no_timer() -> None:
    """R1.5"""
    play = against_bot()
    play.guess()
    due = match.next_deadline(play.state)
    assert due is not None
    assert 2_000 <= due - play.now_ms <= 15_000
    view = play.view(0)
    assert (view.turn_is_bot, view.remaining_ms, view.phase_total_ms) == (True, None, None)
    play.to_deadline()
    assert play.happened(events.GuessMarked) == [events.GuessMarked(1, 2, SeatNo(1))]


def test_nobody_speaks_for_a_bot_in_its_turn() -> None:
    play = against_bot()
    play.guess()
    assert play.guess(seat=0, turn=2) == Rejected(Refusal.NOT_YOUR_TURN)


def test_the_same_deal_gives_the_same_match() -> None:
    assert bots_alone(3, 5).log == bots_alone(3, 5).log
    assert bots_alone(3, 5).log != bots_alone(3, 6).log


def test_the_first_guess_is_random() -> None:
    """R3.4"""
    firsts: Counter[str] = Counter()
    for number in range(300):
        play = against_bot(seed=f"{number:04x}")
        play.guess()
        play.to_deadline()
        firsts[play.round.guesses[1].digits] += 1
    assert len(firsts) > 280
    assert {digits[0] for digits in firsts} == set(codes.DIGITS)


def test_every_guess_fits_all_that_the_bot_was_told_and_is_new() -> None:
    """R3.4"""
    for seed in range(6):
        for difficulty in Difficulty:
            state = bots_alone(2 + seed % 3, seed, difficulty).state
            for one in state.rounds:
                code = state.deal.codes[one.number - 1]
                for guess in one.guesses:
                    earlier = [was for was in one.guesses if was.seat == guess.seat and was.number < guess.number]
                    assert guess.digits not in {was.digits for was in earlier}
                    for was in earlier:
                        told = feedback.marks(code, was.digits, difficulty)
                        assert feedback.marks(guess.digits, was.digits, difficulty) == told


def test_in_hardcore_a_guess_with_every_digit_right_is_not_made_again() -> None:
    """R3.4: there it would still fit what the bot was told."""
    play = against_bot(difficulty=Difficulty.HARDCORE)
    play.guess()
    play.state = guessing.make(play.state, "4321", play.now_ms, [])
    drawn = {bots.guess_of(replace(play.state, turns_taken=number), SeatNo(1)) for number in range(300)}
    assert {"".join(sorted(digits)) for digits in drawn} == {"1234"}
    assert len(drawn) == 23
    assert "4321" not in drawn


def test_what_reveal_position_showed_is_kept_to() -> None:
    """R3.4"""
    play = against_bot()
    play.guess()
    play.state = seating.with_round(play.state, reveals=(Reveal(SeatNo(1), 3),))
    for number in range(50):
        play.state = replace(play.state, turns_taken=number + 1)
        assert bots.guess_of(play.state, SeatNo(1))[3] == play.code[3]


def test_what_xray_vision_showed_is_kept_to_and_the_seen_guess_may_be_made() -> None:
    """R3.4"""
    play = against_bot()
    play.state = seating.with_round(play.state, xrays=(Xray(SeatNo(1), SeatNo(0), 0),))
    play.guess("5679")
    for number in range(50):
        play.state = replace(play.state, turns_taken=number + 1)
        assert not set(bots.guess_of(play.state, SeatNo(1))) & set("5679")


def test_other_players_marks_are_not_used() -> None:
    """R3.4"""
    play = against_bot()
    play.guess("5679")
    drawn: set[str] = set()
    for number in range(50):
        play.state = replace(play.state, turns_taken=number + 1)
        drawn |= set(bots.guess_of(play.state, SeatNo(1)))
    assert drawn == set(codes.DIGITS)


def test_among_fitting_codes_none_is_preferred() -> None:
    """R3.4: chi-squared over the codes that are left, within six standard deviations."""
    knowledge = candidates.Knowledge(4)
    for guess in ("0123", "4567"):
        knowledge = knowledge.learn(guess, feedback.marks("2084", guess))
    left = candidates.count(knowledge)
    drawn = Counter(candidates.choose(knowledge, frozenset(), chance.picker("cd" * 32, "guess", turn)) for turn in range(left * 50))
    assert len(drawn) == left
    deviation = sum((times - 50) ** 2 / 50 for times in drawn.values())
    assert deviation < left - 1 + 6 * (2 * (left - 1)) ** 0.5


def test_draws_depend_on_seed_purpose_and_number_alone() -> None:
    assert [chance.picker("ab", "skill", 3)(1_000) for _ in range(2)] == [chance.picker("ab", "skill", 3)(1_000)] * 2
    others = {chance.picker(seed, purpose, number)(10**9) for seed in ("ab", "cd") for purpose in ("skill", "wait") for number in (1, 2)}
    assert len(others) == 8
    pick = chance.picker("ab", "skill", 3)
    assert len({pick(10**9) for _ in range(5)}) == 5


def test_bots_use_their_skills_and_no_more_than_once() -> None:
    """R3.4, R6.2"""
    used: Counter[Skill] = Counter()
    for seed in range(40):
        play = bots_alone(2 + seed % 3, seed)
        used.update(seat.skill for seat in play.state.seats if seat.skill_used and seat.skill)
        for number, seat in enumerate(play.state.seats):
            uses = [event for event in play.log if isinstance(event, events.SkillUsed) and event.seat == number]
            assert all(event.skill is seat.skill for event in uses)
            assert seat.skill is Skill.EXTRA_TURN or seat.skill is Skill.FREEZE or len(uses) <= 1
    assert set(used) == set(Skill)


def test_a_bot_waits_for_guesses_of_its_own_before_most_skills() -> None:
    """R3.4"""
    play = Play.holding(Skill.FREEZE, Skill.FREEZE, bots=(1,))
    play.guess()
    assert list(bots.wishes(play.state, SeatNo(1))) == []


def test_a_bot_aims_at_the_strongest_then_at_who_moves_next() -> None:
    """R3.4"""
    play = Play.holding(*[Skill.XRAY] * 4)
    play.win_round(3).next_round()
    for turns in range(1, 50):
        wishes = list(bots.wishes(replace(play.state, turns_taken=turns), SeatNo(1)))
        assert wishes in ([], [3, 2, 0])


def test_a_bot_without_a_skill_wishes_nothing() -> None:
    play = against_bot()
    assert list(bots.wishes(play.state, SeatNo(1))) == []


def test_a_bot_lets_a_wish_go_that_cannot_come_true() -> None:
    """R6.2: everyone is frozen already, or its skill is used."""
    play = Play.holding(Skill.REVEAL, Skill.REVEAL, bots=(0, 1))
    while not play.state.seats[0].skill_used:
        play.to_deadline()
    uses = [event for event in play.log if isinstance(event, events.SkillUsed) and event.seat == 0]
    while play.state.end is None:
        play.to_deadline()
    assert [event for event in play.log if isinstance(event, events.SkillUsed) and event.seat == 0] == uses
