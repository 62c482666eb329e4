"""Every screen there is, by name: who sees it, where it is, and what is pressed to see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.kit.stage import GUEST, SIGNING_UP, Stage
from tests.kit.stage_people import NEWCOMER

MIRA = "mira_k"


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen. `press` names elements that are clicked one after the other; `type` is typed at last, where the focus is."""

    name: str
    path: str
    who: str = MIRA
    press: tuple[str, ...] = ()
    type: str = ""
    status: int = 200


def _match(name: str, *press: str, label: str = "", type: str = "", who: str = MIRA) -> Screen:
    return Screen(f"match-{name}{'-' + label if label else ''}", f"/match/{name}", who=who, press=press, type=type)


SCREENS = (
    Screen("welcome", "/", who=GUEST),
    Screen("sign-in", "/sign-in", who=GUEST),
    Screen("username", "/username", who=SIGNING_UP),
    Screen("home", "/"),
    Screen("home-new", "/", who=NEWCOMER),
    Screen("home-in-match", "/", who="nova_7"),
    Screen("home-in-match-abandon", "/", who="nova_7", press=("[commandfor=abandon]",)),
    Screen("home-in-search", "/", who="tessel"),
    Screen("home-warned", "/", who="pale_ink"),
    Screen("play", "/play"),
    Screen("play-hardcore", "/play?type=casual&difficulty=hardcore&players=4"),
    Screen("search", "/search", who="tessel"),
    _match("pick"),
    Screen("match-pick-chosen", "/match/pick", press=("label:has([value=freeze])",)),
    _match("pick-bot"),
    _match("countdown"),
    _match("first-turn"),
    _match("own-turn", type="72"),
    _match("own-turn", label="refused", type="277"),
    _match("others-turn"),
    _match("bots-turn"),
    _match("longest-name"),
    _match("few-left"),
    _match("revealed"),
    _match("frozen"),
    _match("four", type="720"),
    _match("targets", "#use-skill"),
    _match("four-full"),
    _match("left"),
    _match("look-on"),
    _match("inactive"),
    _match("away"),
    _match("own-turn", "[commandfor=forfeit]", label="forfeit"),
    _match("own-turn", "[commandfor=fairness]", label="fairness"),
    _match("round-won"),
    _match("round-lost"),
    _match("round-drawn"),
    _match("round-four"),
    Screen("results-won", "/match/ranked-won/results"),
    Screen("results-four", "/match/ranked-four/results"),
    Screen("results-left", "/match/ranked-left/results"),
    Screen("results-drawn", "/match/casual-drawn/results"),
    Screen("results-cancelled", "/match/cancelled/results"),
    Screen("results-given-up", "/match/given-up/results"),
    Screen("matches", "/matches"),
    Screen("matches-second-page", "/matches?page=2"),
    Screen("matches-none", "/matches", who=NEWCOMER),
    Screen("matches-no-wins", "/matches?filter=wins", who=NEWCOMER),
    Screen("details", "/matches/ranked-won"),
    Screen("details-four", "/matches/ranked-left"),
    Screen("details-cancelled", "/matches/cancelled"),
    Screen("profile", "/profile"),
    Screen("profile-new", "/profile", who=NEWCOMER),
    Screen("profile-other", "/u/nova_7"),
    Screen("profile-bot", "/u/velvet_otter4821", who=GUEST),
    Screen("achievements", "/achievements"),
    Screen("achievements-none", "/achievements", who=NEWCOMER),
    Screen("duels", "/duels"),
    Screen("duels-played", "/duels/history"),
    Screen("duel-choosing", "/duel/duel-choosing", type="72"),
    Screen("duel-own", "/duel/duel-own", type="7"),
    Screen("duel-others", "/duel/duel-others"),
    Screen("duel-totals", "/duel/duel-totals"),
    Screen("duel-over", "/duel/duel-over"),
    Screen("suspended", "/", who="basil", status=403),
    Screen("banned", "/", who="juno", status=403),
    Screen("not-found", "/nowhere", status=404),
    Screen("forbidden", "/stage/403", status=403),
    Screen("crash", "/stage/500", status=500),
)


# What is still moving, but for what never stops: a caret, a pulse.
STILL = """Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => 0)))"""


@contextmanager
def browser_of(browser: Browser, stage: Stage, who: str, **options: Any) -> Iterator[BrowserContext]:
    """Somebody's browser, signed in, without a page yet."""
    context = browser.new_context(base_url=stage.url, **options)
    if who in stage.cookies:
        context.add_cookies([{"name": stage.cookie_name, "value": stage.cookies[who], "url": stage.url}])
    context.add_init_script(
        "document.addEventListener('live:state', ({ detail }) => document.documentElement.setAttribute('data-stream', detail.state))"
    )
    try:
        yield context
    finally:
        context.close()


@contextmanager
def eyes(browser: Browser, stage: Stage, who: str, **options: Any) -> Iterator[Page]:
    """A page of somebody's browser."""
    with browser_of(browser, stage, who, **options) as context:
        yield context.new_page()


def show(page: Page, screen: Screen) -> None:
    """Bring a screen up, and wait until it has come to rest."""
    answer = page.goto(screen.path, wait_until="load")
    assert answer is not None
    assert answer.status == screen.status, f"{screen.name}: {answer.status}"
    if page.locator("#stream").count():
        page.wait_for_selector("html[data-stream]", state="attached")
    for selector in screen.press:
        page.locator(selector).first.click()
    if screen.type:
        page.keyboard.type(screen.type)
    settle(page)


def settle(page: Page) -> None:
    """Wait until nothing moves any more."""
    page.evaluate(STILL)
