"""The Chromium that the browser tests drive: the one on this machine, else Playwright's, else Debian's package.

`python -m tests.kit.browser` looks for one, and installs one when there is none and it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
FLAGS = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--mute-audio")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


@cache
def find() -> str | None:
    """The path of a browser that can be had without installing anything, or None. CHROMIUM names one outright."""
    given = os.environ.get("CHROMIUM", "").strip()
    if given:
        return shutil.which(given)
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    if Path(MAC).exists():
        return MAC
    return _playwrights_own()


def _playwrights_own() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


@contextmanager
def launched() -> Iterator[Browser]:
    """A running headless browser. Raises: RuntimeError when the machine has none."""
    find()  # before Playwright runs, because asking for its own browser starts it too
    with sync_playwright() as playwright:
        browser = launch(playwright)
        try:
            yield browser
        finally:
            browser.close()


def launch(playwright: Playwright, **options: Any) -> Browser:
    """Start the browser that was found, silent towards the outside."""
    path = find()
    if path is None:
        raise RuntimeError("no Chromium or Chrome found: set CHROMIUM to its path, or run `make browser`")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, headless=True, args=[*FLAGS, *root], **options)


def _install() -> None:
    """Playwright's build needs no rights; Debian's package needs root, and comes from where the machine gets its packages anyway."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], check=False, env=quiet)
        subprocess.run(
            ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium", "fonts-liberation"], check=False, env=quiet
        )
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    find.cache_clear()


def main() -> None:
    """Have a browser, or say that there is none: the tests then report the browser tests as skipped."""
    if find() is None:
        print("No Chromium or Chrome on this machine; installing one", flush=True)
        _install()
    path = find()
    print(f"Browser: {path}" if path else "No browser can be had here: the browser tests will be skipped (with CI=true that is a failure)")


if __name__ == "__main__":
    main()
