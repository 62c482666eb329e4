"""A person at a real browser: does what a player does, with the mouse or with the keyboard alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Container, Iterable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, expect

from tests.kit import solver
from tests.kit.board import Board, read_board
from tests.kit.browser import PHONE
from tests.kit.page import parse
from tests.kit.player import Player
from tests.kit.processes import until

PATIENCE_MS = 60_000
MISSES_MOST = 1
SHORT_MS = 3_000
"""How long to try what the end of a turn may make impossible."""


def at(page: Page, address: str) -> None:
    """Wait until the page stands at an address that ends so (a regular expression), and is loaded.

    Asked again and again rather than told by a navigation, because one navigation may take another's place on the way.
    """
    expect(page).to_have_url(re.compile(address + r"(\?.*)?$"), timeout=PATIENCE_MS)
    page.wait_for_load_state()


class Person:
    """One browser context with one page. `faults` collects what the page complained about."""

    def __init__(self, browser: Browser, base_url: str, name: str, *, size: dict[str, int] | None = None, scheme: str = "light") -> None:
        options: dict[str, Any] = {"viewport": size or PHONE, "color_scheme": scheme, "reduced_motion": "reduce"}
        self.context = browser.new_context(base_url=base_url, **options)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.base_url = base_url
        self.name = name
        self.chance = random.Random(name)
        self.faults: list[str] = []
        self.missed = 0
        self.forgiving = False
        """Set while the server is away on purpose: what fails then is not the page's fault."""
        self.page.on("pageerror", lambda error: self._fault(f"error: {error}"))
        self.page.on("console", self._on_console)
        self.page.on("response", lambda response: self._fault(f"{response.status} {response.url}") if response.status >= 500 else None)
        self.page.on("requestfailed", self._on_failed)

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def _fault(self, text: str) -> None:
        if not self.forgiving:
            self.faults.append(text)

    def _on_console(self, message: ConsoleMessage) -> None:
        # A refusal of the server (4xx) is told by the browser too; the tests look at what the page does with it.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self._fault(f"console: {message.text}")

    def _on_failed(self, request: Request) -> None:
        # A page that is left takes its stream and what it was still loading with it.
        if "ERR_ABORTED" not in (request.failure or ""):
            self._fault(f"failed: {request.url} {request.failure}")

    # --- getting to a match -------------------------------------------------------------------------------------------

    def sign_in(self) -> Person:
        """From the welcome page through the demo provider to Home, choosing a username on the way."""
        self.page.goto("/")
        self.page.get_by_role("link", name="Sign in").first.click()
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Somebody else").fill(self.name)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_role("button", name="Take this name").click()
        at(self.page, r":\d+/")
        return self

    def come_in(self) -> Person:
        """Be signed in without having seen a page: the same steps as `sign_in`, taken by a script whose cookies the browser gets."""
        with Player(self.base_url, self.name) as script:
            script.sign_in()
            self.context.add_cookies(
                [{"name": one.name, "value": one.value or "", "url": self.base_url} for one in script.wire.http.cookies]
            )
        return self

    def choose(self, type: str = "casual", difficulty: str = "standard", players: int = 2) -> Person:
        """Choose on the page that Play leads to, without looking for a match yet."""
        if self.path != "/play":
            self.page.goto("/play")
        for name, value in (("type", type), ("difficulty", difficulty), ("players", str(players))):
            self.page.locator(f"input[name={name}][value='{value}']").check(force=True)
        return self

    def find(self) -> Person:
        """Look for the match that was chosen."""
        self.page.get_by_role("button", name="Find a match").click(no_wait_after=True)
        return self

    def give_up(self) -> None:
        """Leave the match that the page shows, by the dialog that asks first."""
        self.page.get_by_role("button", name="Forfeit the match").click()
        self.page.get_by_role("button", name="Forfeit", exact=True).click()

    def arrive(self) -> Person:
        """Wait until the match's page is open and its stream runs."""
        at(self.page, r"/match/[\w-]+")
        self.page.wait_for_selector("#table")
        return self

    # --- playing ------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """The path of the open page."""
        return urlsplit(self.page.url).path

    @property
    def match_id(self) -> str:
        """The match that the page shows."""
        return self.path.split("/")[2]

    @property
    def board(self) -> Board:
        """What the page shows now."""
        return read_board(parse(self._html()), self.path)

    def _html(self) -> str:
        """The page's elements; a page that is just being left is asked again once the next one is there."""
        for _ in range(20):
            try:
                return self.page.content()
            except Error:
                self.page.wait_for_load_state("domcontentloaded")
        return self.page.content()

    @property
    def draft(self) -> str:
        """What stands in the entry."""
        return self.page.locator("#guess").input_value()

    def type_guess(self, digits: str) -> None:
        """Type digits into what has the focus, as a person at a keyboard does."""
        self.page.keyboard.type(digits)

    def tap_guess(self, digits: str) -> None:
        """Enter digits on the keypad."""
        for digit in digits:
            self.page.locator(f"#key-{digit}").click(timeout=SHORT_MS)

    def pick_skill(self, skill: str) -> None:
        """Take a skill in the picking phase."""
        self.page.locator(f"input[name=skill][value={skill}]").check(force=True, timeout=SHORT_MS)
        self.page.get_by_role("button", name="Take this skill").click(timeout=SHORT_MS)

    def pick_if_asked(self, skill: str = "extra_turn") -> None:
        """Take a skill when it is one's time to pick; it may have been picked for one meanwhile."""
        if self.board.can_pick:
            self.try_to(lambda: self.pick_skill(skill))

    def move(self, *, tapping: bool = False) -> bool:
        """Do what the page asks for now: guess when it is one's turn. Whether there was anything to do."""
        board = self.board
        if board.can_pick:
            self.pick_if_asked()
            return True
        if not board.can_guess:
            return False
        digits = solver.next_guess(board, self.chance)
        self.try_to(lambda: self.send_guess(digits, tapping=tapping))
        return True

    def send_guess(self, digits: str, *, tapping: bool = False) -> None:
        """Enter a guess in place of what stands there, and send it."""
        self.page.focus("#guess", timeout=SHORT_MS)
        self.page.keyboard.press("Escape")
        if tapping:
            self.tap_guess(digits)
            self.page.locator("#send").click(timeout=SHORT_MS)
        else:
            self.type_guess(digits)
            self.page.keyboard.press("Enter")

    def use_skill(self, target: str = "") -> None:
        """Use one's skill, where it needs an opponent on `target` or the first that can be named."""
        self.page.locator("#use-skill").click(timeout=SHORT_MS)
        dialog = self.page.locator("#skill-dialog[open]")
        if dialog.count():
            dialog.locator("label", has_text=target).locator("input:enabled").first.check(force=True, timeout=SHORT_MS)
            dialog.get_by_role("button", name="Use ").click(timeout=SHORT_MS)

    def try_to(self, act: Callable[[], None]) -> None:
        """Do something that ends with the turn. A turn may run out in the middle of a move; that is the game, not a fault."""
        before = self.board
        try:
            act()
            self.missed = 0
        except Error:
            after = self.board
            if (after.phase, after.can_pick, after.turn) == (before.phase, before.can_pick, before.turn):
                # On a busy machine the page may not have been told yet that the turn is over; twice running it is a fault.
                self.missed += 1
                if self.missed > MISSES_MOST:
                    raise


def play_out(people: Iterable[Person], *, tapping: Container[Person] = (), within_s: float = 180) -> None:
    """Let everybody play until each sees the results of the match; those of `tapping` enter their guesses on the keypad."""
    crowd = list(people)

    def all_done() -> bool:
        for person in crowd:
            person.move(tapping=person in tapping)
        return all(person.path.endswith("/results") for person in crowd)

    until(all_done, "the results of the match", within_s=within_s, every_s=0.05)


def meet(*people: Person, players: int = 0) -> None:
    """Seat people at one match, and try again when a bot was quicker than one of them on a busy machine."""
    for _ in range(5):
        for person in people:
            person.choose(players=players or len(people))
        for person in people:
            person.find()
        for person in people:
            person.arrive()
        if len({person.match_id for person in people}) == 1:
            return
        for person in people:
            person.give_up()
            at(person.page, "/results")
    raise AssertionError("they were not seated together")
