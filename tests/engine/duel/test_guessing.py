"""R17.3, R17.4, R17.6: guesses, turn by turn."""

from __future__ import annotations

import pytest

from guessio.engine import duel
from guessio.engine.duel import seating
from guessio.engine.duel.commands import SetSecret, SubmitGuess
from guessio.engine.duel.events import DuelEnded, GuessMarked, TurnStarted
from guessio.engine.machine import Rejected
from guessio.rules.terms import DuelEnd, DuelPhase, Refusal, SecretRule
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel


def test_a_miss_hands_over_the_move() -> None:
    table = Duel().ready()
    assert table.guess(ANN, "8765", at_ms=7_000) is None
    assert table.events == (GuessMarked(1, 0), TurnStarted(2, 1))
    table.wait(9_000)
    assert table.clocks() == (54_000, 56_000)
    assert table.state.guesses[0].took_ms == 5_000


def test_breaking_the_secret_wins_at_once() -> None:
    table = Duel().ready()
    table.guess(ANN, "0000")
    assert table.guess(BEN, "1234", at_ms=20_000) is None
    assert table.events == (GuessMarked(2, 1), DuelEnded(DuelEnd.CRACKED, 1))
    state = table.state
    assert (state.phase, state.winner, state.ended_ms, state.on_move) == (DuelPhase.OVER, 1, 20_000, None)
    before = table.clocks()
    table.wait(600_000)
    assert table.clocks() == before, "the clocks stand once it is decided"
    assert duel.next_deadline(table.state) is None


def test_guesses_are_unlimited() -> None:
    table = Duel().ready()
    for number in range(40):
        assert table.guess((ANN, BEN)[number % 2], "0000", at_ms=table.now_ms + 1) is None
    assert len(table.state.guesses) == 40


def test_a_guess_may_repeat_digits_in_an_all_different_duel() -> None:
    """R17.2."""
    table = Duel(rule=SecretRule.ALL_DIFFERENT).ready()
    assert table.guess(ANN, "5555") is None


@pytest.mark.parametrize(("digits", "refusal"), [("567", Refusal.WRONG_LENGTH), ("56a8", Refusal.NOT_DIGITS)])
def test_a_malformed_guess_keeps_the_move(digits: str, refusal: Refusal) -> None:
    table = Duel().ready()
    assert table.guess(ANN, digits) is refusal
    assert table.guess(ANN, "5679") is None


def test_the_length_that_is_wanted_is_named() -> None:
    table = Duel(length=5)
    step = duel.apply(table.state, SetSecret(ANN, "1234"), 1)
    assert step == Rejected(Refusal.WRONG_LENGTH, "5")


def test_out_of_turn_is_refused_and_costs_nothing() -> None:
    table = Duel().ready()
    before = table.state
    assert table.guess(BEN, "1234", at_ms=table.now_ms) is Refusal.NOT_YOUR_TURN
    assert table.state == before


def test_the_same_guess_twice_is_one_guess() -> None:
    table = Duel().ready()
    assert table.guess(ANN, "0000", turn=1) is None
    assert table.guess(ANN, "0000", turn=1) is None
    assert table.events == ()
    assert table.guess(ANN, "0001", turn=1) is Refusal.STALE_TURN
    assert table.guess(BEN, "0002", turn=2) is None
    assert table.guess(ANN, "0000", turn=1) is None
    assert len(table.state.guesses) == 2


def test_the_winning_guess_sent_twice_is_no_error() -> None:
    table = Duel().ready()
    table.guess(ANN, "5678", turn=1)
    assert table.guess(ANN, "5678", turn=1) is None
    assert table.guess(BEN, "1234", turn=2) is Refusal.ALREADY_OVER


def test_no_guess_before_both_are_ready() -> None:
    table = Duel()
    assert table.guess(ANN, "5678") is Refusal.NOT_STARTED
    table.secret(ANN, "1234")
    assert table.guess(ANN, "5678") is Refusal.NOT_STARTED
    with pytest.raises(ValueError, match="no secret yet"):
        seating.target_of(table.state, table.state.deal.first)


def test_strangers_guess_nothing() -> None:
    assert Duel().ready().guess(STRANGER, "5678") is Refusal.NOT_SEATED


def test_apply_settles_what_fell_due_before() -> None:
    """A guess that reached the server after the flag is too late, even if nothing ticked in between (R17.5)."""
    table = Duel().ready()
    assert duel.apply(table.state, SubmitGuess(ANN, 1, "5678"), 61_000) == Rejected(Refusal.TOO_LATE)
    step = duel.apply(table.state, SubmitGuess(ANN, 1, "5678"), 60_999)
    assert not isinstance(step, Rejected)
    assert step.state.winner == 0
