"""Picking skills (R6.1)."""

from __future__ import annotations

from guessio.engine.machine import Rejected, Step
from guessio.engine.match import events
from guessio.engine.match.commands import PickSkill
from guessio.rules.terms import AccountId, MatchPhase, Refusal, SeatNo, Skill
from tests.kit.actors import Play
from tests.kit.builders import a_deal


def picking(players: int = 3, **made: object) -> Play:
    return Play.of(players, skills=(Skill.FREEZE, Skill.XRAY, Skill.REVEAL, Skill.EXTRA_TURN)[:players], **made)


def test_players_pick_one_after_another_in_seat_order() -> None:
    play = picking()
    play.pick(0, Skill.XRAY)
    assert play.events == (events.SkillPicked(SeatNo(0), timed_out=False), events.PickStarted(SeatNo(1)))
    assert play.state.until_ms == play.now_ms + 10_000
    play.pick(1, Skill.XRAY)
    assert play.state.picker == 2


def test_the_same_skill_may_be_picked_by_several() -> None:
    play = picking(2)
    play.pick(0, Skill.FREEZE)
    play.pick(1, Skill.FREEZE)
    assert [seat.skill for seat in play.state.seats] == [Skill.FREEZE, Skill.FREEZE]


def test_after_the_last_pick_the_countdown_starts() -> None:
    play = picking(2)
    play.pick(0, Skill.FREEZE)
    play.pick(1, Skill.XRAY)
    assert play.state.phase is MatchPhase.COUNTDOWN
    assert play.state.picker is None
    assert play.happened(events.CountdownStarted)


def test_when_time_runs_out_the_dealt_skill_is_given() -> None:
    play = picking()
    play.wait(9_999)
    assert play.seat(0).skill is None
    play.wait(1)
    assert play.seat(0).skill is Skill.FREEZE
    assert play.events == (events.SkillPicked(SeatNo(0), timed_out=True), events.PickStarted(SeatNo(1)))


def test_a_bot_picks_by_itself_in_less_than_a_persons_time() -> None:
    play = picking(bots=(0,))
    assert play.state.until_ms is not None
    assert 2_500 <= play.state.until_ms - play.now_ms <= 5_000
    play.to_deadline()
    assert play.seat(0).skill is Skill.FREEZE
    assert play.happened(events.SkillPicked)[0].timed_out is False


def test_nobody_picks_out_of_turn() -> None:
    assert picking().pick(1, Skill.XRAY) == Rejected(Refusal.NOT_YOUR_PICK)


def test_a_pick_stands() -> None:
    play = picking()
    play.pick(0, Skill.XRAY)
    assert play.pick(0, Skill.FREEZE) == Rejected(Refusal.ALREADY_PICKED)


def test_a_repeated_pick_changes_nothing() -> None:
    """R1.12"""
    play = picking()
    play.pick(0, Skill.XRAY)
    before = play.state
    assert play.pick(0, Skill.XRAY) == Step(before)


def test_a_pick_at_the_very_deadline_comes_too_late() -> None:
    play = picking()
    play.now_ms += 10_000
    assert play.pick(0, Skill.XRAY) == Rejected(Refusal.ALREADY_PICKED)


def test_strangers_cannot_pick_nor_anyone_where_there_are_no_skills() -> None:
    assert picking().do(PickSkill(AccountId(7), Skill.XRAY)) == Rejected(Refusal.NOT_SEATED)
    assert Play.of(2).pick(0, Skill.XRAY) == Rejected(Refusal.NO_SKILLS_HERE)


def test_who_leaves_before_their_pick_is_passed_over() -> None:
    """R7.4"""
    play = picking(4)
    play.forfeit(1)
    play.pick(0, Skill.XRAY)
    assert play.state.picker == 2
    assert play.pick(1, Skill.XRAY) == Rejected(Refusal.ALREADY_FORFEITED)


def test_when_the_picker_leaves_the_next_one_picks_with_full_time() -> None:
    """R7.4"""
    play = picking()
    play.wait(4_000).forfeit(0)
    assert play.state.picker == 1
    assert play.state.until_ms == play.now_ms + 10_000


def test_when_the_last_picker_leaves_the_countdown_starts() -> None:
    play = picking()
    play.pick(0, Skill.XRAY)
    play.pick(1, Skill.XRAY)
    play.forfeit(2)
    assert play.state.phase is MatchPhase.COUNTDOWN


def test_of_two_the_one_who_stays_wins_at_once() -> None:
    """R7.4: before round 1 nothing can be awarded."""
    play = picking(2)
    play.forfeit(0)
    assert (play.state.phase, play.state.winner, play.state.picker) == (MatchPhase.OVER, 1, None)
    assert play.pick(1, Skill.XRAY) == Rejected(Refusal.ALREADY_OVER)


def test_which_skill_was_picked_is_nowhere_in_the_events() -> None:
    """R6.1: who, not what."""
    play = Play.of(2, skills=(), deal=a_deal(2, skills=(Skill.XRAY, Skill.FREEZE)))
    play.pick(0, Skill.EXTRA_TURN)
    assert Skill.EXTRA_TURN not in repr(play.events)
