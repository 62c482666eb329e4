"""The measured delay: sealed by the server, of one turn and one player, and worth no more than the rules give back (R17.5)."""

from __future__ import annotations

import pytest

from guessio.engine.machine import Rejected
from guessio.rules import clocks, tunables
from guessio.rules.terms import AccountId, Refusal
from guessio.services import duel_lag, duel_record, duels
from guessio.services.tables import Accepted
from tests.kit.fake_clock import FakeClock
from tests.services.duels_kit import MINUTE, Pair


def measured(pair: Pair, account: AccountId, sent: str, turn: int | None = None) -> str:
    found = duels.seen(account, pair.id, len(pair.state.guesses) + 1 if turn is None else turn, sent)
    assert isinstance(found, str), found
    return found


def left(pair: Pair, account: AccountId, now_ms: int) -> int:
    return next(clocks.left_at(seat.clock, now_ms) for seat in pair.state.seats if seat.account == account)


def test_the_way_there_and_back_is_given_back_and_recorded(time: FakeClock) -> None:
    pair = Pair().ready()
    mover = pair.mover
    sent = duel_lag.stamp(pair.state, mover, time.now_ms)
    time.advance(180)
    lag = measured(pair, mover, sent)
    time.advance(2_000)
    assert isinstance(pair.guess("0000", lag=lag), Accepted)
    assert left(pair, mover, time.now_ms) == MINUTE - 2_180 + 180
    duels.resign(mover, pair.id)
    record = duel_record.find(mover, pair.id)
    assert record is not None
    assert [(move.took_ms, move.credited_ms) for move in record.moves] == [(2_180, 180)]
    assert record.sides[0].credited_ms == 180


def test_a_move_and_a_duel_are_given_back_so_much_at_most(time: FakeClock) -> None:
    pair = Pair().ready()
    mover, other = pair.mover, pair.waiter
    for turn in range(1, 11):
        actor = mover if turn % 2 else other
        sent = duel_lag.stamp(pair.state, actor, time.now_ms)
        time.advance(900)
        assert isinstance(pair.guess("0000", lag=measured(pair, actor, sent) if actor == mover else ""), Accepted)
    credits = [guess.credited_ms for guess in pair.state.guesses]
    assert credits[::2] == [300, 300, 300, 100, 0]
    assert sum(credits) == tunables.DUEL_LAG_QUOTA_MS
    assert credits[1::2] == [0] * 5


def test_only_the_player_on_the_move_gets_a_stamp(time: FakeClock) -> None:
    pair = Pair()
    assert duel_lag.stamp(pair.state, pair.ada, time.now_ms) == ""
    pair.ready()
    assert duel_lag.stamp(pair.state, pair.waiter, time.now_ms) == ""
    pair.crack()
    assert {duel_lag.stamp(pair.state, one, time.now_ms) for one in (pair.ada, pair.bo)} == {""}


def test_a_stamp_is_of_one_turn_one_player_and_one_duel(time: FakeClock) -> None:
    pair, others = Pair().ready(), Pair(names=("cy", "di")).ready()
    mover, waiter = pair.mover, pair.waiter
    sent = duel_lag.stamp(pair.state, mover, time.now_ms)
    stale = Rejected(Refusal.STALE_TURN)
    assert duels.seen(waiter, pair.id, 1, sent) == stale
    assert duels.seen(mover, pair.id, 2, sent) == stale
    assert duels.seen(others.mover, others.id, 1, sent) == stale
    pair.guess("0000")
    assert duels.seen(mover, pair.id, 1, sent) == stale, "that turn is over"


@pytest.mark.parametrize("made_up", ["", "300", "300.", "300." + "0" * 32, "-5.x", "9" * 40, "３.x", ".", "300.\ud800"])
def test_what_is_made_up_is_worth_nothing(time: FakeClock, made_up: str) -> None:
    pair = Pair().ready()
    time.advance(1_000)
    assert duels.seen(pair.mover, pair.id, 1, made_up) == Rejected(Refusal.STALE_TURN)
    assert isinstance(pair.guess("0000", lag=made_up), Accepted)
    assert pair.state.guesses[0].credited_ms == 0


def test_the_delay_of_one_turn_or_player_is_none_of_anothers(time: FakeClock) -> None:
    pair = Pair().ready()
    mover, waiter = pair.mover, pair.waiter
    sent = duel_lag.stamp(pair.state, mover, time.now_ms)
    time.advance(200)
    lag = measured(pair, mover, sent)
    pair.guess("0000", lag="")
    time.advance(1_000)
    pair.guess("0000", waiter, lag=lag)
    time.advance(1_000)
    pair.guess("0000", mover, lag=lag)
    assert [guess.credited_ms for guess in pair.state.guesses] == [0, 0, 0]


def test_a_stamp_is_no_delay_and_a_delay_no_stamp(time: FakeClock) -> None:
    pair = Pair().ready()
    sent = duel_lag.stamp(pair.state, pair.mover, time.now_ms)
    time.advance(200)
    lag = measured(pair, pair.mover, sent)
    assert duels.seen(pair.mover, pair.id, 1, lag) == Rejected(Refusal.STALE_TURN)
    pair.guess("0000", lag=sent)
    assert pair.state.guesses[0].credited_ms == 0


def test_the_seal_shows_nothing_of_the_seed(time: FakeClock) -> None:
    pair = Pair().ready()
    sent = duel_lag.stamp(pair.state, pair.mover, time.now_ms)
    assert pair.state.deal.seed not in sent
    assert sent.partition(".")[0] == str(time.now_ms)
