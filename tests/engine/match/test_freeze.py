"""Freeze (R6.2)."""

from __future__ import annotations

from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.rules.terms import Refusal, SeatNo, Skill
from tests.kit.actors import Play


def freezing(players: int = 3) -> Play:
    return Play.holding(*[Skill.FREEZE] * players)


def test_the_target_loses_its_next_turn_and_is_told_by_whom() -> None:
    play = freezing()
    play.use(1)
    assert play.events == (events.SkillUsed(SeatNo(0), Skill.FREEZE, SeatNo(1)),)
    assert play.view(1).is_frozen
    assert [seat.is_frozen for seat in play.view(2).seats] == [False, True, False]
    play.guess()
    assert play.happened(events.TurnSkipped) == [events.TurnSkipped(2, SeatNo(1), SeatNo(0))]
    assert play.on_turn == 2
    assert not play.view(1).is_frozen
    row = play.view(1).rows[-1]
    assert (row.is_skip, row.is_own, row.frozen_by) == (True, True, "Ada")


def test_it_is_used_up_only_when_it_bites() -> None:
    play = freezing()
    play.use(2)
    play.guess()
    assert not play.seat(0).skill_used
    play.guess()
    assert play.seat(0).skill_used


def test_it_bites_once() -> None:
    play = freezing()
    play.use(1)
    for _ in range(3):
        play.guess()
    assert play.on_turn == 1


def test_using_it_does_not_end_the_turn_and_a_time_out_leaves_it_standing() -> None:
    play = freezing()
    play.use(1)
    assert play.on_turn == 0
    play.time_out()
    assert play.on_turn == 2


def test_a_frozen_turn_is_no_time_out() -> None:
    """R6.2, R7.6"""
    play = freezing(2)
    play.use(1)
    play.time_out()
    assert play.on_turn == 0
    assert [seat.turns_skipped for seat in play.state.seats] == [1, 0]
    assert (play.round.timeouts, play.round.warned) == (1, False)


def test_it_lapses_when_the_round_ends_before_it_bites() -> None:
    play = freezing()
    play.use(2)
    play.crack()
    assert not play.seat(0).skill_used
    play.next_round()
    assert not play.view(2).is_frozen
    play.guess()
    assert play.on_turn == 2


def test_it_can_be_used_again_after_it_lapsed() -> None:
    play = freezing(2)
    play.guess()
    play.use(0)
    play.crack()
    play.next_round().use(0)
    play.guess()
    assert play.on_turn == 1


def test_it_is_not_used_up_when_the_target_leaves_first() -> None:
    """R7.4"""
    play = freezing(4)
    play.use(2)
    play.forfeit(2)
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.used, skill.active) == (False, False)
    play.use(3)
    assert play.view(3).is_frozen


def test_whom_it_may_name() -> None:
    play = freezing(4)
    play.forfeit(3)
    assert play.use() == Rejected(Refusal.TARGET_NEEDED)
    assert play.use(0) == Rejected(Refusal.TARGET_NOT_OPPONENT)
    assert play.use(9) == Rejected(Refusal.TARGET_NOT_OPPONENT)
    assert play.use(3) == Rejected(Refusal.TARGET_LEFT)
    play.use(2)
    play.guess()
    assert play.use(2) == Rejected(Refusal.TARGET_FROZEN)
    play.use(0)
    assert play.view(0).is_frozen


def test_two_frozen_in_a_row_are_both_passed_over() -> None:
    play = freezing(3)
    play.use(2)
    play.guess()
    play.use(0)
    play.guess()
    assert play.on_turn == 1
    assert [(skip.seat, skip.frozen_by) for skip in play.round.skips] == [(2, 0), (0, 1)]


def test_it_bites_even_after_the_freezer_has_left() -> None:
    play = freezing(3)
    play.use(2)
    play.guess()
    play.forfeit(0)
    play.guess()
    assert play.on_turn == 1


def test_a_frozen_turn_was_never_there_to_be_late_for() -> None:
    """R1.12"""
    play = freezing()
    play.use(1)
    play.guess()
    assert play.guess(seat=1, turn=2) == Rejected(Refusal.STALE_TURN)
