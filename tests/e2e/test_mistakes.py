"""What goes wrong while a guess is sent is said beside the entry, keeps what was typed, and offers a way on (requirement 28)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit import screens
from tests.kit.browser import PHONE
from tests.kit.stage import Stage, open_stage


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """One stage: none of these guesses is ever taken."""
    with open_stage() as stage:
        yield stage


@pytest.fixture
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    """A phone, on which nothing is open yet."""
    with screens.eyes(browser, stage, screens.MIRA, viewport=PHONE) as page:
        yield page


def type_guess(page: Page) -> None:
    """Type four digits on one's own turn. What is to go wrong on the way is set up before, so that no request can slip past it."""
    page.goto("/match/own-turn")
    expect(page.locator("#guess")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.type("7249")


def assert_told_in_place(page: Page, words: str) -> None:
    message = page.locator("#guess-message")
    expect(message).to_be_visible()
    expect(message).to_contain_text(words)
    expect(page.locator("#guess")).to_have_value("7249")
    assert page.locator(".board .guess").count() > 0, "the board stands as it was"


def test_a_token_that_has_expired(page: Page) -> None:
    type_guess(page)
    page.evaluate("document.body.setAttribute('hx-headers:inherited', JSON.stringify({ 'X-CSRFToken': 'old' }))")
    page.evaluate("document.querySelectorAll('[name=csrf_token]').forEach((field) => field.remove())")
    page.keyboard.press("Enter")
    assert_told_in_place(page, "")
    page.locator("#guess-message a").click()
    expect(page.locator("#guess")).to_have_value("7249")


def test_a_session_that_is_no_more(page: Page) -> None:
    type_guess(page)
    page.context.clear_cookies()
    page.keyboard.press("Enter")
    assert_told_in_place(page, "")
    expect(page.locator("#guess-message a")).to_be_visible()


def test_a_server_that_does_not_answer(page: Page) -> None:
    page.route("**/guess", lambda route: route.abort())
    type_guess(page)
    page.keyboard.press("Enter")
    assert_told_in_place(page, "try again")


def test_a_server_that_fails(page: Page) -> None:
    page.route("**/guess", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>"))
    type_guess(page)
    page.keyboard.press("Enter")
    assert_told_in_place(page, "try again")
    expect(page.locator("body")).not_to_contain_text("Bad gateway")


def test_a_proxy_that_fails_while_a_skill_is_picked(browser: Browser, stage: Stage) -> None:
    with screens.eyes(browser, stage, screens.MIRA, viewport=PHONE) as page:
        page.goto("/match/pick")
        page.route("**/pick", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>"))
        page.locator("label", has_text="Extra Turn").click()
        page.get_by_role("button", name="Take this skill").click()
        expect(page.locator("#pick-message")).to_contain_text("try again")
        expect(page.locator("body")).not_to_contain_text("Bad gateway")
        expect(page.locator("input[value=extra_turn]")).to_be_checked()
