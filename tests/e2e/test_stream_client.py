"""What a page does with its one stream, whatever happens to it (R5.1-R5.3, req. 24-29), against a server that misbehaves on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.scripted import BEAT_MS, Script, ScriptedServer
from tests.kit.processes import until

HEAR = """
addEventListener("DOMContentLoaded", () => {
  window.heard = [];
  for (const id of ["live", "alert"]) {
    const region = document.getElementById(id);
    new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(region, { childList: true });
  }
});
"""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    server = ScriptedServer()
    yield server
    server.stop()


@pytest.fixture
def script(server: ScriptedServer) -> Script:
    return server.script


@pytest.fixture
def context(browser: Browser, server: ScriptedServer) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url)
    context.add_init_script(HEAR)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, script: Script) -> Page:
    """A page at the table, with a clock that a test can wind on, and its stream open."""
    page = context.new_page()
    page.clock.install()
    page.goto("/table")
    until(lambda: script.open == 1, "the stream is open")
    return page


def shows(page: Page, version: int) -> None:
    expect(page.locator("#shown")).to_have_text(str(version))


def banner(page: Page, which: str) -> None:
    expect(page.locator(f"[data-when={which}]")).to_be_visible()
    assert page.locator("#connection > :visible").count() == 1


def test_updates_leave_the_field_in_use_alone_and_are_said_once(page: Page, script: Script) -> None:
    page.locator("#guess").press_sequentially("12")
    for version in (2, 3):
        script.set(version=version)
        shows(page, version)
        page.keyboard.type(str(version + 1))
    assert page.locator("#guess").input_value() == "1234"
    assert page.evaluate("document.activeElement.id") == "guess"
    page.wait_for_function("heard.includes('Step 3.')")
    assert page.evaluate("heard") == ["Step 2.", "Step 3."]
    assert page.locator("#news > *").count() == 0


def test_a_silent_connection_is_given_up_and_the_page_says_what_it_has(page: Page, script: Script) -> None:
    script.set(version=4)
    shows(page, 4)
    script.set(silent=True)
    asked = len(script.asked)
    page.clock.run_for(BEAT_MS * 2)
    assert len(script.asked) == asked, "two beats may go missing"
    page.clock.run_for(BEAT_MS * 2)
    until(lambda: len(script.asked) > asked, "it connects again")
    assert (script.asked[-1]["v"], script.asked[-1]["last"]) == ("4", "4")
    script.set(silent=False, version=5)
    page.clock.run_for(BEAT_MS)
    shows(page, 5)
    assert page.locator("#rows li").all_inner_texts() == ["4", "5"]


def test_it_keeps_trying_while_the_server_says_503(page: Page, script: Script) -> None:
    script.set(status=503, silent=True)
    page.clock.run_for(BEAT_MS * 4)
    until(lambda: script.asked[-1]["status"] == 503, "it has met the 503")
    page.clock.run_for(2_000)
    banner(page, "seat-kept")
    script.set(status=200, silent=False, version=2)
    page.clock.run_for(20_000)
    shows(page, 2)
    expect(page.locator("#connection > :visible")).to_have_count(0)
    page.wait_for_function("heard.includes('Back in the match.')")


@pytest.mark.parametrize("status", [401, 204])
def test_a_session_that_is_no_more_ends_it(context: BrowserContext, script: Script, status: int) -> None:
    script.set(status=status)
    page = context.new_page()
    page.clock.install()
    page.goto("/plain")
    banner(page, "signed-out")
    page.clock.run_for(120_000)
    assert len(script.asked) == 1, "it isn't tried again"


def test_signed_out_elsewhere_is_told_and_nothing_more_can_be_sent(page: Page, script: Script) -> None:
    script.set(named=["event: signed-out\ndata: replaced\n\n"])
    banner(page, "signed-out")
    expect(page.locator("#connection")).to_contain_text("another device")
    assert page.locator("#main").get_attribute("inert") is not None
    until(lambda: script.open == 0, "the stream is closed")
    page.clock.run_for(120_000)
    assert len(script.asked) == 1


def test_a_newer_version_is_told_and_loads_with_the_next_page(context: BrowserContext, script: Script) -> None:
    script.set(app_version="two")
    page = context.new_page()
    page.goto("/table")
    banner(page, "newer")
    page.locator("#away").click()
    expect(page.locator("#plain")).to_be_visible()


def test_a_page_has_one_stream_and_history_holds_whole_pages(page: Page, script: Script) -> None:
    first = script.asked[0]["tab"]
    page.locator("#away").click()
    expect(page.locator("#plain")).to_be_visible()
    until(lambda: script.left == [first] and script.open == 1, "the old stream is gone, with word of it")
    script.set(version=7)
    page.go_back()
    shows(page, 7)
    expect(page.locator("#main")).to_be_visible()
    until(lambda: script.open == 1, "one stream again")
    script.set(version=8)
    shows(page, 8)


def test_hidden_tabs_give_their_streams_away_and_the_last_one_stays(context: BrowserContext, script: Script) -> None:
    script.set(beat_ms=60_000)  # the clock is wound on faster than this server beats
    pages = [context.new_page() for _ in range(4)]
    for page in pages:
        page.clock.install()
        page.goto("/plain")
    until(lambda: script.open == 4, "every tab has a stream")
    for page in pages:
        page.evaluate(HIDE, True)
        page.clock.run_for(25_000)
    until(lambda: script.open == 1, "one is left")
    assert sum(page.evaluate("navigator.locks.query().then((now) => now.held.length)") for page in pages[:1]) == 1
    pages[0].evaluate(HIDE, False)
    until(lambda: script.open == 2, "a tab that is looked at has its own again")


def test_when_the_tab_that_kept_the_stream_closes_a_hidden_one_stands_in(context: BrowserContext, script: Script) -> None:
    """R5.1: any open page keeps the seat, also one that nobody looks at."""
    script.set(beat_ms=60_000)
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        page.clock.install()
        page.goto("/plain")
    until(lambda: script.open == 3, "every tab has a stream")
    for page in pages:
        page.evaluate(HIDE, True)
        page.clock.run_for(25_000)
    until(lambda: script.open == 1, "one is left")
    last, *gone = pages
    for page in gone:
        page.close()

    def stands_in() -> bool:
        last.clock.run_for(3_000)
        return last.evaluate("navigator.locks.query().then((now) => now.held.length)") == 1

    until(stands_in, "the last tab has a stream")
    until(lambda: script.open == 1, "and no other")


def test_offline_and_back(page: Page, context: BrowserContext, script: Script) -> None:
    context.set_offline(True)
    page.clock.run_for(2_000)
    banner(page, "seat-kept")
    expect(page.locator("#connection [data-grace]")).to_have_text(re.compile(r"0:5\d"))
    script.set(version=3)
    context.set_offline(False)
    shows(page, 3)


def test_the_server_sends_the_page_elsewhere_on_this_site_only(page: Page, script: Script) -> None:
    script.set(named=["event: navigate\ndata: https://example.org/\n\n", "event: navigate\ndata: /plain\n\n"])
    expect(page.locator("#plain")).to_be_visible()


def send_late(page: Page, script: Script, version: int) -> None:
    script.set(stale=version)
    page.locator("#guess").fill("1234")
    page.locator("#pad button").click()
    expect(page.locator("#message")).to_have_text("Too late")


def test_steps_that_an_answer_has_shown_already_are_left_out(page: Page, script: Script) -> None:
    """The answer to a late guess brings the table as it is; the stream tells of the same steps a moment later."""
    script.set(version=2)
    shows(page, 2)
    send_late(page, script, 3)
    script.set(version=3)
    until(lambda: 3 in script.sent, "the stream tells of the step")
    script.set(version=4)
    shows(page, 4)
    expect(page.locator("#rows li")).to_have_text(["2", "3", "4"])


def test_an_answer_that_is_behind_the_stream_takes_nothing_away(page: Page, script: Script) -> None:
    for version in (2, 3):
        script.set(version=version)
        shows(page, version)
    send_late(page, script, 2)
    expect(page.locator("#rows li")).to_have_text(["2", "3"])


def test_a_form_is_sent_once_and_its_redirect_is_a_whole_page(page: Page, script: Script) -> None:
    page.locator("#guess").fill("1234")
    page.evaluate("for (let n = 0; n < 3; n++) document.querySelector('#pad button').click()")
    expect(page.locator("#pad button")).to_have_text("Sending…")
    expect(page.locator("#pad button")).to_have_attribute("aria-busy", "true")
    script.hold.set()
    expect(page.locator("#plain")).to_be_visible()
    assert script.guesses == ["1234"]
    assert page.url.endswith("/plain")


NEWS = """document.getElementById("news").insertAdjacentHTML("beforeend", '<p data-say="polite" data-once="medal">A medal.</p>')"""


def test_news_that_meets_a_player_between_two_pages_is_heard_once(page: Page) -> None:
    """R10: an unlocked achievement is told on the match's page and on the results; whichever stays says it."""

    def heard() -> list[str]:
        page.evaluate(NEWS)
        page.clock.run_for(3_000)
        return [text for text in page.evaluate("window.heard") if text == "A medal."]

    page.evaluate(NEWS)
    page.goto("/plain")
    assert heard() == ["A medal."], "the first page was left before it could be heard"
    page.goto("/plain")
    assert heard() == []
