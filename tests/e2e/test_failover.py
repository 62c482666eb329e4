"""A browser behind a proxy, in front of two servers over one Postgres: what the person sees when a part of the site fails (R5.2, R5.3)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.kit import cluster, solver, table
from tests.kit.cluster import Cluster
from tests.kit.person import Person
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.proxy import Proxy
from tests.kit.standing import stranger

pytestmark = pytest.mark.faults

SPEED = 3.0
BACK_WITHIN_MS = 30_000


@pytest.fixture(scope="module")
def proxy() -> Iterator[Proxy]:
    """The site's address for browsers."""
    proxy = Proxy()
    yield proxy
    proxy.stop()


@pytest.fixture(scope="module")
def standing_site(proxy: Proxy) -> Iterator[Cluster]:
    """Two servers behind the proxy."""
    with cluster.running(2, speed=SPEED, settings={"GUESSIO_URL": proxy.url}) as running:
        proxy.backends = [server.port for server in running.servers]
        yield running


@pytest.fixture
def site(standing_site: Cluster) -> Cluster:
    """The site, whole."""
    standing_site.mend()
    return standing_site


@pytest.fixture
def nova(site: Cluster) -> Iterator[Player]:
    """Somebody at the other end of a script, at the second server."""
    player = site.player(1, stranger("nova"))
    player.sign_in()
    player.wire.base_url = site.servers[1].url
    yield player
    player.close()


@pytest.fixture
def mira(browser: Browser, proxy: Proxy, nova: Player) -> Iterator[Person]:
    """A person at a browser behind the proxy, in a match with nova, it being her turn."""
    with Person(browser, proxy.url, stranger("mira")) as person:
        person.come_in()
        person.choose()
        nova.open("/play")
        person.find()
        nova.search()
        person.arrive()
        nova.wait_for(lambda: nova.match_id == person.match_id, "the match with each other")
        reach_own_turn(person, nova)
        person.forgiving = True
        person.page.evaluate("window.stillTheSamePage = 1")
        yield person


def reach_own_turn(mira: Person, nova: Player) -> None:
    def mine() -> bool:
        mira.pick_if_asked()
        if nova.board.can_pick:
            nova.pick_skill("extra_turn")
        table.waste(nova)
        return mira.board.can_guess

    until(mine, "the browser's turn", within_s=120)


def shown(mira: Person) -> list[str]:
    return [row.digits for row in mira.board.rows if not row.is_skip]


def guess(mira: Person, nova: Player) -> None:
    """A guess that both see in the end, however often the turn has to come round."""

    def done() -> bool:
        reach_own_turn(mira, nova)
        digits = solver.wasted_guess(mira.board, mira.chance)
        mira.send_guess(digits)
        until(lambda: digits in shown(mira) or not mira.board.can_guess, "what becomes of the guess")
        return digits in shown(mira) and any(row.digits == digits for row in nova.board.rows)

    until(done, "the guess on both boards", within_s=120)


@pytest.mark.parametrize("how", ["killed", "told to stop"])
def test_the_page_goes_on_at_another_server_without_being_loaded_anew(site: Cluster, mira: Person, nova: Player, how: str) -> None:
    before = shown(mira)
    if how == "killed":
        site.servers[0].kill()
    else:
        assert site.servers[0].stop() == 0
    expect(mira.page.locator("#connection .banner:visible")).to_have_count(0, timeout=BACK_WITHIN_MS)
    guess(mira, nova)
    assert shown(mira)[: len(before)] == before
    assert mira.page.evaluate("window.stillTheSamePage") == 1
    assert not any(seat.has_left for seat in nova.board.seats)


def test_while_the_database_is_away_a_guess_is_answered_beside_the_entry_and_stays_there(site: Cluster, mira: Person) -> None:
    digits = solver.wasted_guess(mira.board, mira.chance)
    mira.page.focus("#guess")
    mira.page.keyboard.press("Escape")
    mira.type_guess(digits)
    site.database.halt()
    mira.page.keyboard.press("Enter")
    expect(mira.page.locator("#guess-message")).to_contain_text("try again")
    assert mira.draft == digits, "what was typed stands there still"
    site.database.start()

    def taken() -> bool:
        if mira.draft == digits and mira.board.can_guess:
            mira.page.focus("#guess")
            mira.page.keyboard.press("Enter")
        return digits in shown(mira)

    until(taken, "the same guess counts", every_s=0.5)
    assert shown(mira).count(digits) == 1
    assert mira.page.evaluate("window.stillTheSamePage") == 1
