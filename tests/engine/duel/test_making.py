"""R17.4, R17.6, R3.6: the making of a duel, its rematch and its result."""

from __future__ import annotations

import pytest

from guessio.engine import duel
from guessio.rules.terms import AccountId, DuelEnd, Outcome, SeatNo, TableKind
from tests.engine.duel.table import ANN, BEN, Duel


def test_the_first_mover_is_drawn() -> None:
    tokens = "ab" * 32
    assert duel.draw(lambda n: n - 1, lambda size: "ab" * size) == duel.Deal(SeatNo(1), tokens)
    assert duel.draw(lambda n: 0, lambda size: "ab" * size) == duel.Deal(SeatNo(0), tokens)


def test_a_rematch_gives_the_first_move_to_the_other() -> None:
    table = Duel(first=1)
    first = duel.first_of_rematch(table.state)
    assert duel.draw(lambda _: pytest.fail("a rematch draws no first mover"), lambda _: "", first).first == 0


def test_both_are_bound_until_it_is_over() -> None:
    table = Duel()
    assert duel.KIND is TableKind.DUEL
    assert duel.engaged(table.state) == duel.members(table.state) == (ANN, BEN)
    table.resign(ANN)
    assert duel.engaged(table.state) == ()
    assert duel.members(table.state) == (ANN, BEN)


def test_the_grace_is_a_minute_unless_told_otherwise() -> None:
    assert Duel().state.grace_ms == 60_000
    assert Duel(grace_ms=30_000).state.grace_ms == 30_000


def test_the_result_counts_guesses_and_time() -> None:
    table = Duel().ready()
    table.guess(ANN, "0000", at_ms=4_000, lag_ms=50)
    table.guess(BEN, "1234", at_ms=9_000)
    result = duel.results(table.state)
    assert (result.end, result.winner, result.started_ms, result.ended_ms) == (DuelEnd.CRACKED, BEN, 0, 9_000)
    ann, ben = result.players
    assert (ann.account, ann.outcome, ann.guesses, ann.used_ms, ann.credited_ms) == (ANN, Outcome.LOSS, 1, 2_950, 50)
    assert (ben.account, ben.outcome, ben.guesses, ben.used_ms, ben.credited_ms) == (BEN, Outcome.WIN, 1, 7_000, 0)


def test_the_draw_is_a_draw_for_both() -> None:
    table = Duel()
    with pytest.raises(ValueError, match="not over"):
        duel.results(table.state)
    table.wait(60_000)
    result = duel.results(table.state)
    assert result.winner is None
    assert {player.outcome for player in result.players} == {Outcome.DRAW}


def test_seats_know_who_sits_where() -> None:
    table = Duel(bots=[1])
    assert [seat.is_bot for seat in table.state.seats] == [False, True]
    assert isinstance(table.state.seats[0].account, int)
    assert AccountId(table.state.seats[0].account) == ANN
