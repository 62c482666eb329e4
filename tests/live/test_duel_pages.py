"""What the lobby, an offer's page and the end of a duel are sent without loading anything anew (R17.1, R17.4)."""

from __future__ import annotations

import re
from collections.abc import Callable

import gevent
import pytest
from flask import Flask

from guessio import bus
from guessio.live import duel_pages, hub, presence
from guessio.live.stream import Body
from guessio.rules import tunables
from guessio.rules.terms import AccountId
from guessio.services import duel_offers, duel_rematch, duels, sessions, tables
from guessio.services.duel_views import RematchState
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import an_account
from tests.services.duels_kit import QUICK, TOTALS, Pair, bound

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def quiet(fake_clock: FakeClock, app: Flask, monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """Every session lives, and presence is another test's."""
    monkeypatch.setattr(sessions, "alive_among", frozenset)
    monkeypatch.setattr(presence, "opened", lambda _account: None)
    monkeypatch.setattr(presence, "closed", lambda _account: None)
    return fake_clock


def opened(viewer: AccountId, **query: str) -> Body:
    """A page's stream with what it is sent at once taken in."""
    version = 0
    if "table" in query:
        loaded = tables.load(query["table"])  # type: ignore[arg-type]
        version = loaded.version if loaded is not None else 0
    body = hub.new_stream(viewer, "t", query, version)
    assert body is not None
    return body


def read_until(body: Body, wanted: str) -> str:
    """Everything up to the message that holds `wanted`."""
    got = ""
    with gevent.Timeout(20):
        while wanted not in got:
            got += next(body).decode()
    return got


def until(condition: Callable[[], bool]) -> None:
    with gevent.Timeout(20):
        while not condition():
            gevent.sleep(0)


def queued(body: Body) -> str:
    return "".join(body.stream._queue)


def offer(maker: AccountId, *, is_public: bool = True) -> str:
    made = duel_offers.make(maker, QUICK, is_public=is_public)
    assert isinstance(made, str)
    return made


def test_the_lobby_opens_up_to_date_and_shows_every_change() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    first = offer(ada)
    body = opened(bo, page="duels")
    read_until(body, f"/duels/offer/{first}/take")
    duel_offers.withdraw(ada)
    assert "/take" not in read_until(body, "offers")
    second = offer(ada)
    shown = read_until(body, f"/duels/offer/{second}/take")
    assert 'hx-target="#offers"' in shown
    assert first not in shown


def test_each_lobby_is_drawn_for_its_own_account_and_filter() -> None:
    ada, bo, cy = (an_account(name) for name in ("ada", "bo", "cy"))
    bodies = {"own": opened(ada, page="duels"), "all": opened(bo, page="duels"), "narrow": opened(cy, page="duels", clock="10")}
    for body in bodies.values():
        read_until(body, "offers")
    made = offer(ada)
    assert f"/duels/offer/{made}/take" not in read_until(bodies["own"], f"/duels/offer/{made}")
    read_until(bodies["all"], f"/duels/offer/{made}/take")
    assert "/take" not in read_until(bodies["narrow"], "offers")


def test_changes_that_come_together_are_drawn_once() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    body = opened(bo, page="duels")
    read_until(body, "offers")
    for _ in range(3):
        offer(ada)
        duel_offers.withdraw(ada)
    last = offer(ada)
    until(lambda: bool(queued(body)))
    gevent.idle()
    assert queued(body).count('hx-target="#offers"') == 1
    read_until(body, last)


def test_other_pages_hear_nothing_of_the_lobby() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    home, lobby = opened(bo), opened(bo, page="duels")
    next(home)
    read_until(lobby, "offers")
    offer(ada)
    read_until(lobby, "/take")
    assert queued(home) == ""


def test_a_lobby_that_missed_the_taking_is_led_to_the_duel() -> None:
    pair = Pair()
    assert f"event: navigate\ndata: /duel/{pair.id}\n" in read_until(opened(pair.ada, page="duels"), "navigate")


def test_a_lobby_that_no_notice_reached_is_led_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = an_account("ada"), an_account("bo")
    made = offer(ada)
    body = opened(ada, page="duels")
    read_until(body, "offers")
    duel_pages.look_for_begun_duels()
    assert not body.stream.is_behind
    with monkeypatch.context() as deaf:
        deaf.setattr(bus, "publish", lambda *_: None)
        duel_offers.take(bo, made)
    duel_pages.look_for_begun_duels()
    read_until(body, f"data: /duel/{made}")
    duel_pages.look_for_begun_duels()
    assert not body.stream.is_behind


def test_the_page_of_an_offer_learns_that_it_is_gone_or_leads_to_the_duel() -> None:
    ada, bo, cy = (an_account(name) for name in ("ada", "bo", "cy"))
    made = offer(ada, is_public=False)
    bodies = {one: opened(one, page="duel-offer", offer=made) for one in (bo, cy)}
    for body in bodies.values():
        read_until(body, f"/duels/offer/{made}/take")
    duel_offers.take(bo, made)
    read_until(bodies[bo], f"data: /duel/{made}")
    assert "/take" not in read_until(bodies[cy], 'hx-target="#offer"')


# --- the end of a duel ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def over() -> Pair:
    return Pair(TOTALS).ready("01234", "56789").crack()


def rematch_shown(text: str) -> str:
    found = re.findall(r'<hx-partial hx-target="#rematch"[^>]*>(.*?)</hx-partial>', text, re.DOTALL)
    assert found
    return found[-1]


def test_an_offer_of_a_rematch_is_shown_to_the_other_and_their_yes_leads_both_on(over: Pair) -> None:
    pages = {one: opened(one, table=over.id) for one in (over.ada, over.bo)}
    first = {one: rematch_shown(read_until(body, "#rematch")) for one, body in pages.items()}
    duel_rematch.want(over.ada, over.id)
    asked = {one: rematch_shown(read_until(body, "#rematch")) for one, body in pages.items()}
    assert all(asked[one] != first[one] for one in pages)
    assert f'action="/duel/{over.id}/rematch"' in asked[over.bo]
    new = duel_rematch.want(over.bo, over.id)
    for body in pages.values():
        read_until(body, f"data: /duel/{new}")


def test_a_page_that_does_not_show_the_end_yet_gets_no_rematch() -> None:
    pair = Pair().ready()
    body = opened(pair.ada, table=pair.id)
    next(body)
    duels.resign(pair.bo, pair.id)
    text = read_until(body, 'hx-target="#table"')
    assert text.index('hx-target="#table"') < (text.find('hx-target="#rematch"') + 1 or len(text))


def test_a_page_that_is_left_takes_the_rematch_off_and_a_reload_does_not(over: Pair, quiet: FakeClock) -> None:
    pages = {one: opened(one, table=over.id) for one in (over.ada, over.bo)}
    for body in pages.values():
        read_until(body, "#rematch")
    duel_rematch.want(over.ada, over.id)
    duel_pages.look_for_left_pages(quiet.now_ms)
    pages[over.bo].close()
    duel_pages.look_for_left_pages(quiet.now_ms)
    duel_pages.look_for_left_pages(quiet.advance(tunables.AWAY_UNSEEN_MS - 1))
    again = opened(over.bo, table=over.id)
    read_until(again, "#rematch")
    duel_pages.look_for_left_pages(quiet.advance(tunables.AWAY_UNSEEN_MS))
    assert duel_rematch.look(over.state, over.bo).state is RematchState.ASKED
    again.close()
    duel_pages.look_for_left_pages(quiet.now_ms)
    duel_pages.look_for_left_pages(quiet.advance(tunables.AWAY_UNSEEN_MS))
    assert duel_rematch.look(over.state, over.ada).state is RematchState.GONE
    assert bound(over.ada) is None
    read_until(pages[over.ada], "#rematch")


def test_leaving_the_page_of_a_duel_that_goes_on_is_presences_affair(quiet: FakeClock) -> None:
    pair = Pair().ready()
    body = opened(pair.ada, table=pair.id)
    next(body)
    body.close()
    duel_pages.look_for_left_pages(quiet.now_ms)
    duel_pages.look_for_left_pages(quiet.advance(tunables.AWAY_UNSEEN_MS))
    duels.resign(pair.bo, pair.id)
    assert duel_rematch.look(pair.state, pair.bo).state is RematchState.OPEN
