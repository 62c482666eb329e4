"""X-Ray Vision (R6.2)."""

from __future__ import annotations

from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.engine.match.view import hears
from guessio.rules.terms import Mark, Refusal, SeatNo, Skill
from tests.kit.actors import Play


def watching(players: int = 3) -> Play:
    return Play.holding(*[Skill.XRAY] * players)


def marks_seen(play: Play, seat: int) -> list[bool]:
    return [row.marks is not None for row in play.view(seat).rows if not row.is_skip]


def test_it_shows_the_targets_new_guesses_until_the_round_ends() -> None:
    play = watching(2)
    play.guess()
    play.guess()
    play.use(1)
    play.guess()
    play.guess("5671")
    assert marks_seen(play, 0) == [True, False, True, True]
    row = play.view(0).rows[-1]
    assert (row.is_xray, row.is_own, row.marks) == (True, False, (Mark.ABSENT, Mark.ABSENT, Mark.ABSENT, Mark.ELSEWHERE))
    play.win_round(0).next_round()
    play.guess()
    assert marks_seen(play, 0) == [False]


def test_it_colours_the_watchers_keys() -> None:
    play = watching(2)
    play.use(1)
    play.guess("6789")
    play.guess("5671")
    assert {key.digit: key.mark for key in play.view(0).keys}["1"] is Mark.ELSEWHERE


def test_only_the_target_of_the_watcher_is_seen() -> None:
    play = watching()
    play.use(1)
    for _ in range(3):
        play.guess()
    assert marks_seen(play, 0) == [True, True, False]
    assert marks_seen(play, 2) == [False, False, True]


def test_the_target_learns_that_it_is_watched_but_never_by_whom() -> None:
    play = watching()
    play.use(1)
    used, watched = play.events
    assert used == events.SkillUsed(SeatNo(0), Skill.XRAY, SeatNo(1), only=(SeatNo(0),))
    assert watched == events.SeatWatched(SeatNo(1), only=(SeatNo(1),))
    assert [hears(used, SeatNo(seat)) for seat in range(3)] == [True, False, False]
    assert [hears(watched, SeatNo(seat)) for seat in range(3)] == [False, True, False]
    assert not hears(used, None)
    assert play.view(1).is_watched
    assert all(seat.disclosed_skill is None for seat in play.view(1).seats)
    assert not any(seat.is_watched_by_viewer for seat in play.view(1).seats)


def test_others_learn_nothing_at_all() -> None:
    play = watching()
    before = play.view(2)
    play.use(1)
    assert play.view(2) == before


def test_the_watcher_sees_whom_they_watch() -> None:
    play = watching()
    play.use(2)
    assert [seat.is_watched_by_viewer for seat in play.view(0).seats] == [False, False, True]
    skill = play.view(0).skill
    assert skill is not None
    assert (skill.used, skill.active, skill.can_use) == (True, True, False)


def test_two_may_watch_the_same_player_without_learning_of_each_other() -> None:
    play = watching()
    play.use(2)
    play.guess()
    play.use(2)
    assert len(play.round.xrays) == 2
    targets = play.view(1).skill
    assert targets is not None
    assert all(target.why_not is Refusal.SKILL_USED for target in targets.targets)


def test_it_is_used_up_at_once_and_once_a_match() -> None:
    play = watching(2)
    play.use(1)
    assert play.seat(0).skill_used
    play.guess()
    play.guess()
    assert play.use(1) == Rejected(Refusal.SKILL_USED)


def test_who_has_left_sees_no_more_marks_than_before() -> None:
    """R7.5"""
    play = watching()
    play.use(1)
    play.guess()
    play.guess()
    play.forfeit(0)
    play.guess()
    play.guess()
    assert marks_seen(play, 0) == [True, True, False, False]


def test_the_target_is_not_told_that_the_watcher_left() -> None:
    """R6.2: else the leaver would be known to have been the one."""
    play = watching()
    play.use(1)
    play.guess()
    play.use(2)
    play.forfeit(0)
    assert play.view(1).is_watched
    assert play.view(2).is_watched


def test_the_marks_seen_stay_on_the_board_of_the_finished_round() -> None:
    play = watching(2)
    play.use(1)
    play.guess()
    play.crack()
    assert marks_seen(play, 0) == [True, True]
    assert marks_seen(play, 1) == [False, True]
    assert not play.view(1).is_watched
