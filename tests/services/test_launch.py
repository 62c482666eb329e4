"""Filling short groups with bots and launching full ones, whole or not at all (R3.2, R3.3, R3.5)."""

from __future__ import annotations

from typing import Any

import pytest

from guessio.rules import tunables
from guessio.rules.terms import AccountId, EngagementKind, TableId
from guessio.services import bots, engaged, launch, matchmaking, play, tables
from guessio.services.play import SearchView
from guessio.store import bots as pool
from guessio.store import database, engagements, searches
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import DUO, RANKED, TRIO, an_account

pytestmark = pytest.mark.db


def seats(actor: AccountId) -> list[Any]:
    table = play.find(actor)
    assert isinstance(table, str), "the match has not started"
    loaded = tables.load(TableId(table))
    assert loaded is not None
    return list(loaded.state.seats)


def test_a_lone_player_gets_a_bot_five_seconds_after_joining(time: FakeClock) -> None:
    bots.seed(3)
    ada = an_account("ada")
    matchmaking.search(ada, DUO)
    assert matchmaking.run_due() == time.now_ms + tunables.FILL_MS
    time.advance(tunables.FILL_MS - 1)
    matchmaking.run_due()
    assert isinstance(play.find(ada), SearchView)
    time.advance(1)
    matchmaking.run_due()
    assert [seat.is_bot for seat in sorted(seats(ada), key=lambda seat: seat.is_bot)] == [False, True]


def test_each_further_seat_waits_five_seconds_more(time: FakeClock) -> None:
    bots.seed(3)
    ada = an_account("ada")
    matchmaking.search(ada, TRIO)
    matchmaking.back(ada)
    time.advance(tunables.FILL_MS)
    assert matchmaking.run_due() == time.now_ms + tunables.FILL_MS
    found = play.find(ada)
    assert isinstance(found, SearchView)
    assert ([seat.person.is_bot for seat in found.seats], found.open_seats) == ([False, True], 1)
    matchmaking.run_due()
    assert isinstance(play.find(ada), SearchView), "doing it again at once must not seat another"
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    assert sum(seat.is_bot for seat in seats(ada)) == 2


def test_a_person_takes_the_open_seat_before_another_bot(time: FakeClock) -> None:
    bots.seed(3)
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, TRIO)
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    matchmaking.search(bo, TRIO)
    assert {seat.account for seat in seats(ada) if not seat.is_bot} == {ada, bo}


def test_bots_go_home_when_the_last_person_leaves(time: FakeClock) -> None:
    bots.seed(2)
    ada = an_account("ada")
    matchmaking.search(ada, TRIO)
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    matchmaking.leave(ada)
    with database.read() as conn:
        assert len(pool.idle(conn)) == 2
    matchmaking.search(ada, TRIO)
    found = play.find(ada)
    assert isinstance(found, SearchView)
    assert found.open_seats == 2


def test_a_new_bot_is_made_when_all_are_busy(time: FakeClock) -> None:
    bots.seed(1)
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, DUO)
    matchmaking.search(bo, RANKED)
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    assert sum(seat.is_bot for seat in seats(ada) + seats(bo)) == 2
    with database.read() as conn:
        assert pool.count(conn) == 2


def test_seeding_twice_makes_no_more_bots() -> None:
    assert (bots.seed(10), bots.seed(10)) == (10, 0)
    with database.read() as conn:
        assert pool.count(conn) == 10


def test_names_never_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "_FIRST", ("amber",))
    monkeypatch.setattr(bots, "_SECOND", ("otter",))
    assert bots.seed(30) == 30


def test_a_failed_launch_leaves_everybody_in_the_old_place(time: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo, cy = an_account("ada"), an_account("bo"), an_account("cy")
    matchmaking.search(ada, DUO)
    with monkeypatch.context() as broken:
        broken.setattr(tables, "create", lambda *_args, **_kwargs: 1 / 0)
        assert matchmaking.search(bo, DUO) is None
        assert matchmaking.search(cy, DUO) is None
    with database.read() as conn:
        assert [search.account for search in searches.waiting(conn, DUO)] == [ada, bo, cy]
        assert {engagements.find(conn, actor).kind for actor in (ada, bo, cy)} == {EngagementKind.SEARCH}  # pyright: ignore[reportOptionalMemberAccess]
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    assert {seat.account for seat in seats(ada)} == {ada, bo}
    assert isinstance(play.find(cy), SearchView)


def test_a_launch_that_keeps_failing_is_tried_once_per_fill(time: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    monkeypatch.setattr(tables, "create", lambda *_args, **_kwargs: 1 / 0)
    for actor in (ada, bo):
        matchmaking.search(actor, DUO)
        matchmaking.back(actor)
    for _ in range(2):
        time.advance(tunables.FILL_MS)
        assert matchmaking.run_due() == time.now_ms + tunables.FILL_MS


def test_a_player_who_is_bound_elsewhere_breaks_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, DUO)
    with database.write() as conn:
        engagements.release(conn, [ada], EngagementKind.SEARCH)
        engagements.bind(conn, ada, EngagementKind.DUEL, "d1")
    matchmaking.search(bo, DUO)
    with pytest.raises(launch.LaunchFailed):
        launch.form(DUO)
    assert isinstance(play.find(bo), SearchView)


def test_a_bot_is_free_again_after_its_match(time: FakeClock) -> None:
    bots.seed(1)
    ada = an_account("ada")
    matchmaking.search(ada, DUO)
    time.advance(tunables.FILL_MS)
    matchmaking.run_due()
    bot = next(seat.account for seat in seats(ada) if seat.is_bot)
    table = play.find(ada)
    bound = engaged.current(bot)
    assert bound is not None
    assert (bound.kind, bound.ref) == (EngagementKind.MATCH, table)


def test_the_seats_of_a_match_are_drawn_by_lot(time: FakeClock) -> None:
    orders: set[bool] = set()
    for number in range(40):
        ada, bo = an_account(f"ada{number}"), an_account(f"bo{number}")
        matchmaking.search(ada, DUO)
        matchmaking.search(bo, DUO)
        orders.add(seats(ada)[0].account == ada)
    assert orders == {True, False}
