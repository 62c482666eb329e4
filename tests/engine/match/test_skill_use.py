"""When a skill can be used at all (R6.2, R1.12)."""

from __future__ import annotations

import pytest

from guessio.engine.machine import Rejected
from guessio.engine.match.commands import UseSkill
from guessio.rules.terms import AccountId, Refusal, Skill
from tests.kit.actors import Play


def holding() -> Play:
    return Play.holding(Skill.FREEZE, Skill.REVEAL, Skill.XRAY)


def test_only_on_ones_own_turn() -> None:
    play = holding()
    assert play.use(0, seat=1) == Rejected(Refusal.NOT_YOUR_TURN)


def test_only_where_skills_are_on_and_by_a_player() -> None:
    assert Play.in_round(2).use() == Rejected(Refusal.NO_SKILLS_HERE)
    assert holding().do(UseSkill(AccountId(7), 1)) == Rejected(Refusal.NOT_SEATED)


def test_not_before_the_first_round() -> None:
    play = Play.of(2, skills=(Skill.FREEZE, Skill.FREEZE))
    assert play.use(1, seat=0, turn=1) == Rejected(Refusal.NOT_STARTED)


def test_not_in_an_old_turn() -> None:
    play = holding()
    play.guess()
    assert play.use(1, seat=0, turn=1) == Rejected(Refusal.STALE_TURN)
    play.time_out()
    assert play.use(seat=1, turn=2) == Rejected(Refusal.TOO_LATE)


def test_not_after_leaving() -> None:
    play = holding()
    play.forfeit(0)
    assert play.use(1, seat=0, turn=1) == Rejected(Refusal.ALREADY_FORFEITED)


def test_who_left_before_picking_has_none() -> None:
    play = Play.of(3, skills=(Skill.FREEZE,) * 3)
    play.forfeit(0)
    assert play.view(0).skill is None


def test_a_seat_without_a_skill_cannot_use_one() -> None:
    from guessio.engine.match import seating, skills

    play = holding()
    state = seating.with_seat(play.state, play.on_turn, skill=None)
    assert skills.why_not(state, play.on_turn, None) is Refusal.SKILL_NOT_YOURS


@pytest.mark.parametrize(("seat", "why_not"), [(0, None), (1, Refusal.NOT_YOUR_TURN), (2, Refusal.NOT_YOUR_TURN)])
def test_the_view_says_why_it_cannot_be_used(seat: int, why_not: Refusal | None) -> None:
    skill = holding().view(seat).skill
    assert skill is not None
    assert (skill.can_use, skill.why_not) == (why_not is None, why_not)


def test_the_view_names_the_targets_and_what_is_against_each() -> None:
    play = Play.holding(*[Skill.FREEZE] * 4)
    play.forfeit(3)
    play.use(2)
    play.guess()
    skill = play.view(1).skill
    assert skill is not None
    assert [(target.name, target.why_not) for target in skill.targets] == [
        ("Ada", None),
        ("Cy", Refusal.TARGET_FROZEN),
        ("Di", Refusal.TARGET_LEFT),
    ]
    assert skill.can_use


def test_without_a_possible_target_it_cannot_be_used() -> None:
    play = Play.holding(*[Skill.FREEZE] * 3)
    play.forfeit(2)
    play.use(1)
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.can_use, skill.why_not, skill.active) == (False, Refusal.SKILL_ACTIVE, True)


def test_a_freeze_still_to_bite_shows_as_active_in_others_turns() -> None:
    play = Play.holding(*[Skill.FREEZE] * 3)
    play.use(2)
    play.guess()
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.active, skill.used, skill.why_not) == (True, False, Refusal.SKILL_ACTIVE)


def test_the_view_keeps_a_skill_closed_between_rounds_after_leaving_and_at_the_end() -> None:
    play = Play.holding(Skill.FREEZE, Skill.REVEAL, Skill.EXTRA_TURN)
    play.crack()
    reasons = [play.view(seat).skill for seat in (0, 1)]
    assert [skill and skill.why_not for skill in reasons] == [Refusal.NOT_STARTED, Refusal.NOT_STARTED]
    assert reasons[0] is not None
    assert reasons[0].targets[0].why_not is Refusal.NOT_STARTED
    play.next_round().forfeit(2)
    leaver = play.view(2).skill
    assert leaver is not None
    assert leaver.why_not is Refusal.ALREADY_FORFEITED
    play.win_round(0)
    ended = play.view(0).skill
    assert ended is not None
    assert (ended.why_not, ended.active) == (Refusal.ALREADY_OVER, False)


def test_the_view_shows_a_picked_skill_before_the_first_round() -> None:
    play = Play.of(2, skills=(Skill.FREEZE, Skill.FREEZE))
    play.pick(0, Skill.FREEZE)
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.why_not, skill.active) == (Refusal.NOT_STARTED, False)
