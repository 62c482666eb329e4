"""Guesses: which are taken, and what follows (R1.6, R1.8, R1.9)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guessio.engine.machine import Rejected
from guessio.engine.match import events
from guessio.engine.match.commands import SubmitGuess
from guessio.rules.terms import AccountId, MatchPhase, Refusal, RoundEnd, SeatNo
from tests.kit.actors import Play
from tests.kit.builders import account

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "guess_validation.json").read_text())
PLAYERS = {4: 2, 5: 3, 6: 4}


@pytest.mark.parametrize("case", [case for case in VECTORS["cases"] if case["mode"] == "guessio"], ids=lambda case: case["id"])
def test_a_guess_is_taken_or_refused_for_the_first_rule_it_breaks(case: dict[str, object]) -> None:
    """R1.6: a refused guess costs nothing, and the turn goes on."""
    raw, repeat, length = case["raw"], case.get("raw_repeat", 1), case["length"]
    assert isinstance(repeat, int)
    assert isinstance(length, int)
    play = Play.in_round(PLAYERS[length])
    before = play.wait(7).state
    text = raw * repeat if isinstance(raw, str) else raw
    outcome = play.do(SubmitGuess(account(0), 1, text))  # type: ignore[arg-type]
    if case["valid"]:
        assert play.happened(events.GuessMarked)
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.refusal in case["reasons"]  # type: ignore[operator]
        assert play.state == before


def test_a_refusal_says_which_digit_is_repeated_and_how_many_are_needed() -> None:
    """R1.6"""
    play = Play.in_round(3)
    assert play.guess("12341") == Rejected(Refusal.REPEATED_DIGIT, "1")
    assert play.guess("123") == Rejected(Refusal.WRONG_LENGTH, "5")
    assert play.guess("1234x") == Rejected(Refusal.NOT_DIGITS)


def test_a_wrong_guess_is_numbered_and_passes_the_turn_with_full_time() -> None:
    """R1.5, R1.7"""
    play = Play.in_round(2)
    play.wait(12_345)
    play.guess("0234")
    assert play.events == (events.GuessMarked(1, 1, SeatNo(0)), events.TurnStarted(2, SeatNo(1)))
    guess = play.round.guesses[0]
    assert (guess.number, guess.digits, guess.took_ms) == (1, "0234", 12_345)
    assert play.state.until_ms == play.now_ms + 30_000


def test_only_the_player_on_turn_can_guess() -> None:
    """R1.5"""
    play = Play.in_round(2)
    assert play.guess(seat=1) == Rejected(Refusal.NOT_YOUR_TURN)


def test_a_stranger_cannot_guess() -> None:
    play = Play.in_round(2)
    assert play.do(SubmitGuess(AccountId(7), 1, "1234")) == Rejected(Refusal.NOT_SEATED)


def test_nobody_guesses_before_the_first_round() -> None:
    assert Play.of(2).guess(seat=0, turn=1) == Rejected(Refusal.NOT_STARTED)


def test_an_earlier_guess_may_be_repeated_and_counts() -> None:
    """R1.8"""
    play = Play.in_round(2)
    play.guess("0234")
    play.guess("0234")
    play.guess("0234")
    assert [guess.number for guess in play.round.guesses] == [1, 2, 3]


def test_the_first_correct_guess_wins_the_round() -> None:
    """R1.9"""
    play = Play.in_round(3)
    play.guess()
    play.crack()
    assert play.events == (events.GuessMarked(1, 2, SeatNo(1)), events.RoundEnded(1, last=False))
    assert (play.round.end, play.round.winner, play.round.ended_ms) == (RoundEnd.CRACKED, 1, play.now_ms)
    assert play.state.turn is None


@pytest.mark.parametrize(("players", "limit"), [(2, 10), (3, 15), (4, 20)])
def test_the_round_is_drawn_when_the_shared_limit_is_reached(players: int, limit: int) -> None:
    """R1.8"""
    play = Play.in_round(players)
    for number in range(limit):
        assert play.state.phase is MatchPhase.TURN, number
        play.guess()
    assert (play.round.end, play.round.winner) == (RoundEnd.LIMIT, None)
    assert len(play.round.guesses) == limit


def test_the_last_guess_of_the_limit_can_still_win() -> None:
    """R1.8, R1.9"""
    play = Play.in_round(2)
    for _ in range(9):
        play.guess()
    play.crack()
    assert (play.round.end, play.round.winner) == (RoundEnd.CRACKED, 1)


def test_a_guess_at_the_very_deadline_comes_too_late() -> None:
    """R1.5"""
    play = Play.in_round(2)
    play.now_ms += 30_000
    assert play.guess(turn=1, seat=0) == Rejected(Refusal.TOO_LATE)
    play.now_ms -= 1
    assert not isinstance(play.guess(turn=1, seat=0), Rejected)


def test_a_guess_for_a_turn_that_ran_out_is_too_late() -> None:
    """R1.12"""
    play = Play.in_round(2)
    play.time_out()
    play.guess()
    assert play.on_turn == 0
    assert play.guess(turn=1) == Rejected(Refusal.TOO_LATE)


def test_a_guess_for_any_other_old_or_future_turn_is_stale() -> None:
    """R1.12"""
    play = Play.in_round(2)
    play.guess()
    assert play.guess("5678", seat=0, turn=1) == Rejected(Refusal.STALE_TURN)
    assert play.guess(seat=0, turn=99) == Rejected(Refusal.STALE_TURN)


def test_in_the_pause_every_turn_is_stale_and_afterwards_over() -> None:
    play = Play.in_round(2)
    play.crack()
    assert play.guess(seat=1, turn=2) == Rejected(Refusal.STALE_TURN)
    play.next_round().win_round(0)
    assert play.state.phase is MatchPhase.CLOSING
    assert play.guess(seat=1, turn=1) == Rejected(Refusal.ALREADY_OVER)
    play.time_out()
    assert play.guess(seat=1, turn=1) == Rejected(Refusal.ALREADY_OVER)


def test_who_has_left_guesses_no_more() -> None:
    """R7.5"""
    play = Play.in_round(3)
    play.forfeit(0)
    assert play.guess(seat=0, turn=1) == Rejected(Refusal.ALREADY_FORFEITED)
