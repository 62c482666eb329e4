"""R17.2, R17.5: choosing the secrets while both clocks run."""

from __future__ import annotations

import pytest

from guessio.engine.duel.events import SecretSet, TurnStarted
from guessio.rules.terms import DuelPhase, Refusal, SecretRule
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel


def test_ready_stops_ones_own_clock_only() -> None:
    table = Duel()
    assert table.secret(ANN, "0417", at_ms=4_000) is None
    assert table.events == (SecretSet(0),)
    table.wait(9_500)
    assert table.clocks() == (56_000, 50_500)
    assert table.state.phase is DuelPhase.CHOOSING


@pytest.mark.parametrize("first", [0, 1])
def test_when_both_are_ready_the_first_movers_clock_runs(first: int) -> None:
    """R17.4, R17.5."""
    table = Duel(first=first).ready()
    assert table.events == (SecretSet(1), TurnStarted(1, first))
    assert table.state.on_move == first
    table.wait(5_000)
    assert table.clocks() == ((56_000, 58_000) if first == 0 else (59_000, 55_000))


@pytest.mark.parametrize(
    ("digits", "refusal"),
    [
        ("", Refusal.EMPTY),
        ("123", Refusal.WRONG_LENGTH),
        ("12a4", Refusal.NOT_DIGITS),
        ("1224", Refusal.REPEATED_DIGIT),
        ("0000", Refusal.REPEATED_DIGIT),
    ],
)
def test_a_refused_secret_leaves_the_clock_running(digits: str, refusal: Refusal) -> None:
    table = Duel(rule=SecretRule.ALL_DIFFERENT)
    assert table.secret(ANN, digits, at_ms=3_000) is refusal
    table.wait(5_000)
    assert table.clocks() == (55_000, 55_000)
    assert table.secret(ANN, "0123") is None


@pytest.mark.parametrize("digits", ["0000", "1111", "1234", "0123"])
def test_nothing_is_refused_for_being_easy(digits: str) -> None:
    assert Duel().secret(ANN, digits) is None


def test_a_secret_stays() -> None:
    table = Duel()
    assert table.secret(ANN, "1234") is None
    assert table.secret(ANN, "1234") is None
    assert table.events == (), "a second tap changes nothing"
    assert table.secret(ANN, "4321") is Refusal.SECRET_ALREADY_SET
    table.secret(BEN, "5678")
    assert table.secret(BEN, "8765") is Refusal.SECRET_ALREADY_SET
    assert table.state.seats[0].secret == "1234"


def test_strangers_and_latecomers_set_no_secret() -> None:
    table = Duel()
    assert table.secret(STRANGER, "1234") is Refusal.NOT_SEATED
    table.resign(ANN)
    assert table.secret(BEN, "1234") is Refusal.ALREADY_OVER
