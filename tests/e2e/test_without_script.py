"""Without JavaScript: pages are read, people sign in, and what a match asks for is sent by plain forms (R18)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit import screens
from tests.kit.browser import PHONE
from tests.kit.screens import MIRA
from tests.kit.server import Server
from tests.kit.stage import Stage, open_stage


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """A stage of this module's own: what is sent here changes it."""
    with open_stage() as stage:
        yield stage


@pytest.fixture
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    """A phone that runs no script, signed in."""
    with screens.eyes(browser, stage, MIRA, viewport=PHONE, java_script_enabled=False) as page:
        yield page


def test_signing_in_and_choosing_a_name(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url, viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Somebody else").fill("scriptless")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Username").fill("Not Allowed")
    page.get_by_role("button", name="Take this name").click()
    expect(page.get_by_label("Username")).to_have_value("Not Allowed")
    page.get_by_label("Username").fill("scriptless")
    page.get_by_role("button", name="Take this name").click()
    expect(page.locator("h1")).to_have_text("Home")
    page.goto("/profile")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    context.close()


def test_a_record_is_read_whole(page: Page) -> None:
    page.goto("/matches")
    page.locator("main .list a").first.click()
    moves = page.locator(".move")
    assert moves.count() > 5
    for number in range(moves.count()):
        expect(moves.nth(number)).to_be_visible()
    page.locator("summary", has_text="Proof").first.click()
    expect(page.locator("code", has_text="sha256sum").first).to_be_visible()


def test_a_guess_is_sent_by_a_plain_form(page: Page) -> None:
    page.goto("/match/first-turn")
    expect(page.locator("#guess")).to_have_attribute("inputmode", "numeric")  # or a phone offers nothing to type with
    page.locator("#guess").fill("1123")
    page.get_by_role("button", name="Send guess").click()
    expect(page.locator("#guess-message")).to_contain_text("uses 1 twice")
    expect(page.locator("#guess")).to_have_value("1123")
    page.locator("#guess").fill("1523")
    page.get_by_role("button", name="Send guess").click()
    expect(page.locator("#board [data-own] .tile")).to_have_text(["1", "5", "2", "3"])


def test_a_skill_is_taken_and_used_by_plain_forms(page: Page) -> None:
    page.goto("/match/pick")
    page.locator("label", has_text="Extra Turn").click()
    page.get_by_role("button", name="Take this skill").click()
    expect(page.locator("#picking")).to_contain_text("This is yours")
    page.goto("/match/own-turn")
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator("#pad-known")).to_contain_text("Revealed")
