"""Every screen, in every state: nothing serious to axe-core's rules, nothing to scroll sideways, nothing too small to tap (R18)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.kit import screens
from tests.kit.browser import DESKTOP, PHONE
from tests.kit.screens import SCREENS, Screen
from tests.kit.stage import Stage, open_stage

THEMES = ("light", "dark")
GRAVE = ("serious", "critical")
ON_A_DESKTOP = ("home", "play", "match-own-turn", "match-four", "match-round-won", "results-four", "details", "profile", "matches")
NARROWEST = {"width": 320, "height": 568}
USUAL_NARROW = {"width": 360, "height": 740}
SIDEWAYS = {"width": 740, "height": 360}
TAP = 44

# What makes the page scroll sideways, and what is cut off at its right edge although it matters.
TOO_WIDE = """() => {
  const beyond = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
  const cut = beyond.filter((one) => one.matches("button, a, input, .tile, .tag, .key, .error, table") && one.checkVisibility());
  const scrolls = document.documentElement.scrollWidth > innerWidth;
  return (scrolls ? beyond : cut).filter((one) => !one.closest(".sr")).map((one) => one.outerHTML.slice(0, 90)).slice(0, 3);
}"""
# Controls smaller than a fingertip. A field that is laid over something counts with it; a link in running text may be as high as the text.
TOO_SMALL = """(tap) => [...document.querySelectorAll("button, summary, .btn, .tab, .seg > *, .option, .switch, .row[href]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".sr"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width > 0 && (box.height < tap - 0.5 || box.width < tap - 0.5) && !one.matches(".skip-link"))
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${Math.round(box.width)}×${Math.round(box.height)}`)"""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """One stage for all: nobody changes anything on it."""
    with open_stage() as stage:
        yield stage


@pytest.fixture(scope="module")
def browsers(browser: Browser, stage: Stage) -> Iterator[Callable[[str], BrowserContext]]:
    """A browser for each who looks on, kept for all of their screens, so that styles and scripts are loaded once."""
    with ExitStack() as stack:
        yield cache(lambda who: stack.enter_context(screens.browser_of(browser, stage, who, viewport=PHONE, reduced_motion="reduce")))


def grave_faults(page: Page, *, colours_only: bool = False) -> list[str]:
    """What axe-core, which the page has been given, finds that is serious or critical, with the elements."""
    options = {"resultTypes": ["violations"], **({"runOnly": ["color-contrast"]} if colours_only else {})}
    found: list[dict[str, Any]] = page.evaluate("(options) => axe.run(options).then(({ violations }) => violations)", options)
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'].splitlines()[-1].strip()}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def resize(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))


def faults_in(page: Page, size: dict[str, int]) -> dict[str, list[str]]:
    """The grave faults in both themes, at one size; a theme changes colours and nothing else."""
    resize(page, size)
    found: dict[str, list[str]] = {}
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        screens.settle(page)
        found[theme] = grave_faults(page, colours_only=theme != THEMES[0])
    return {theme: faults for theme, faults in found.items() if faults}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_everybody_can_use_it(browsers: Callable[[str], BrowserContext], screen: Screen) -> None:
    with browsers(screen.who).new_page() as page:
        screens.show(page, screen)
        page.evaluate(AXE_SCRIPT)
        assert faults_in(page, PHONE) == {}
        for size in (NARROWEST, SIDEWAYS, USUAL_NARROW):
            resize(page, size)
            assert page.evaluate(TOO_WIDE) == [], f"at {size['width']} px"
        assert page.evaluate(TOO_SMALL, TAP) == []
        if screen.name in ON_A_DESKTOP:
            assert faults_in(page, DESKTOP) == {}


def test_the_desktop_screens_exist() -> None:
    assert {screen.name for screen in SCREENS} >= set(ON_A_DESKTOP)


def test_the_rules_find_what_they_are_for(browser: Browser, stage: Stage) -> None:
    """The checks above would notice: a page with one fault of each kind has each of them found."""
    with screens.eyes(browser, stage, "", viewport=PHONE) as page:
        page.goto("/sign-in")
        page.evaluate(AXE_SCRIPT)
        page.evaluate(
            """() => document.querySelector("main").insertAdjacentHTML("beforeend",
              '<button></button><p class="btn">x</p><img src="/static/icons/icon.svg" width="900">')"""
        )
        assert any(fault.startswith("button-name") for fault in grave_faults(page))
        assert page.evaluate(TOO_WIDE) != []
        assert page.evaluate(TOO_SMALL, TAP) != []
