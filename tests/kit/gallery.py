"""Pictures of every state of every screen, from a stage on which time stands still: `python -m tests.kit.gallery [WORD…]`.

The words choose screens by parts of their names; "phone", "small", "desktop", "light" and "dark" among them choose sizes and themes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby, product
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from tests.kit import browser as browsers
from tests.kit import screens
from tests.kit.browser import DESKTOP, PHONE
from tests.kit.screens import SCREENS, Screen
from tests.kit.stage import open_stage

FOLDER = Path("shots/states")
SMALL = {"width": 320, "height": 568}
SIDEWAYS = {"width": 740, "height": 360}
SIZES = {"phone": PHONE, "desktop": DESKTOP, "small": SMALL, "sideways": SIDEWAYS}
USUAL = ("phone", "desktop")
THEMES = ("light", "dark")


def main(words: Sequence[str]) -> int:
    """Take the pictures; the exit code."""
    if browsers.find() is None:
        print("No Chromium or Chrome here: no pictures", file=sys.stderr)
        return 1
    sizes = [size for size in SIZES if size in words] or list(USUAL)
    themes = [theme for theme in THEMES if theme in words] or list(THEMES)
    parts = [word for word in words if word not in (*SIZES, *THEMES)]
    chosen = [screen for screen in SCREENS if not parts or any(part in screen.name for part in parts)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open_stage() as stage, browsers.launched() as browser:
        for who, seen in groupby(sorted(chosen, key=lambda one: one.who), key=lambda one: one.who):
            with screens.eyes(browser, stage, who) as page:
                for screen in seen:
                    take(page, screen, sizes, themes)
    print(f"{len(chosen) * len(sizes) * len(themes)} pictures in {FOLDER}/")
    return 0


def take(page: Page, screen: Screen, sizes: Sequence[str], themes: Sequence[str]) -> None:
    """The screen in each size and theme: the window, or the whole page where that is longer and nothing lies over it."""
    page.set_viewport_size(ViewportSize(**SIZES[sizes[0]]))
    screens.show(page, screen)
    for size, theme in product(sizes, themes):
        page.set_viewport_size(ViewportSize(**SIZES[size]))
        page.emulate_media(color_scheme=theme)  # pyright: ignore[reportArgumentType]
        screens.settle(page)
        page.screenshot(path=FOLDER / f"{screen.name}-{size}-{theme}.png", full_page=not screen.press)
    print(screen.name, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
