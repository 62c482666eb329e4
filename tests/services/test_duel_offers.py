"""Duel offers: made, narrowed, taken back, taken by one; one thing at a time; gone with their makers (R3.6, R17.1, R17.7)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import gevent
import pytest

from guessio import bus
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, EngagementKind, Refusal, SecretRule, TableId
from guessio.services import bots, duel_lobby, duel_offers, duels, engaged, home, matchmaking, play, presence, shelf, tables
from guessio.services.duel_lobby import OfferPage
from guessio.services.duel_terms import USUAL, Terms
from guessio.store import bots as pool
from guessio.store import connections, database, suspensions
from guessio.store import tables as rows
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import DUO, RANKED, TRIO, Heard, an_account
from tests.services.duels_kit import QUICK, TOTALS, Pair, agreed, bound, offer_of, state_of

pytestmark = pytest.mark.db


def offered(maker: AccountId, terms: Terms = QUICK, *, is_public: bool = True) -> str:
    made = duel_offers.make(maker, terms, is_public=is_public)
    assert isinstance(made, str), made
    return made


def lobby(viewer: AccountId, **fields: str) -> list[str]:
    return [row.id for row in duel_lobby.page(viewer, fields).rows]


# --- making and seeing ---------------------------------------------------------------------------------------------------------


def test_an_offer_is_seen_by_others_with_all_that_is_agreed(time: FakeClock) -> None:
    """R17.1: clock, length, repeats and format stand on the row."""
    ada, bo = an_account("ada"), an_account("bo")
    offer = offered(ada, TOTALS)
    time.advance(7_000)
    page = duel_lobby.page(bo, {})
    (row,) = page.rows
    assert (row.id, row.maker.username, row.terms, row.waited_ms) == (offer, "ada", TOTALS, 7_000)
    assert (row.take_url, page.total, page.own, page.chosen) == (f"/duels/offer/{offer}/take", 1, None, USUAL)
    assert bound(ada) == (EngagementKind.DUEL_OFFER, offer)


def test_ones_own_offer_stands_apart_with_its_link() -> None:
    ada = an_account("ada")
    offer = offered(ada, TOTALS, is_public=False)
    page = duel_lobby.page(ada, {})
    assert page.rows == ()
    assert page.own is not None
    assert (page.own.path, page.own.is_public, page.own.terms, page.chosen) == (f"/duels/offer/{offer}", False, TOTALS, TOTALS)


def test_an_offer_by_link_is_not_in_the_lobby_but_behind_its_link() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    offer = offered(ada, is_public=False)
    assert lobby(bo) == []
    found = duel_lobby.offer(bo, offer)
    assert isinstance(found, OfferPage)
    assert (found.is_gone, found.is_own, found.terms) == (False, False, QUICK)
    assert not isinstance(duel_offers.take(bo, offer), Rejected)


def test_the_newest_offer_stands_first(time: FakeClock) -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    first = offered(ada)
    time.advance(1)
    second = offered(bo)
    assert lobby(cy) == [second, first]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "qt"),
        ({"clock": "1"}, "q"),
        ({"clock": "3", "length": "5"}, "t"),
        ({"clock": "3", "length": "4"}, ""),
        ({"repeats": "all_different"}, "t"),
        ({"format": "per_position"}, "q"),
        ({"clock": "7", "length": "x", "repeats": "", "format": "none"}, "qt"),
    ],
)
def test_the_lobby_is_narrowed(fields: dict[str, str], shown: str) -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    ids = {offered(ada, QUICK): "q", offered(bo, TOTALS): "t"}
    page = duel_lobby.page(cy, fields)
    assert "".join(sorted(ids[row.id] for row in page.rows)) == shown
    assert page.total == 2


def test_the_filter_is_what_the_form_begins_with_and_the_stream_is_opened_with() -> None:
    page = duel_lobby.page(an_account("ada"), {"clock": "10", "format": "totals_only"})
    assert page.chosen == Terms(10, USUAL.length, USUAL.secret_rule, DuelFormat.TOTALS_ONLY)
    assert page.query == "clock=10&format=totals_only"


def test_making_the_same_offer_again_keeps_it_and_another_replaces_it() -> None:
    """R3.6."""
    ada, bo = an_account("ada"), an_account("bo")
    first = offered(ada)
    assert offered(ada) == first
    second = offered(ada, TOTALS)
    assert lobby(bo) == [second]
    assert duel_offers.take(bo, first) == Rejected(Refusal.OFFER_GONE)


def test_taking_an_offer_back_frees_its_maker() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    offer = offered(ada)
    duel_offers.withdraw(ada)
    duel_offers.withdraw(ada)
    assert (bound(ada), offer_of(ada), lobby(bo)) == (None, None, [])
    assert duel_offers.take(bo, offer) == Rejected(Refusal.OFFER_GONE)


def test_every_change_is_told_to_the_lobby() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    news = Heard("duels")
    offer = offered(ada)
    duel_offers.withdraw(ada)
    offer = offered(ada)
    duel_offers.take(bo, offer)
    assert news.messages == [bus.DuelsChanged()] * 4


# --- taking --------------------------------------------------------------------------------------------------------------------


def test_taking_an_offer_seats_both_and_sends_both_there() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    news = {one: Heard(f"account:{one}") for one in (ada, bo)}
    offer = offered(ada, TOTALS)
    table = duel_offers.take(bo, offer)
    assert table == offer
    state = state_of(TableId(offer))
    assert [seat.account for seat in state.seats] == [ada, bo]
    assert (state.agreement, state.phase) == (TOTALS.agreement, DuelPhase.CHOOSING)
    assert bound(ada) == bound(bo) == (EngagementKind.DUEL, table)
    assert all(heard.messages == [bus.Navigate(f"/duel/{table}")] for heard in news.values())
    assert (offer_of(ada), lobby(an_account("cy"))) == (None, [])


def test_the_first_mover_is_drawn() -> None:
    """R17.4: over many duels both begin."""
    ada, bo = an_account("ada"), an_account("bo")
    firsts: set[int] = set()
    while len(firsts) < 2:
        table = agreed(ada, bo)
        firsts.add(state_of(table).deal.first)
        duels.resign(ada, table)


def test_taking_twice_leads_to_the_same_duel() -> None:
    """R1.12."""
    ada, bo = an_account("ada"), an_account("bo")
    offer = offered(ada)
    assert duel_offers.take(bo, offer) == duel_offers.take(bo, offer) == offer
    assert [duel_lobby.offer(one, offer) for one in (ada, bo)] == [offer, offer]


def test_ones_own_offer_cannot_be_taken() -> None:
    ada = an_account("ada")
    offer = offered(ada)
    assert duel_offers.take(ada, offer) == Rejected(Refusal.OWN_OFFER)
    assert bound(ada) == (EngagementKind.DUEL_OFFER, offer)


def test_an_unknown_offer_is_gone() -> None:
    ada = an_account("ada")
    assert duel_offers.take(ada, "nowhere") == Rejected(Refusal.OFFER_GONE)
    found = duel_lobby.offer(ada, "nowhere")
    assert isinstance(found, OfferPage)
    assert found.is_gone


def test_of_two_takers_at_once_one_wins_and_the_other_is_told() -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    offer = offered(ada)
    answers = [one.get() for one in gevent.joinall([gevent.spawn(duel_offers.take, actor, offer) for actor in (bo, cy)], raise_error=True)]
    assert sorted(answers, key=str) == sorted([offer, Rejected(Refusal.OFFER_GONE)], key=str)
    assert len([one for one in (bo, cy) if bound(one) is not None]) == 1


def read(table_id: TableId, above: int) -> rows.Stored | None:
    with database.read() as conn:
        return rows.find(conn, table_id, above)


@pytest.mark.postgres
def test_takers_on_many_connections_at_once_have_one_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 5: one winner of a race, kept by the database."""
    monkeypatch.setattr(tables, "created", lambda _table: None)  # timers belong to the main thread
    # Each thread stands for a process, which reads tables over a connection of its own.
    monkeypatch.setattr(shelf, "_read", read)
    ada = an_account("ada")
    takers = [an_account(f"taker_{number}") for number in range(6)]
    offer = offered(ada)
    together = Barrier(len(takers))

    def take(actor: AccountId) -> Any:
        together.wait()
        return duel_offers.take(actor, offer)

    with ThreadPoolExecutor(len(takers)) as threads:
        answers = list(threads.map(take, takers))
    assert answers.count(offer) == 1
    assert answers.count(Rejected(Refusal.OFFER_GONE)) == len(takers) - 1
    assert [one for one in takers if bound(one) is not None] == [takers[answers.index(offer)]]


def test_two_who_take_each_others_offers_play_one_duel() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    hers, his = offered(ada), offered(bo)
    assert duel_offers.take(bo, hers) == hers
    assert duel_offers.take(ada, his) == Rejected(Refusal.OFFER_GONE)
    assert bound(ada) == bound(bo) == (EngagementKind.DUEL, hers)


# --- one thing at a time -------------------------------------------------------------------------------------------------------


def test_an_offer_ends_a_search_and_a_search_ends_an_offer() -> None:
    """R3.6."""
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, TRIO)
    searches_heard = Heard(f"search:{TRIO}")
    offer = offered(ada)
    assert play.find(ada) is None
    assert searches_heard.messages == [bus.SearchChanged()]
    matchmaking.search(ada, TRIO)
    assert (offer_of(ada), lobby(bo)) == (None, [])
    assert bound(ada) == (EngagementKind.SEARCH, "")
    assert duel_offers.take(bo, offer) == Rejected(Refusal.OFFER_GONE)


def test_taking_ends_ones_own_search_and_offer() -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    matchmaking.search(bo, TRIO)
    assert not isinstance(duel_offers.take(bo, offered(ada)), Rejected)
    assert play.find(bo) is None
    matchmaking.search(cy, TRIO)
    offered(cy)
    assert bound(cy) != (EngagementKind.SEARCH, "")


def test_a_refused_taking_changes_nothing() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(bo, TRIO)
    assert duel_offers.take(bo, "nowhere") == Rejected(Refusal.OFFER_GONE)
    assert bound(bo) == (EngagementKind.SEARCH, "")
    own = offered(ada)
    assert duel_offers.take(ada, own) == Rejected(Refusal.OWN_OFFER)
    assert offer_of(ada) is not None


def test_whoever_is_in_a_match_can_neither_offer_nor_take() -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    offer = offered(cy)
    for actor in (ada, bo):
        matchmaking.search(actor, DUO)
    assert duel_offers.make(ada, QUICK, is_public=True) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert duel_offers.take(ada, offer) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert duel_offers.computer(ada, QUICK) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert bound(cy) == (EngagementKind.DUEL_OFFER, offer)


def test_whoever_is_in_a_duel_can_do_nothing_else() -> None:
    pair = Pair()
    offer = offered(an_account("cy"))
    assert duel_offers.make(pair.ada, QUICK, is_public=True) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert duel_offers.take(pair.bo, offer) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert matchmaking.search(pair.ada, RANKED) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert duel_lobby.running(pair.ada) == pair.id
    bar = home.return_to(pair.ada)
    assert bar is not None
    assert bar.url == f"/duel/{pair.id}"


def test_a_suspended_account_offers_nothing_and_its_offer_is_not_to_be_had() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    offer = offered(ada)
    with database.write() as conn:
        suspensions.suspend(conn, ada, "test", 1, 2**60, TableId("m0"))
    assert duel_offers.make(ada, TOTALS, is_public=True) == Rejected(Refusal.SUSPENDED)
    assert lobby(bo) == []
    assert duel_offers.take(bo, offer) == Rejected(Refusal.OFFER_GONE)


# --- the computer --------------------------------------------------------------------------------------------------------------


def opponent(table: TableId, actor: AccountId) -> Any:
    state: DuelState = state_of(table)
    return next(seat for seat in state.seats if seat.account != actor)


def test_a_bot_takes_ones_own_offer_at_once() -> None:
    """R17.7."""
    bots.seed(2)
    ada, bo = an_account("ada"), an_account("bo")
    offered(ada, TOTALS)
    table = duel_offers.computer(ada, None)
    assert isinstance(table, str)
    assert opponent(table, ada).is_bot
    assert state_of(table).agreement == TOTALS.agreement
    assert (lobby(bo), bound(ada)) == ([], (EngagementKind.DUEL, table))
    with database.read() as conn:
        assert len(pool.idle(conn)) == 1


def test_the_computer_plays_on_the_forms_terms_without_an_offer() -> None:
    bots.seed(1)
    ada = an_account("ada")
    table = duel_offers.computer(ada, QUICK)
    assert isinstance(table, str)
    assert duel_offers.computer(ada, QUICK) == table, "a second tap begins no second duel"
    assert duel_offers.computer(ada, None) == table


def test_without_terms_and_offer_there_is_nothing_to_play() -> None:
    assert duel_offers.computer(an_account("ada"), None) == Rejected(Refusal.OFFER_GONE)


def test_a_bot_chooses_and_guesses_by_itself_and_is_free_afterwards(time: FakeClock) -> None:
    bots.seed(1)
    ada = an_account("ada")
    table = duel_offers.computer(ada, Terms(10, 4, SecretRule.REPEATS, DuelFormat.PER_POSITION))
    assert isinstance(table, str)
    duels.set_secret(ada, table, "0000")
    while state_of(table).phase is DuelPhase.CHOOSING:
        tables.run_due(time.advance(500))
    while state_of(table).phase is DuelPhase.PLAYING and state_of(table).seats[state_of(table).on_move or 0].is_bot:
        tables.run_due(time.advance(500))
    duels.resign(ada, table)
    assert bound(opponent(table, ada).account) is None


# --- away ----------------------------------------------------------------------------------------------------------------------


def connect(account: AccountId) -> None:
    with database.write() as conn:
        connections.add(conn, "w1", (account,), 1)


def test_an_offer_ends_when_its_maker_has_been_away_ten_seconds(time: FakeClock) -> None:
    """R17.1: told by presence, like a search."""
    ada, bo = an_account("ada"), an_account("bo")
    connect(ada)
    offer = offered(ada)
    assert duel_offers.run_due() is None
    with database.write() as conn:
        connections.remove(conn, "w1", ada)
    presence.tell_if_absent((ada,), time.now_ms)
    time.advance(tunables.DUEL_OFFER_AWAY_MS - 1)
    assert duel_offers.run_due() == time.now_ms + 1
    assert lobby(bo) == [offer]
    time.advance(1)
    news = Heard("duels")
    assert duel_offers.run_due() is None
    assert (lobby(bo), bound(ada), news.messages) == ([], None, [bus.DuelsChanged()])


def test_a_maker_who_comes_back_in_time_keeps_the_offer(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    connect(ada)
    offer = offered(ada)
    duel_offers.away(ada, time.now_ms)
    time.advance(tunables.DUEL_OFFER_AWAY_MS - 1)
    presence.arrived(ada)
    time.advance(tunables.DUEL_OFFER_AWAY_MS)
    assert duel_offers.run_due() is None
    assert lobby(bo) == [offer]


def test_an_offer_by_somebody_without_any_page_open_ends_as_well(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    offered(ada)
    time.advance(tunables.DUEL_OFFER_AWAY_MS)
    duel_offers.run_due()
    assert lobby(bo) == []


def test_nothing_binds_a_maker_whose_offer_is_gone() -> None:
    ada = an_account("ada")
    offered(ada)
    duel_offers.withdraw(ada)
    assert engaged.current(ada) is None
    assert matchmaking.search(ada, TRIO) is None
