"""Every screen, in every state: nothing serious to axe-core's rules, nothing to scroll sideways, nothing too small to tap (R18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

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


def grave_faults(page: Page, *, colours_only: bool = False) -> list[str]:
    """What axe-core finds that is serious or critical, with the elements."""
    options = {"resultTypes": ["violations"], **({"runOnly": ["color-contrast"]} if colours_only else {})}
    found: list[dict[str, Any]] = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'].splitlines()[-1].strip()}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def faults_in(page: Page, size: dict[str, int]) -> dict[str, list[str]]:
    """The grave faults in both themes, at one size; a theme changes colours and nothing else."""
    page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
    found: dict[str, list[str]] = {}
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        screens.settle(page)
        found[theme] = grave_faults(page, colours_only=theme != THEMES[0])
    return {theme: faults for theme, faults in found.items() if faults}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_phone_shows_it_to_everybody(browser: Browser, stage: Stage, screen: Screen) -> None:
    with screens.eyes(browser, stage, screen.who, viewport=PHONE, reduced_motion="reduce") as page:
        screens.show(page, screen)
        assert faults_in(page, PHONE) == {}
        for size in (NARROWEST, SIDEWAYS, USUAL_NARROW):
            page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
            assert page.evaluate(TOO_WIDE) == [], f"at {size['width']} px"
        assert page.evaluate(TOO_SMALL, TAP) == []


@pytest.mark.parametrize("name", ON_A_DESKTOP)
def test_a_desktop_shows_it_to_everybody(browser: Browser, stage: Stage, name: str) -> None:
    screen = next(screen for screen in SCREENS if screen.name == name)
    with screens.eyes(browser, stage, screen.who, viewport=DESKTOP, reduced_motion="reduce") as page:
        screens.show(page, screen)
        assert faults_in(page, DESKTOP) == {}


def test_the_rules_find_what_they_are_for(browser: Browser, stage: Stage) -> None:
    """The checks above would notice: a page with one fault of each kind has each of them found."""
    with screens.eyes(browser, stage, "", viewport=PHONE) as page:
        page.goto("/sign-in")
        page.evaluate(
            """() => document.querySelector("main").insertAdjacentHTML("beforeend",
              '<button></button><p class="btn">x</p><img src="/static/icons/icon.svg" width="900">')"""
        )
        assert any(fault.startswith("button-name") for fault in grave_faults(page))
        assert page.evaluate(TOO_WIDE) != []
        assert page.evaluate(TOO_SMALL, TAP) != []
