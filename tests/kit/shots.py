"""Pictures of every screen, at two sizes and in two themes: `python -m tests.kit.shots [FOLDER]`.

One browser walks through the site and is photographed four times at each stop; the other people at its table are scripts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from tests.kit import browser as browsers
from tests.kit import server as servers
from tests.kit import solver, table
from tests.kit.browser import DESKTOP, PHONE
from tests.kit.person import Person
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server

SIZES = {"phone": PHONE, "desktop": DESKTOP}
THEMES = ("light", "dark")
SPEED = 1.5


class Album:
    """Where the pictures go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.taken = 0

    def take(self, page: Page, name: str, *, whole: bool = True) -> None:
        """Four pictures of what the page shows now, under its name."""
        for size, viewport in SIZES.items():
            page.set_viewport_size(ViewportSize(width=viewport["width"], height=viewport["height"]))
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                page.screenshot(path=self.folder / f"{name}-{size}-{theme}.png", full_page=whole, animations="disabled")
                self.taken += 1
        print(name, flush=True)


def guest_screens(album: Album, person: Person) -> None:
    """What nobody has to sign in for, and the way in."""
    page = person.page
    for name, path in (("welcome", "/"), ("sign-in", "/sign-in"), ("not-found", "/nowhere"), ("signed-out", "/profile")):
        page.goto(path)
        album.take(page, name)
    page.goto("/sign-in")
    page.get_by_role("button", name="Continue").click()
    album.take(page, "demo-provider")
    page.get_by_label("Somebody else").fill(person.name)
    page.get_by_role("button", name="Sign in").click()
    album.take(page, "username")
    page.get_by_label("Username").fill("Me!")
    page.get_by_role("button", name="Take this name").click()
    album.take(page, "username-refused")
    page.get_by_label("Username").fill(person.name)
    page.get_by_role("button", name="Take this name").click()
    page.wait_for_url("/")
    album.take(page, "home-new")


def own_screens(album: Album, person: Person, suffix: str) -> None:
    """The pages about oneself."""
    for name, path in (("home", "/"), ("matches", "/matches"), ("achievements", "/achievements"), ("profile", "/profile")):
        person.page.goto(path)
        album.take(person.page, f"{name}{suffix}")


def search_screens(album: Album, person: Person, other: Player) -> None:
    """Choosing and searching; then the two find each other."""
    person.choose(type="ranked", difficulty="hardcore", players=4)
    album.take(person.page, "play")
    person.find()
    person.page.wait_for_url("**/search")
    album.take(person.page, "search")
    person.page.get_by_role("button", name="Leave the search").click()
    for _ in range(table.ATTEMPTS):
        person.choose(type="ranked")
        other.open("/play")
        person.find()
        other.search("ranked")
        other.wait_for(lambda: bool(other.match_id), "the match")
        person.arrive()
        if other.match_id == person.match_id:
            return
        other.forfeit()
        person.give_up()


def match_screens(album: Album, person: Person, other: Player) -> None:
    """A match of two from picking to its results."""
    reach(person, other, lambda: person.board.can_pick, "one's own pick", play=False)
    album.take(person.page, "picking", whole=False)
    person.pick_if_asked("freeze")
    reach(person, other, lambda: person.board.phase == "countdown", "the countdown", play=False)
    album.take(person.page, "countdown", whole=False)
    reach(person, other, lambda: person.board.can_guess and len(person.board.rows) >= 4, "a board with some rows", wild=True)
    person.page.focus("#guess")
    person.page.keyboard.press("Escape")
    person.type_guess(solver.wasted_guess(person.board, person.chance)[:2])
    album.take(person.page, "own-turn", whole=False)
    reach(person, other, lambda: other.board.can_guess, "the other's turn", play=False)
    album.take(person.page, "others-turn", whole=False)
    person.page.get_by_role("button", name="Forfeit the match").click()
    album.take(person.page, "forfeit", whole=False)
    person.page.get_by_role("button", name="Keep playing").click()
    reach(person, other, lambda: bool(person.board.code), "the result of a round")
    album.take(person.page, "round-result", whole=False)
    reach(person, other, lambda: person.path.endswith("/results"), "the results")
    person.page.wait_for_selector("main")
    album.take(person.page, "results")


def big_table(album: Album, server: Server, person: Person) -> None:
    """Four at a table, six digits, Hardcore."""
    others = [server.player(name) for name in ("nova", "juno", "fern")]
    for _ in range(table.ATTEMPTS):
        person.choose(difficulty="hardcore", players=4)
        for other in others:
            other.open("/play")
        person.find()
        for other in others:
            other.search("casual", "hardcore", 4)
        for other in others:
            other.wait_for(lambda other=other: bool(other.match_id), "the match")
        person.arrive()
        if len({person.match_id, *(other.match_id for other in others)}) == 1:
            break
    reach_all(person, others, lambda: person.board.can_guess and len(person.board.rows) >= 7)
    album.take(person.page, "table-of-four", whole=False)
    person.page.set_viewport_size({"width": 360, "height": 640})
    person.page.screenshot(path=album.folder / "table-of-four-small-phone-dark.png")
    person.give_up()
    person.page.wait_for_selector("#look-on")
    album.take(person.page, "look-on", whole=False)
    for other in others:
        other.close()


def reach(person: Person, other: Player, holds: Callable[[], bool], what: str, *, play: bool = True, wild: bool = False) -> None:
    """Let the match go on until `holds()`: with `play` both guess (`wild`: without hitting), without it only what must be done is done."""

    def go_on() -> bool:
        if holds():
            return True
        if other.board.can_pick:
            table.move(other)
        elif play:
            table.waste(other) if wild else table.move(other)
        if holds():
            return True
        if play and wild and person.board.can_guess:
            person.send_guess(solver.wasted_guess(person.board, person.chance))
        elif play:
            person.move()
        return False

    until(go_on, what, within_s=180, every_s=0.1)


def reach_all(person: Person, others: list[Player], holds: Callable[[], bool]) -> None:
    """The same at a bigger table, without anybody hitting on the code."""

    def go_on() -> bool:
        person.pick_if_asked("xray")
        for other in others:
            if not table.waste(other) and other.board.can_pick:
                table.move(other)
        if holds():
            return True
        if person.board.can_guess:
            person.send_guess(solver.wasted_guess(person.board, person.chance))
        return False

    until(go_on, "a filled board", within_s=180)


def walk(album: Album, server: Server, mira: Person) -> None:
    """Every screen, in the order in which a newcomer meets them."""
    guest_screens(album, mira)
    own_screens(album, mira, "-empty")
    nova = server.player("nova")
    search_screens(album, mira, nova)
    match_screens(album, mira, nova)
    nova.close()
    own_screens(album, mira, "")
    mira.page.goto("/matches")
    mira.page.locator("main a[href^='/matches/']").first.click()
    mira.page.wait_for_url("**/matches/*")
    album.take(mira.page, "details")
    mira.page.goto("/u/nova")
    album.take(mira.page, "somebody")
    big_table(album, server, mira)
    server.kill()
    mira.page.wait_for_selector("#connection .banner:visible")
    album.take(mira.page, "connection-lost", whole=False)


def main() -> None:
    """Take them all."""
    album = Album(Path(sys.argv[1] if len(sys.argv) > 1 else "shots"))
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.running(servers.sqlite_url(Path(folder)), speed=SPEED) as server,
        browsers.launched() as browser,
        Person(browser, server.url, "mira") as mira,
    ):
        walk(album, server, mira)
    print(f"{album.taken} pictures in {album.folder}/")


if __name__ == "__main__":
    main()
