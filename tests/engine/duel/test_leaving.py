"""R17.6, R5.1: resigning and being away."""

from __future__ import annotations

import pytest

from guessio.engine import duel
from guessio.engine.duel.events import ConnectionNoted, DuelEnded, SeatAway, SeatBack
from guessio.rules.terms import DuelEnd, Refusal
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel


@pytest.mark.parametrize(("loser", "winner"), [(ANN, 1), (BEN, 0)])
def test_resigning_loses_at_any_moment_and_once(loser: int, winner: int) -> None:
    for table in (Duel(), Duel().ready()):
        assert table.resign(loser) is None
        assert table.events == (DuelEnded(DuelEnd.RESIGN, winner),)
        assert table.resign(loser) is None
        assert table.events == ()
        assert table.resign(ANN if loser == BEN else BEN) is Refusal.ALREADY_OVER


def test_a_short_gap_is_seen_by_nobody() -> None:
    table = Duel(clock_ms=300_000).ready()
    table.leaves(BEN, at_ms=10_000)
    assert table.events == (ConnectionNoted(1),)
    table.wait(12_999)
    assert table.events == ()
    assert table.view(ANN).lanes[1].away_ms is None
    table.returns(BEN, at_ms=12_999)
    assert table.events == (ConnectionNoted(1),)
    table.wait(200_000)
    assert not duel.is_over(table.state)


def test_a_longer_absence_is_shown_with_what_is_left() -> None:
    table = Duel(clock_ms=300_000).ready()
    table.leaves(BEN, at_ms=10_000)
    table.wait(13_000)
    assert table.events == (SeatAway(1),)
    assert table.view(ANN).lanes[1].away_ms == 57_000
    table.returns(BEN, at_ms=69_999)
    assert table.events == (SeatBack(1),)
    assert table.view(ANN).lanes[1].away_ms is None


def test_sixty_seconds_away_lose() -> None:
    table = Duel(clock_ms=300_000).ready()
    table.leaves(BEN, at_ms=10_000)
    assert table.returns(BEN, at_ms=70_000) is None
    assert table.events == (), "too late: the duel is over"
    assert (table.state.end, table.state.winner, table.state.ended_ms) == (DuelEnd.DISCONNECT, 0, 70_000)


def test_the_clock_runs_while_its_owner_is_away() -> None:
    table = Duel().ready()
    table.leaves(ANN, at_ms=10_000)
    table.wait(61_000)
    assert (table.state.end, table.state.ended_ms) == (DuelEnd.FLAG, 61_000)


def test_the_flag_falls_before_a_grace_that_ends_with_it() -> None:
    """Ann, on the move, would win by Ben's absence in the same millisecond; her clock was at zero first."""
    table = Duel(clock_ms=61_000).ready()
    table.leaves(BEN, at_ms=2_000)
    table.wait(62_000)
    assert (table.state.end, table.state.winner, table.state.ended_ms) == (DuelEnd.FLAG, 1, 62_000)


def test_every_absence_starts_its_own_grace() -> None:
    table = Duel(clock_ms=600_000).ready()
    table.leaves(BEN, at_ms=10_000)
    table.returns(BEN, at_ms=69_000)
    table.leaves(BEN, at_ms=70_000)
    table.wait(129_999)
    assert not duel.is_over(table.state)
    table.wait(130_000)
    assert duel.is_over(table.state)


def test_a_guess_in_flight_of_someone_away_counts() -> None:
    table = Duel().ready()
    table.leaves(ANN)
    assert table.guess(ANN, "5678") is None
    assert table.state.winner == 0


def test_when_both_are_gone_for_good_the_one_on_the_move_loses() -> None:
    table = Duel(clock_ms=600_000, first=1).ready()
    table.leaves(ANN, at_ms=10_000)
    table.leaves(BEN, at_ms=10_000)
    table.wait(70_000)
    assert (table.state.end, table.state.winner) == (DuelEnd.DISCONNECT, 0)


def test_a_grace_shorter_than_the_unseen_gap_ends_at_once() -> None:
    table = Duel(grace_ms=2_000).ready()
    table.leaves(BEN, at_ms=10_000)
    table.wait(12_000)
    assert table.state.end is DuelEnd.DISCONNECT


@pytest.mark.parametrize(("since_ms", "ends_ms"), [(40_000, 100_000), (90_000, 110_000), (-90_000, 50_000)])
def test_an_absence_counts_from_when_it_began_but_never_ends_in_the_past(since_ms: int, ends_ms: int) -> None:
    table = Duel(clock_ms=600_000).ready()
    now = 50_000
    table.leaves(BEN, at_ms=now, since_ms=since_ms)
    since = min(since_ms, now)
    assert table.state.seats[1].away_since_ms == max(since, now - 60_000)
    table.wait(max(since, now - 60_000) + 60_000 - 1)
    assert not duel.is_over(table.state)
    table.wait(max(since, now - 60_000) + 60_000)
    assert duel.is_over(table.state)
    assert ends_ms >= now


def test_connection_news_that_change_nothing() -> None:
    table = Duel(bots=[1])
    assert table.returns(ANN) is None
    assert table.events == ()
    table.leaves(ANN)
    table.leaves(ANN)
    assert table.events == (), "away already"
    assert table.do(duel.Disconnect(BEN, 0), table.now_ms) is None
    assert table.events == (), "the computer is always there"
    assert table.returns(STRANGER, table.now_ms) is Refusal.NOT_SEATED
    assert table.leaves(STRANGER, table.now_ms) is Refusal.NOT_SEATED
    assert table.resign(STRANGER, table.now_ms) is Refusal.NOT_SEATED
    table.resign(ANN, table.now_ms)
    table.leaves(ANN, table.now_ms)
    assert table.events == (), "over"
