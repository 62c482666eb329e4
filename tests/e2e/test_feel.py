"""How a match feels: a tab in the background tells of one's turn, switches are kept, nothing moves for who wants that, focus is led."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit import screens
from tests.kit.browser import PHONE
from tests.kit.screens import MIRA
from tests.kit.stage import Stage, open_stage

TABBED = """() => {
  const one = document.activeElement;
  return one.id || one.getAttribute("aria-label") || one.textContent.trim();
}"""
MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === "running" && one.effect.getComputedTiming().duration > 1)
  .map((one) => one.effect.target.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """One stage for this module."""
    with open_stage() as stage:
        yield stage


@pytest.fixture
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    """A phone of somebody who wants nothing to move."""
    with screens.eyes(browser, stage, MIRA, viewport=PHONE, reduced_motion="reduce") as page:
        yield page


def test_title_and_icon_tell_a_tab_in_the_background(page: Page) -> None:
    icons: list[str] = []
    for match, title in (("own-turn", "Your turn · round 1 · guessIo"), ("others-turn", "nova_7 is guessing · round 1 · guessIo")):
        page.goto(f"/match/{match}")
        expect(page).to_have_title(title)
        icons.append(page.locator("link[rel=icon]").get_attribute("href") or "")
    assert [icon.rpartition("/")[2] for icon in icons] == ["icon-turn.svg", "icon.svg"]


def test_switched_off_sounds_stay_off(page: Page) -> None:
    page.goto("/match/own-turn")
    page.locator("[commandfor=fairness]").first.click()
    page.get_by_label("Sounds").uncheck()
    page.reload()
    page.locator("[commandfor=fairness]").first.click()
    expect(page.get_by_label("Sounds")).not_to_be_checked()
    expect(page.get_by_label("Vibration")).to_be_checked()


@pytest.mark.parametrize("path", ["/match/own-turn", "/match/few-left", "/match/frozen", "/match/round-won", "/search", "/"])
def test_nothing_moves_for_who_wants_that(page: Page, path: str) -> None:
    page.goto(path)
    assert page.evaluate(MOVING) == []


def test_a_low_clock_moves_for_everybody_else(browser: Browser, stage: Stage) -> None:
    """What the test above looks for is there."""
    with screens.eyes(browser, stage, MIRA, viewport=PHONE) as page:
        page.goto("/match/few-left")
        assert page.evaluate(MOVING) != []


def test_focus_goes_to_the_entry_and_on_in_the_order_of_the_screen(page: Page) -> None:
    page.goto("/match/own-turn")
    expect(page.locator("#guess")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    backwards = [page.evaluate(TABBED)]
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
        backwards.append(page.evaluate(TABBED))
    assert backwards[0] == "board", "the board takes the focus, so that it scrolls by key"
    assert "Round 1" in backwards[1]
    assert backwards[2] == "Forfeit the match"


def test_a_dialog_opens_on_the_safe_answer_and_gives_the_focus_back(page: Page) -> None:
    page.goto("/match/own-turn")
    page.locator("[commandfor=forfeit]").first.click()
    expect(page.get_by_role("button", name="Keep playing")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#forfeit")).to_be_hidden()
    expect(page.locator("#guess")).to_be_focused()


def forfeit(page: Page, match: str) -> None:
    """Leave a match by hand."""
    page.goto(f"/match/{match}")
    page.locator("[commandfor=forfeit]").first.click()
    page.locator("#forfeit button[data-kind=danger]").click()


def test_a_choice_of_whom_to_freeze_outlasts_that_somebody_else_leaves(browser: Browser, stage: Stage, page: Page) -> None:
    page.goto("/match/whom")
    dialog, chosen = page.locator("#skill-dialog"), page.locator("#skill-dialog [value='1']")
    page.wait_for_selector("html[data-stream=open]", state="attached")
    page.locator("#use-skill").click()
    chosen.check()
    with screens.eyes(browser, stage, "nova_7") as other:
        forfeit(other, "whom")
    expect(page.locator("#skill-dialog [value='2']")).to_be_disabled()
    assert dialog.evaluate("(one) => one.matches(':modal')"), "it lies over the match still"
    expect(chosen).to_be_checked()
    expect(chosen).to_be_focused()
    dialog.locator("[type=submit]").click()
    expect(page.locator("#use-skill")).to_have_count(0)
    expect(dialog).to_be_hidden()


def test_a_choice_of_somebody_who_leaves_is_let_go(browser: Browser, stage: Stage, page: Page) -> None:
    page.goto("/match/whom-else")
    page.wait_for_selector("html[data-stream=open]", state="attached")
    page.locator("#use-skill").click()
    page.locator("#skill-dialog [value='2']").check()
    with screens.eyes(browser, stage, "nova_7") as other:
        forfeit(other, "whom-else")
    expect(page.locator("#skill-dialog [value='2']")).to_be_disabled()
    assert page.locator("#skill-dialog").evaluate("(one) => one.matches(':modal')")
    expect(page.locator("#skill-dialog :checked")).to_have_count(0)
