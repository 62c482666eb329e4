"""R1.13: time in which the server was away costs no duellist anything."""

from __future__ import annotations

from guessio.engine import duel
from guessio.rules.terms import DuelEnd
from tests.engine.duel.table import ANN, BEN, Duel

AWAY = 40_000
GIVEN = AWAY + 5_000


def restart(table: Duel) -> None:
    """The server is gone for a while and comes back, giving the extra time."""
    table.state = duel.shift(table.state, GIVEN)
    table.now_ms += AWAY


def test_both_clocks_get_downtime_back_while_choosing() -> None:
    table = Duel()
    table.wait(20_000)
    restart(table)
    table.wait(20_000 + GIVEN)
    assert table.clocks() == (40_000, 40_000)
    assert duel.next_deadline(table.state) == 60_000 + GIVEN


def test_the_movers_clock_gets_it_back_and_no_more() -> None:
    table = Duel().ready()
    table.wait(12_000)
    restart(table)
    assert duel.next_deadline(table.state) == 61_000 + GIVEN
    assert table.guess(ANN, "0000", at_ms=table.now_ms + 1) is None
    assert table.clocks()[0] == 49_000 + 5_000 - 1, "what it had when the server went, and the extra time"


def test_a_clock_never_shows_more_than_it_had() -> None:
    table = Duel().ready()
    restart(table)
    assert table.clocks() == (59_000, 58_000)
    assert table.guess(ANN, "0000", at_ms=table.now_ms) is None
    assert table.clocks() == (59_000, 58_000)


def test_graces_and_the_computer_wait_too() -> None:
    table = Duel(clock_ms=600_000, bots=[1])
    acts = table.state.seats[1].acts_ms
    assert acts is not None
    table.leaves(ANN, at_ms=100)
    restart(table)
    assert table.state.seats[1].acts_ms == acts + GIVEN
    table.wait(60_100 + GIVEN)
    assert (table.state.end, table.state.ended_ms) == (DuelEnd.DISCONNECT, 60_100 + GIVEN)


def test_a_finished_duel_stays_as_it_is() -> None:
    table = Duel()
    table.resign(BEN)
    assert duel.shift(table.state, GIVEN) == table.state
