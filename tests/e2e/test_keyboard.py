"""The keyboard alone is enough: from the welcome page to the results, without a mouse and without knowing where things are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.kit import screens, solver
from tests.kit.browser import DESKTOP
from tests.kit.person import Person, at
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.stage import open_stage

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
    at(page, path)


def test_the_keyboard_alone_plays_a_match(browser: Browser, server: Server) -> None:
    with Person(browser, server.url, "tessel", size=DESKTOP) as tessel:
        page = tessel.page
        page.goto("/")
        press(page, "Sign in", "/sign-in")
        press(page, "Continue", "/authorize")
        tab_to(page, "person", by=1)
        page.keyboard.type("tessel")
        page.keyboard.press("Enter")
        at(page, "/username")
        page.locator("#username").fill("")
        page.locator("#username").press_sequentially("tessel")
        page.keyboard.press("Enter")
        at(page, r":\d+/")
        press(page, "Play now", "/play")
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


@pytest.fixture(scope="module")
def table(browser: Browser) -> Iterator[Page]:
    """A page of a match in which it is the viewer's turn, and stays so."""
    with open_stage() as stage, screens.eyes(browser, stage, screens.MIRA, viewport=DESKTOP) as page:
        yield page


def entry(page: Page) -> Locator:
    return page.locator("#guess")


def test_a_turn_begins_with_the_focus_in_the_entry(table: Page) -> None:
    """GUIDE: no Tab is needed to type one's guess."""
    table.goto("/match/own-turn")
    expect(entry(table)).to_be_focused()
    table.keyboard.type("72")
    expect(entry(table)).to_have_value("72")


def test_digits_reach_the_entry_when_nothing_has_the_focus(table: Page) -> None:
    table.goto("/match/own-turn")
    table.keyboard.press("Escape")
    table.locator("#board").click()
    expect(entry(table)).not_to_be_focused()
    table.keyboard.type("74")
    table.keyboard.press("Backspace")
    expect(entry(table)).to_have_value("7")
    expect(entry(table)).to_be_focused()


def test_digits_stay_away_from_the_entry_while_a_dialog_or_another_control_is_used(table: Page) -> None:
    table.goto("/match/own-turn")
    table.keyboard.press("Escape")
    table.get_by_role("button", name="Forfeit the match").click()
    table.keyboard.type("7")
    expect(entry(table)).to_have_value("")
    table.keyboard.press("Escape")
    expect(entry(table)).to_be_focused()
    table.get_by_role("button", name="Forfeit the match").focus()
    table.keyboard.type("7")
    expect(entry(table)).to_have_value("")


def test_digits_typed_in_somebody_elses_turn_go_nowhere_and_shortcuts_stay_the_browsers(table: Page) -> None:
    table.goto("/match/others-turn")
    table.locator("#board").click()
    table.keyboard.type("7")
    expect(entry(table)).to_have_value("")
    table.goto("/match/own-turn")
    expect(entry(table)).to_be_focused()
    table.keyboard.press("Escape")
    table.evaluate("addEventListener('keydown', (event) => window.kept = event.defaultPrevented)")
    table.keyboard.press("Control+1")
    assert table.evaluate("window.kept") is False
    expect(entry(table)).to_have_value("")


def test_a_paste_is_taken_without_its_blanks(table: Page) -> None:
    """Requirement 4."""
    table.goto("/match/own-turn")
    expect(entry(table)).to_be_focused()
    table.keyboard.press("Escape")
    table.keyboard.insert_text("  0 4 1 7\n")
    expect(entry(table)).to_have_value("0417")
