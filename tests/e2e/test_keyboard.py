"""The keyboard alone is enough: from the welcome page to the results, without a mouse and without knowing where things are."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from tests.kit import solver
from tests.kit.browser import DESKTOP
from tests.kit.person import Person
from tests.kit.processes import until
from tests.kit.server import Server

ACTIVE = "() => { const e = document.activeElement; return [e.tagName, e.id, (e.innerText || e.value || '').trim(), e.name || ''] }"


def tab_to(page: Page, wanted: str, *, by: int = 2, most: int = 60) -> None:
    """Press Tab until what has the focus is called `wanted` (by: 1 its id, 2 its words, 3 its field name)."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if str(page.evaluate(ACTIVE)[by]).startswith(wanted):
            return
    raise AssertionError(f"{wanted!r} is not reached by Tab on {page.url}")


def press(page: Page, wanted: str, path: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Enter")
    page.wait_for_url(path)


def test_the_keyboard_alone_plays_a_match(browser: Browser, server: Server) -> None:
    with Person(browser, server.url, "tessel", size=DESKTOP) as tessel:
        page = tessel.page
        page.goto("/")
        press(page, "Sign in", "**/sign-in*")
        press(page, "Continue", "**/authorize*")
        tab_to(page, "person", by=1)
        page.keyboard.type("tessel")
        page.keyboard.press("Enter")
        page.wait_for_url("**/username")
        page.locator("#username").fill("")
        page.locator("#username").press_sequentially("tessel")
        page.keyboard.press("Enter")
        page.wait_for_url(server.url + "/")
        press(page, "Play now", "**/play*")
        tab_to(page, "type", by=3)
        page.keyboard.press("ArrowRight")
        tab_to(page, "Find a match")
        page.keyboard.press("Enter")
        tessel.arrive()

        def play() -> bool:
            board = tessel.board
            if board.can_guess:
                if page.evaluate("document.activeElement.id") != "guess":
                    tab_to(page, "guess", by=1)
                page.keyboard.press("Escape")
                page.keyboard.type(solver.next_guess(board, tessel.chance))
                page.keyboard.press("Enter")
            return tessel.path.endswith("/results")

        until(play, "the results", within_s=180, every_s=0.05)
        assert tessel.faults == []
