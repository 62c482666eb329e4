"""Searching: the line, its groups, leaving, replacing, one thing at a time (R3.1, R3.5, R3.6, R3.8, R9.5)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import gevent
import pytest

from guessio import bus
from guessio.engine.machine import Rejected
from guessio.engine.match.commands import Forfeit
from guessio.rules import tunables, week
from guessio.rules.terms import AccountId, EngagementKind, MatchType, Refusal, TableId
from guessio.services import engaged, matchmaking, play, presence, tables
from guessio.services.play import SearchView
from guessio.store import database, engagements, searches
from guessio.store.searches import Group
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import DUO, RANKED, TRIO, Heard, an_account

pytestmark = pytest.mark.db


def waiting(group: Group) -> list[AccountId]:
    with database.read() as conn:
        return [search.account for search in searches.waiting(conn, group)]


def test_two_with_the_same_choices_are_matched_at_once() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    news = Heard(f"account:{ada}")
    assert matchmaking.search(ada, DUO) is None
    assert isinstance(play.find(ada), SearchView)
    assert matchmaking.search(bo, DUO) is None
    table = play.find(ada)
    assert isinstance(table, str)
    assert play.find(bo) == table
    assert bus.Navigate(f"/match/{table}") in news.messages
    loaded = tables.load(TableId(table))
    assert loaded is not None
    assert {seat.account for seat in loaded.state.seats} == {ada, bo}
    assert waiting(DUO) == []


def test_other_choices_wait_apart() -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    for actor, group in ((ada, DUO), (bo, RANKED), (cy, TRIO)):
        matchmaking.search(actor, group)
    assert (waiting(DUO), waiting(RANKED), waiting(TRIO)) == ([ada], [bo], [cy])


def test_first_come_first_served(time: FakeClock) -> None:
    crowd = [an_account(name) for name in ("ada", "bo", "cy", "di")]
    for actor in crowd:
        matchmaking.search(actor, TRIO)
        time.advance(10)
    assert waiting(TRIO) == crowd[3:]


def test_the_same_search_again_keeps_its_place(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, TRIO)
    time.advance(1_000)
    matchmaking.search(bo, TRIO)
    time.advance(1_000)
    assert matchmaking.search(ada, TRIO) is None
    assert waiting(TRIO) == [ada, bo]
    found = play.find(ada)
    assert isinstance(found, SearchView)
    assert found.waited_ms == 2_000


def test_a_new_search_replaces_the_earlier_one() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, DUO)
    matchmaking.search(ada, TRIO)
    assert (waiting(DUO), waiting(TRIO)) == ([], [ada])
    matchmaking.search(bo, DUO)
    assert isinstance(play.find(bo), SearchView), "the replaced search must not be matched"


def test_leaving_frees_the_player_and_a_second_time_changes_nothing() -> None:
    ada = an_account("ada")
    matchmaking.search(ada, DUO)
    matchmaking.leave(ada)
    matchmaking.leave(ada)
    assert play.find(ada) is None
    assert engaged.current(ada) is None


def test_who_sits_in_a_match_may_not_search() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    for actor in (ada, bo):
        matchmaking.search(actor, DUO)
    assert matchmaking.search(ada, TRIO) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert waiting(TRIO) == []


def test_a_second_tap_after_the_match_has_begun_asks_for_nothing_new() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    for actor in (ada, bo):
        matchmaking.search(actor, DUO)
    table = play.find(bo)
    assert matchmaking.search(bo, DUO) is None
    assert play.find(bo) == table
    assert waiting(DUO) == []


def test_after_forfeiting_a_match_of_three_one_may_search_while_it_goes_on() -> None:
    crowd = [an_account(name) for name in ("ada", "bo", "cy")]
    for actor in crowd:
        matchmaking.search(actor, TRIO)
    table = play.find(crowd[0])
    assert isinstance(table, str)
    tables.dispatch(TableId(table), Forfeit(crowd[0]))
    assert matchmaking.search(crowd[0], DUO) is None
    assert waiting(DUO) == [crowd[0]]
    assert matchmaking.search(crowd[1], DUO) == Rejected(Refusal.BUSY_ELSEWHERE)


def test_two_searches_in_the_same_instant_make_one_match() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    gevent.joinall([gevent.spawn(matchmaking.search, actor, DUO) for actor in (ada, bo, ada, bo)], raise_error=True)
    table = play.find(ada)
    assert isinstance(table, str)
    assert play.find(bo) == table
    with database.read() as conn:
        assert set(engagements.by_ref(conn, EngagementKind.MATCH, table)) == {ada, bo}


def test_who_was_matched_in_the_same_instant_joins_no_second_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """R3.6: free when asked, bound when the line is joined."""
    ada, bo = an_account("ada"), an_account("bo")
    for actor in (ada, bo):
        matchmaking.search(actor, DUO)
    monkeypatch.setattr(engaged, "current", lambda _account: None)
    assert matchmaking.search(ada, TRIO) == Rejected(Refusal.BUSY_ELSEWHERE)
    assert waiting(TRIO) == []


def test_who_joined_another_line_in_the_same_instant_leaves_it_tidy(monkeypatch: pytest.MonkeyPatch, time: FakeClock) -> None:
    """R3.6."""
    ada = an_account("ada")
    matchmaking.search(ada, TRIO)
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    monkeypatch.setattr(engaged, "current", lambda _account: None)
    assert matchmaking.search(ada, RANKED) is None
    assert (waiting(TRIO), waiting(RANKED)) == ([], [ada])
    with database.read() as conn:
        assert searches.all_fills(conn) == {}
        assert engagements.by_ref(conn, EngagementKind.SEARCH, str(TRIO)) == ()


@pytest.mark.postgres
def test_many_who_search_at_once_in_two_groups_are_all_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """R3.1, R3.6."""
    monkeypatch.setattr(tables, "created", lambda _table: None)  # timers belong to the main thread
    searching = [(an_account(f"person_{number}"), (DUO, RANKED)[number % 2]) for number in range(8)]
    together = Barrier(len(searching))

    def search(one: tuple[AccountId, Group]) -> Rejected | None:
        together.wait()
        return matchmaking.search(*one)

    with ThreadPoolExecutor(len(searching)) as threads:
        assert list(threads.map(search, searching)) == [None] * len(searching)
    with database.read() as conn:
        bound = [engagements.find(conn, account) for account, _ in searching]
    assert {one.kind for one in bound if one} == {EngagementKind.MATCH}
    assert len({one.ref for one in bound if one}) == 4
    assert (waiting(DUO), waiting(RANKED)) == ([], [])


@pytest.mark.parametrize(
    ("state", "until_ms", "refusal"),
    [("suspended", None, Refusal.SUSPENDED), ("suspended", 2**50, Refusal.SUSPENDED), ("banned", None, Refusal.BANNED)],
)
def test_who_is_suspended_or_banned_may_not_search(state: str, until_ms: int | None, refusal: Refusal) -> None:
    ada = an_account("ada", state=state, suspended_until_ms=until_ms)
    assert matchmaking.search(ada, DUO) == Rejected(refusal)
    assert engaged.current(ada) is None


def test_a_suspension_that_has_run_out_holds_nobody(time: FakeClock) -> None:
    ada = an_account("ada", state="suspended", suspended_until_ms=time.now_ms)
    assert matchmaking.search(ada, DUO) is None


def test_ranked_is_closed_while_the_week_turns(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    time.now_ms = week.ends(week.key(time.now_ms)) - 1_000
    matchmaking.search(ada, RANKED)
    matchmaking.search(bo, DUO)
    assert matchmaking.run_due() == time.now_ms + 1_000
    news = Heard(f"account:{ada}")
    time.advance(1_000)
    matchmaking.run_due()
    assert (waiting(RANKED), waiting(DUO)) == ([], [bo])
    assert news.messages == [bus.Navigate("/play")]
    assert matchmaking.search(ada, RANKED) == Rejected(Refusal.RANKED_CLOSED)
    assert play.offer().chosen.type is MatchType.CASUAL
    time.advance(tunables.RANKED_CLOSED_MS)
    assert matchmaking.search(ada, RANKED) is None


def test_who_has_been_without_a_connection_for_ten_seconds_is_taken_out(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    for actor in (ada, bo):
        matchmaking.search(actor, Group(MatchType.CASUAL, TRIO.difficulty, 4))
        matchmaking.back(actor)
    group = Group(MatchType.CASUAL, TRIO.difficulty, 4)
    matchmaking.away(ada, time.now_ms)
    time.advance(tunables.SEARCH_AWAY_MS - 1)
    matchmaking.run_due()
    assert waiting(group) == [ada, bo]
    time.advance(1)
    matchmaking.run_due()
    assert waiting(group) == [bo]
    assert engaged.current(ada) is None


def test_the_stream_that_closes_starts_the_ten_seconds_and_a_new_one_ends_them(time: FakeClock) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    group = Group(MatchType.CASUAL, TRIO.difficulty, 4)
    for actor in (ada, bo):
        presence.arrived(actor)
        matchmaking.search(actor, group)
        presence.departed(actor, time.now_ms)
    time.advance(tunables.SEARCH_AWAY_MS - 1)
    presence.arrived(bo)
    time.advance(1)
    matchmaking.run_due()
    assert waiting(group) == [bo]


def test_who_comes_back_in_time_keeps_the_place(time: FakeClock) -> None:
    ada = an_account("ada")
    group = Group(MatchType.CASUAL, TRIO.difficulty, 4)
    matchmaking.search(ada, group)
    matchmaking.away(ada, time.now_ms)
    time.advance(tunables.SEARCH_AWAY_MS - 1)
    matchmaking.back(ada)
    time.advance(1)
    matchmaking.run_due()
    assert waiting(group) == [ada]


@pytest.mark.parametrize("choices", [("custom", "standard", "2"), ("casual", "easy", "2"), ("casual", "standard", "5"), ("", "", "")])
def test_a_choice_that_does_not_exist_is_refused(choices: tuple[str, str, str]) -> None:
    assert play.choice(*choices) == Rejected(Refusal.BAD_CHOICE)


def test_a_search_that_ends_while_its_page_is_drawn_leads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process takes the search away between two looks at the lines."""
    ada = an_account("ada")
    matchmaking.search(ada, DUO)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("guessio.store.searches.waiting", lambda _conn, _group: ())
        assert play.find(ada) is None
