"""Home as a browser gets it: what is shown once, and what belongs to its owner alone."""

from __future__ import annotations

import pytest
from flask import Flask

from guessio.rules.achievements import Achievement
from guessio.store import achievements, database
from tests.kit import page, signed_in
from tests.kit.fake_clock import FakeClock

pytestmark = pytest.mark.usefixtures("fake_clock")


def test_a_newcomer_is_welcomed_once(app: Flask) -> None:
    """R6.3."""
    browser = signed_in.client(app, "ada_l")
    first, second = (page.parse(browser.get("/").text) for _ in range(2))
    assert first.by_id("welcome-tip") is not None
    assert second.by_id("welcome-tip") is None
    other = page.parse(signed_in.client(app, "bo_b").get("/").text)
    assert other.by_id("welcome-tip") is not None, "everybody is welcomed by themselves"


def test_what_is_new_is_new_to_its_owner_alone(app: Flask, fake_clock: FakeClock) -> None:
    """R10: the mark stays until its owner acknowledges it; nobody else sees it."""
    owner, visitor = signed_in.client(app, "ada_l"), signed_in.client(app, "bo_b")
    ada = signed_in.new_account("ada_l")
    with database.write() as conn:
        achievements.unlock(conn, ada, (Achievement.NEWBIE,), fake_clock.now_ms, None)
    marks = [page.parse(browser.get("/u/ada_l").text).all("li", cls="badge") for browser in (owner, visitor)]
    assert [sum(badge.has("data-new") for badge in badges) for badges in marks] == [1, 0]
