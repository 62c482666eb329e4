"""R17.5: clocks decide at their own moment."""

from __future__ import annotations

import pytest

from guessio.engine import duel
from guessio.engine.duel.events import DuelEnded
from guessio.rules.terms import DuelEnd, Refusal
from tests.engine.duel.table import ANN, BEN, MINUTE, Duel


def test_the_movers_clock_at_zero_loses() -> None:
    table = Duel().ready()
    assert duel.next_deadline(table.state) == 61_000
    table.wait(60_999)
    assert not duel.is_over(table.state)
    table.wait(75_000)
    assert table.events == (DuelEnded(DuelEnd.FLAG, 1),)
    assert (table.state.ended_ms, table.clocks()) == (61_000, (0, 58_000))


def test_a_guess_at_the_very_moment_of_the_flag_is_too_late() -> None:
    table = Duel().ready()
    assert table.guess(ANN, "5678", at_ms=61_000) is Refusal.TOO_LATE
    assert table.state.winner == 1


def test_a_guess_one_millisecond_before_counts() -> None:
    table = Duel().ready()
    assert table.guess(ANN, "5678", at_ms=60_999) is None
    assert table.state.winner == 0
    assert table.clocks()[0] == 1


def test_never_ready_on_both_sides_is_the_one_draw() -> None:
    table = Duel()
    table.wait(MINUTE)
    assert table.events == (DuelEnded(DuelEnd.DRAW_NO_SECRETS, None),)
    assert table.clocks() == (0, 0)


@pytest.mark.parametrize(("ready", "winner"), [(ANN, 0), (BEN, 1)])
def test_who_never_gets_ready_loses_to_who_did(ready: int, winner: int) -> None:
    table = Duel()
    table.secret(ready, "1234", at_ms=59_999)
    table.wait(MINUTE)
    assert (table.state.end, table.state.winner) == (DuelEnd.FLAG, winner)


class TestLagAllowance:
    """R17.5: measured lag is given back, a little a move, from a small quota."""

    def test_the_move_gets_its_lag_back(self) -> None:
        table = Duel().ready()
        table.guess(ANN, "0000", at_ms=7_000, lag_ms=120)
        assert table.clocks()[0] == 54_120
        guess = table.state.guesses[0]
        assert (guess.took_ms, guess.credited_ms) == (5_000, 120)

    def test_never_more_than_300_ms_a_move_and_a_second_in_all(self) -> None:
        table = Duel().ready()
        for _ in range(5):
            table.guess(ANN, "0000", lag_ms=5_000)
            table.guess(BEN, "0000")
        credited = [guess.credited_ms for guess in table.state.guesses if guess.seat == 0]
        assert credited == [300, 300, 300, 100, 0]

    def test_never_more_than_the_move_took(self) -> None:
        table = Duel().ready()
        table.guess(ANN, "0000", at_ms=table.now_ms + 40, lag_ms=300)
        assert table.clocks()[0] == 59_000

    def test_negative_lag_costs_nothing(self) -> None:
        table = Duel().ready()
        table.guess(ANN, "0000", at_ms=7_000, lag_ms=-500)
        assert table.clocks()[0] == 54_000

    def test_lag_does_not_stretch_the_flag(self) -> None:
        assert Duel().ready().guess(ANN, "5678", at_ms=61_000, lag_ms=300) is Refusal.TOO_LATE
