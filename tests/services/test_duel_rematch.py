"""A rematch: both must want it, the first move changes hands, and it is off when one goes elsewhere (R17.4)."""

from __future__ import annotations

import gevent
import pytest

from guessio import bus
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import DuelPhase, EngagementKind, Refusal, TableId
from guessio.services import bots, duel_exit, duel_lobby, duel_offers, duel_rematch, duels, matchmaking, presence, tables
from guessio.services.duel_lobby import OfferPage
from guessio.services.duel_views import RematchState
from guessio.store import bots as pool
from guessio.store import connections, database, engagements
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import TRIO, Heard, an_account
from tests.services.duels_kit import QUICK, TOTALS, Pair, agreed, bound, offer_of, state_of

pytestmark = pytest.mark.db


@pytest.fixture
def over(time: FakeClock) -> Pair:
    """A duel that is over, with both players' pages open."""
    pair = Pair(TOTALS).ready("01234", "56789").crack()
    with database.write() as conn:
        connections.add(conn, "w1", (pair.ada, pair.bo), 1)
    for one in (pair.ada, pair.bo):
        duel_rematch.opened(one, pair.id)
    return pair


def stands(pair: Pair) -> tuple[RematchState, RematchState]:
    """How things stand for Ada and for Bo."""
    return duel_rematch.look(pair.state, pair.ada).state, duel_rematch.look(pair.state, pair.bo).state


OPEN, OFFERED, ASKED, GONE = RematchState


def test_both_agree_and_play_again_with_the_first_move_changed(over: Pair) -> None:
    news = {one: Heard(f"account:{one}") for one in (over.ada, over.bo)}
    changes = Heard("duels")
    assert stands(over) == (OPEN, OPEN)
    assert duel_rematch.want(over.ada, over.id) == over.id
    assert stands(over) == (OFFERED, ASKED)
    assert bus.RematchChanged(over.id) in changes.messages
    new = duel_rematch.want(over.bo, over.id)
    assert isinstance(new, str)
    assert new != over.id
    after, before = state_of(TableId(new)), over.state
    assert [seat.account for seat in after.seats] == [seat.account for seat in before.seats]
    assert (after.agreement, after.deal.first) == (before.agreement, 1 - before.deal.first)
    assert [seat.secret for seat in after.seats] == [None, None]
    assert bound(over.ada) == bound(over.bo) == (EngagementKind.DUEL, new)
    assert all(heard.messages == [bus.Navigate(f"/duel/{new}")] for heard in news.values())


def test_the_first_move_changes_hands_again_in_the_next_rematch(over: Pair) -> None:
    duel_rematch.want(over.ada, over.id)
    second = TableId(str(duel_rematch.want(over.bo, over.id)))
    duels.resign(over.bo, second)
    duel_rematch.want(over.bo, second)
    third = TableId(str(duel_rematch.want(over.ada, second)))
    assert state_of(third).deal.first == over.state.deal.first != state_of(second).deal.first


def test_offering_twice_offers_once_and_agreeing_twice_leads_to_one_duel(over: Pair) -> None:
    """R1.12."""
    assert duel_rematch.want(over.ada, over.id) == duel_rematch.want(over.ada, over.id) == over.id
    new = duel_rematch.want(over.bo, over.id)
    assert duel_rematch.want(over.bo, over.id) == duel_rematch.want(over.ada, over.id) == new


def test_two_who_offer_at_the_same_moment_agree(over: Pair) -> None:
    asked = [gevent.spawn(duel_rematch.want, one, over.id) for one in (over.ada, over.bo)]
    answers = {one.get() for one in gevent.joinall(asked, raise_error=True)}
    assert bound(over.ada) == bound(over.bo) == (EngagementKind.DUEL, (answers - {over.id}).pop())


def test_a_rematch_is_for_the_other_duellist_alone(over: Pair) -> None:
    zoe = an_account("zoe")
    duel_rematch.want(over.ada, over.id)
    offer = offer_of(over.ada)
    assert offer is not None
    assert duel_lobby.page(zoe, {}).rows == ()
    assert duel_lobby.page(over.bo, {}).rows == ()
    assert duel_lobby.page(over.ada, {}).own is None
    assert duel_offers.take(zoe, offer.id) == Rejected(Refusal.OFFER_GONE)
    found = duel_lobby.offer(zoe, offer.id)
    assert isinstance(found, OfferPage)
    assert found.is_gone
    assert duel_rematch.want(zoe, over.id) is None


def test_there_is_no_rematch_of_a_duel_that_goes_on_or_never_was() -> None:
    pair = Pair()
    assert duel_rematch.want(pair.ada, pair.id) == Rejected(Refusal.NO_REMATCH)
    assert duel_rematch.want(pair.ada, TableId("nowhere")) is None


@pytest.mark.parametrize("who_leaves", ["ada", "bo"])
def test_leaving_the_page_takes_the_rematch_off(over: Pair, time: FakeClock, who_leaves: str) -> None:
    duel_rematch.want(over.ada, over.id)
    changes = Heard("duels")
    time.advance(1_000)
    leaver, other = (over.ada, over.bo) if who_leaves == "ada" else (over.bo, over.ada)
    duel_rematch.left(leaver, over.id, time.now_ms)
    assert changes.messages == [bus.RematchChanged(over.id)]
    assert (offer_of(over.ada), bound(over.ada)) == (None, None)
    assert duel_rematch.look(over.state, other).state is GONE
    assert duel_rematch.want(other, over.id) == Rejected(Refusal.NO_REMATCH)


def test_a_page_that_was_opened_again_meanwhile_was_not_left(over: Pair, time: FakeClock) -> None:
    """On another worker, as a reload may be."""
    gone_at = time.now_ms
    time.advance(500)
    duel_rematch.opened(over.bo, over.id)
    duel_rematch.left(over.bo, over.id, gone_at)
    assert stands(over) == (OPEN, OPEN)


def test_coming_back_to_the_page_makes_it_possible_again(over: Pair, time: FakeClock) -> None:
    time.advance(1)
    duel_rematch.left(over.bo, over.id, time.now_ms)
    assert stands(over)[0] is GONE
    changes = Heard("duels")
    duel_rematch.opened(over.bo, over.id)
    assert (stands(over)[0], changes.messages) == (OPEN, [bus.RematchChanged(over.id)])


def test_who_is_asked_and_searches_has_answered(over: Pair) -> None:
    """R3.6: whoever makes something else gives no answer any more."""
    duel_rematch.want(over.ada, over.id)
    changes = Heard("duels")
    matchmaking.search(over.bo, TRIO)
    assert changes.messages == [bus.RematchChanged(over.id)]
    assert (offer_of(over.ada), bound(over.ada)) == (None, None)
    assert stands(over)[0] is GONE


def test_who_asked_and_makes_another_offer_has_taken_it_back(over: Pair) -> None:
    duel_rematch.want(over.ada, over.id)
    assert isinstance(duel_offers.make(over.ada, QUICK, is_public=True), str)
    assert duel_rematch.look(over.state, over.bo).state is GONE
    assert duel_rematch.want(over.bo, over.id) == Rejected(Refusal.NO_REMATCH)


def test_who_asked_and_has_been_away_has_taken_it_back(over: Pair, time: FakeClock) -> None:
    duel_rematch.want(over.ada, over.id)
    presence.tell_if_absent((over.ada,), time.now_ms, without=("w1",))
    with database.write() as conn:
        connections.remove(conn, "w1", over.ada)
    duel_offers.away(over.ada, time.now_ms)
    time.advance(tunables.DUEL_OFFER_AWAY_MS)
    duel_offers.run_due()
    assert (offer_of(over.ada), stands(over)[1]) == (None, OPEN)


def test_there_is_no_rematch_with_somebody_who_plays_elsewhere(over: Pair) -> None:
    agreed(over.bo, an_account("cy"))
    assert stands(over)[0] is GONE
    assert duel_rematch.want(over.ada, over.id) == Rejected(Refusal.NO_REMATCH)
    assert duel_rematch.want(over.bo, over.id) == Rejected(Refusal.BUSY_ELSEWHERE)


def test_an_account_that_is_suspended_wants_no_rematch(over: Pair) -> None:
    duel_rematch.want(over.ada, over.id)
    duel_exit.leave(over.bo)
    assert (offer_of(over.ada), bound(over.ada)) == (None, None)


def test_whoever_was_away_too_long_wants_no_rematch(time: FakeClock) -> None:
    pair = Pair(TOTALS).ready("01234", "56789")
    loser, winner = pair.waiter, pair.mover
    presence.departed(loser, time.now_ms)
    tables.run_due(time.advance(tunables.AWAY_UNSEEN_MS))
    tables.run_due(time.advance(tunables.DUEL_GRACE_MS))
    assert pair.state.phase is DuelPhase.OVER
    assert duel_rematch.look(pair.state, winner).state is GONE
    duel_rematch.opened(loser, pair.id)
    assert duel_rematch.look(pair.state, winner).state is OPEN


def test_the_computer_always_plays_again(time: FakeClock) -> None:
    bots.seed(1)
    ada = an_account("ada")
    first = TableId(str(duel_offers.computer(ada, QUICK)))
    duels.resign(ada, first)
    assert duel_rematch.look(state_of(first), ada).state is OPEN
    second = duel_rematch.want(ada, first)
    assert isinstance(second, str)
    assert second == duel_rematch.want(ada, first), "a second tap begins no second duel"
    after, before = state_of(TableId(second)), state_of(first)
    assert [seat.account for seat in after.seats] == [seat.account for seat in before.seats]
    assert after.deal.first == 1 - before.deal.first


def test_another_bot_sits_down_when_that_one_has_found_other_work() -> None:
    bots.seed(2)
    ada = an_account("ada")
    first = TableId(str(duel_offers.computer(ada, QUICK)))
    duels.resign(ada, first)
    bot = state_of(first).seats[1].account
    with database.write() as conn:
        engagements.bind(conn, bot, EngagementKind.SEARCH, str(TRIO))
    second = TableId(str(duel_rematch.want(ada, first)))
    assert state_of(second).seats[1].is_bot
    assert state_of(second).seats[1].account != bot
    with database.read() as conn:
        assert pool.idle(conn) == ()


def test_pages_of_what_is_no_finished_duel_leave_nothing_behind() -> None:
    pair = Pair()
    for table in (pair.id, TableId("nowhere")):
        duel_rematch.opened(pair.ada, table)
        duel_rematch.left(pair.ada, table, 1)
    assert pair.state.phase is DuelPhase.CHOOSING
