"""Deadlines are settled in order, each at its own moment; a restart moves them on (R1.5, R1.10, R1.13)."""

from __future__ import annotations

import msgspec

from guessio.engine import match
from guessio.engine.match.state import MatchState
from guessio.rules import tunables
from guessio.rules.terms import MatchEnd, MatchPhase, Skill
from tests.kit.actors import Play
from tests.kit.builders import START_MS, a_deal, a_match

DAY_MS = 86_400_000


def step_by_step(state: MatchState, until_ms: int) -> MatchState:
    """The same time passing, one deadline at a time."""
    while (due := match.next_deadline(state)) is not None and due <= until_ms:
        state = match.tick(state, due).state
    return state


def test_one_late_tick_equals_many_timely_ones() -> None:
    state = a_match(3, skills=(Skill.XRAY,) * 3, bots=(1,))
    late = match.tick(state, state.created_ms + DAY_MS)
    assert late.state == step_by_step(state, state.created_ms + DAY_MS)
    assert match.is_over(late.state)


def test_a_late_tick_settles_picks_countdown_turns_and_absences_at_their_own_moments() -> None:
    play = Play.of(2, skills=(Skill.FREEZE, Skill.FREEZE))
    play.vanish(1)
    play.wait(DAY_MS)
    assert play.round.started_ms == START_MS + 10_000 + 10_000 + 5_000
    assert play.round.skips[0].turn == 1
    assert play.seat(1).left_ms == START_MS + 60_000
    assert play.state.ended_ms == START_MS + 60_000
    assert play.state.end is MatchEnd.FORFEIT


def test_a_tick_before_the_deadline_changes_nothing() -> None:
    play = Play.in_round(2)
    assert match.tick(play.state, play.now_ms + 29_999).state is play.state


def test_a_second_tick_changes_nothing() -> None:
    play = Play.in_round(2)
    once = match.tick(play.state, play.now_ms + 31_000)
    again = match.tick(once.state, play.now_ms + 31_000)
    assert again.state is once.state
    assert again.events == ()


def test_the_next_deadline_is_the_earliest_of_phase_and_absences() -> None:
    play = Play.in_round(2)
    play.wait(28_000).vanish(1)
    assert match.next_deadline(play.state) == play.now_ms + 2_000
    play.wait(2_000)
    assert match.next_deadline(play.state) == play.now_ms + 1_000


def test_an_absence_of_the_server_moves_every_deadline_on() -> None:
    """R1.13"""
    play = Play.in_round(2)
    play.wait(4_000).vanish(1)
    play.wait(1_000)
    moved = match.shift(play.state, 25_000)
    assert moved.until_ms == (play.state.until_ms or 0) + 25_000
    assert moved.seats[1].away_since_ms == (play.seat(1).away_since_ms or 0) + 25_000
    assert moved.seats[0].away_since_ms is None


def test_what_is_recorded_moves_by_the_absence_without_the_extra_time() -> None:
    """R1.9, R1.13: no guess or round seems longer for it."""
    play = Play.in_round(3)
    play.win_round(0).next_round()
    play.wait(2_000).guess()
    play.wait(1_000).forfeit(0)
    moved = match.shift(play.state, 20_000 + tunables.RESUME_EXTRA_MS)
    before, after = play.state.rounds, moved.rounds
    assert [one.started_ms - was.started_ms for one, was in zip(after, before, strict=True)] == [20_000, 20_000]
    assert after[0].ended_ms == (before[0].ended_ms or 0) + 20_000
    assert after[1].ended_ms is None
    assert after[1].guesses[0].at_ms == before[1].guesses[0].at_ms + 20_000
    assert after[1].guesses[0].took_ms == before[1].guesses[0].took_ms
    assert moved.turn is not None
    assert moved.turn.started_ms == play.turn.started_ms + 20_000
    assert moved.seats[0].left_ms == (play.seat(0).left_ms or 0) + 20_000


def test_a_shift_before_the_first_turn_moves_the_countdown() -> None:
    state = match.shift(a_match(2), 7_000)
    assert (state.turn, state.until_ms) == (None, START_MS + 12_000)


def test_a_decided_match_keeps_its_record_and_still_closes() -> None:
    play = Play.in_round(2)
    play.win_round(0).next_round().win_round(0)
    moved = match.shift(play.state, 60_000)
    assert (moved.ended_ms, moved.rounds) == (play.state.ended_ms, play.state.rounds)
    assert moved.until_ms == (play.state.until_ms or 0) + 60_000
    play.time_out()
    assert match.shift(play.state, 60_000) == play.state


def test_nobody_forfeits_because_the_server_was_away() -> None:
    """R1.13"""
    play = Play.in_round(2)
    play.vanish(1)
    play.wait(10_000)
    play.state = match.shift(play.state, DAY_MS + tunables.RESUME_EXTRA_MS)
    play.wait(DAY_MS)
    assert play.state.end is None
    assert play.view(0).seats[1].away_ms == 55_000


def test_remaining_grace_is_never_shown_longer_than_it_is() -> None:
    """R7.1"""
    play = Play.in_round(2)
    play.vanish(1)
    play.wait(3_000)
    play.state = match.shift(play.state, 10_000)
    assert play.view(0).seats[1].away_ms == 60_000


def test_scaled_time_is_read_when_it_is_needed() -> None:
    tunables.shorten(10)
    try:
        play = Play.in_round(2)
        assert play.state.until_ms == play.now_ms + 3_000
    finally:
        tunables.shorten(1)


def test_a_stored_state_is_the_same_state() -> None:
    """R1.13"""
    play = Play.holding(Skill.FREEZE, Skill.XRAY, Skill.REVEAL, deal=a_deal(3, skills=(Skill.FREEZE, Skill.XRAY, Skill.REVEAL)))
    play.use(2)
    play.guess()
    play.use(0)
    play.vanish(2)
    stored = msgspec.json.encode(play.state)
    assert msgspec.json.decode(stored, type=MatchState) == play.state


def test_the_clock_going_back_makes_no_guess_negative() -> None:
    play = Play.in_round(2)
    play.now_ms -= 50
    play.guess()
    assert play.round.guesses[0].took_ms == 0


def test_the_phases_follow_one_another() -> None:
    play = Play.of(2, skills=(Skill.FREEZE, Skill.FREEZE))
    phases = [play.state.phase]
    while not match.is_over(play.state):
        if play.state.phase is MatchPhase.TURN:
            play.crack()
        else:
            play.time_out()
        if play.state.phase is not phases[-1]:
            phases.append(play.state.phase)
    turn, pause = MatchPhase.TURN, MatchPhase.PAUSE
    assert phases == [MatchPhase.PICKING, MatchPhase.COUNTDOWN, turn, pause, turn, pause, turn, MatchPhase.CLOSING, MatchPhase.OVER]
