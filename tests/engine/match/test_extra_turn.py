"""Extra Turn (R6.2)."""

from __future__ import annotations

from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.rules.terms import Refusal, SeatNo, Skill
from tests.kit.actors import Play


def extra() -> Play:
    return Play.holding(Skill.EXTRA_TURN, Skill.EXTRA_TURN, Skill.EXTRA_TURN)


def test_it_grants_one_more_guess_with_fresh_time() -> None:
    play = extra()
    play.use()
    play.wait(20_000).guess()
    assert play.happened(events.TurnStarted) == [events.TurnStarted(2, SeatNo(0), extra=True)]
    assert play.state.until_ms == play.now_ms + 30_000
    play.guess()
    assert play.on_turn == 1


def test_it_is_used_up_only_when_it_is_granted() -> None:
    play = extra()
    play.use()
    assert not play.seat(0).skill_used
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.active, skill.used, skill.why_not) == (True, False, Refusal.SKILL_ACTIVE)
    play.guess()
    assert play.seat(0).skill_used


def test_a_time_out_gives_it_back() -> None:
    play = extra()
    play.use()
    play.time_out()
    assert not play.seat(0).skill_used
    play.guess()
    play.guess()
    assert play.on_turn == 0
    play.use()
    play.guess()
    assert play.turn.extra


def test_a_hit_gives_it_back() -> None:
    play = extra()
    play.use()
    play.crack()
    assert not play.seat(0).skill_used


def test_leaving_meanwhile_passes_the_turn_on() -> None:
    """R7.4"""
    play = extra()
    play.use()
    play.forfeit(0)
    assert (play.on_turn, play.turn.extra, play.turn.extra_armed) == (1, False, False)


def test_it_is_locked_when_one_guess_is_left() -> None:
    play = Play.holding(Skill.FREEZE, Skill.EXTRA_TURN)
    for _ in range(9):
        play.guess()
    assert play.on_turn == 1
    assert play.use() == Rejected(Refusal.LAST_GUESS_LEFT)
    skill = play.view(1).skill
    assert skill is not None
    assert skill.why_not is Refusal.LAST_GUESS_LEFT


def test_an_extra_turn_can_run_out_as_any_other() -> None:
    """R1.5, R7.6"""
    play = extra()
    play.use()
    play.guess()
    play.time_out()
    assert play.on_turn == 1
    assert (play.seat(0).turns_skipped, play.round.timeouts) == (1, 1)


def test_a_target_sent_along_is_ignored() -> None:
    play = extra()
    play.use(2)
    assert play.turn.extra_armed
    assert play.seat(0).skill_target is None
