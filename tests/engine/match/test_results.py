"""The result of a match, as it is settled and kept (R7.5, R9.3, R10, R11)."""

from __future__ import annotations

import pytest

from guessio.engine import match
from guessio.engine.match.results import facts
from guessio.rules import codes
from guessio.rules.terms import LeaveReason, MatchEnd, Outcome, RoundEnd, SeatNo, Skill
from tests.kit.actors import Play


def outcomes(play: Play) -> list[Outcome]:
    return [seat.outcome for seat in match.results(play.state).seats]


def test_a_match_under_way_has_no_result() -> None:
    with pytest.raises(ValueError, match="still going on"):
        match.results(Play.in_round(2).state)


def test_a_full_match() -> None:
    """R10: played to its end with everybody there."""
    play = Play.in_round(2)
    play.wait(10_000).crack()
    play.next_round().wait(2_000).guess()
    play.wait(3_000).crack()
    result = match.results(play.state)
    assert (result.end, result.winner, result.full) == (MatchEnd.PLAYED, 0, True)
    assert outcomes(play) == [Outcome.WIN, Outcome.LOSS]
    assert result.duration_ms == 10_000 + 5_000 + 5_000
    assert (result.created_ms, result.ended_ms) == (play.state.created_ms, play.now_ms)
    assert [seat.rounds_won for seat in result.seats] == [2, 0]
    assert [seat.guesses for seat in result.seats] == [2, 1]
    assert (result.total_guesses, result.players) == (3, 2)
    assert match.results(play.time_out().state) == result


def test_its_rounds_are_kept_with_code_proof_and_every_guess() -> None:
    """R11.3, R11.4"""
    play = Play.in_round(2)
    play.time_out()
    play.crack()
    play.next_round().win_round(1)
    first, second = match.results(play.state).rounds
    assert (first.number, first.opener, first.end, first.winner, first.code) == (1, 0, RoundEnd.CRACKED, 1, "1234")
    assert codes.verify(first.code, first.nonce, first.commitment)
    assert [guess.digits for guess in first.guesses] == ["1234"]
    assert [skip.seat for skip in first.skips] == [0]
    assert first.duration_ms == 30_000
    assert (second.number, second.opener) == (2, 1)


def test_in_a_draw_only_who_forfeited_loses() -> None:
    """R7.5"""
    play = Play.in_round(3)
    play.forfeit(2)
    play.draw_round().next_round().draw_round().next_round().draw_round()
    result = match.results(play.state)
    assert outcomes(play) == [Outcome.DRAW, Outcome.DRAW, Outcome.LOSS]
    assert not result.full
    assert [(seat.forfeited, seat.left_reason, seat.connected) for seat in result.seats] == [
        (False, None, True),
        (False, None, True),
        (True, LeaveReason.QUIT, False),
    ]


def test_a_match_won_by_a_forfeit_is_not_full() -> None:
    play = Play.in_round(2)
    play.forfeit(0)
    result = match.results(play.state)
    assert (result.end, result.full, outcomes(play)) == (MatchEnd.FORFEIT, False, [Outcome.LOSS, Outcome.WIN])


def test_a_match_ended_with_somebody_away_is_not_full() -> None:
    """R9.3, R10"""
    play = Play.in_round(2)
    play.win_round(0).next_round()
    play.vanish(1)
    play.wait(3_000).win_round(0)
    result = match.results(play.state)
    assert (result.full, [seat.connected for seat in result.seats]) == (False, [True, False])
    assert outcomes(play) == [Outcome.WIN, Outcome.LOSS]


def test_a_match_without_rounds_took_no_time() -> None:
    play = Play.of(2)
    play.forfeit(0)
    result = match.results(play.state)
    assert (result.duration_ms, result.rounds, result.total_guesses) == (0, (), 0)


def test_skipped_turns_and_skills_are_kept() -> None:
    """R11.1"""
    play = Play.holding(Skill.FREEZE, Skill.REVEAL)
    play.use(1)
    play.time_out()
    play.win_round(1).next_round().win_round(1)
    result = match.results(play.state)
    assert [seat.turns_skipped for seat in result.seats] == [1, 0]
    assert [(seat.skill, seat.skill_used) for seat in result.seats] == [(Skill.FREEZE, True), (Skill.REVEAL, False)]


def test_what_achievements_ask_of_a_match() -> None:
    """R10"""
    play = Play.in_round(2)
    play.wait(8_000).crack()
    play.next_round().guess()
    play.wait(1_000).guess()
    play.wait(500).crack()
    play.next_round().win_round(0)
    result = match.results(play.state)
    own, other = facts(result, SeatNo(0)), facts(result, SeatNo(1))
    assert [(one.won, one.own_guesses, one.duration_ms) for one in own.rounds] == [(True, 1, 8_000), (False, 1, 1_500), (True, 1, 0)]
    assert [(one.won, one.own_guesses) for one in other.rounds] == [(False, 0), (True, 2), (False, 0)]
    assert (own.outcome, own.absent, own.full, own.duration_ms) == (Outcome.WIN, False, True, 8_000 + 1_500 + 10_000)


def test_an_awarded_round_was_won_by_none_of_ones_guesses() -> None:
    """R10"""
    play = Play.in_round(2)
    play.guess()
    play.forfeit(1)
    winner, leaver = (facts(match.results(play.state), SeatNo(seat)) for seat in (0, 1))
    assert [(one.won, one.own_guesses) for one in winner.rounds] == [(True, 0)]
    assert (leaver.absent, leaver.outcome) == (True, Outcome.LOSS)


def test_a_cancelled_match_is_not_full_though_everybody_was_there() -> None:
    """R7.6, R10"""
    play = Play.in_round(2)
    for _ in range(4):
        play.time_out()
    result = match.results(play.state)
    assert (result.full, [seat.connected for seat in result.seats]) == (False, [True, True])
    assert (result.winner, outcomes(play)) == (None, [Outcome.CANCELLED, Outcome.CANCELLED])
