"""What has been played, at a browser: the list with its filters and pages, the proof of fairness, the replay (R1.3, R11.3, R11.4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.kit import screens
from tests.kit.browser import DESKTOP
from tests.kit.stage import open_stage

BY_HAND = re.compile(r"^printf %s (\d{4}:[0-9a-f]{32}) \| sha256sum$")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """The page of somebody with a past."""
    with open_stage() as stage, screens.eyes(browser, stage, screens.MIRA, viewport=DESKTOP) as page:
        yield page


def entries(page: Page) -> Locator:
    return page.locator("main .list .row")


def outcomes(page: Page) -> set[str | None]:
    return {one.get_attribute("aria-label") for one in entries(page).locator(".outcome").all()}


def shows(page: Page, chosen: str) -> None:
    """Wait for the whole page of that filter."""
    expect(page.locator("nav.seg [aria-current=true]")).to_have_text(chosen)
    page.wait_for_load_state()
    expect(page.locator("h1")).to_have_count(1)


def choose(page: Page, filter: str) -> None:
    page.get_by_role("link", name=filter, exact=True).click()
    shows(page, filter)


def test_filters_narrow_the_list_and_history_leads_back_through_them(page: Page) -> None:
    page.goto("/matches")
    everything = entries(page).all_inner_texts()
    choose(page, "Wins")
    assert outcomes(page) == {"Win"}
    choose(page, "Losses")
    assert outcomes(page) == {"Loss"}
    choose(page, "Ranked")
    assert all("Ranked" in text for text in entries(page).all_inner_texts())
    page.go_back()
    shows(page, "Losses")
    assert outcomes(page) == {"Loss"}
    page.go_back()
    page.go_back()
    shows(page, "All")
    assert entries(page).all_inner_texts() == everything


def test_pages_follow_one_another_and_show_each_match_once(page: Page) -> None:
    page.goto("/matches")
    seen = [one.get_attribute("href") for one in entries(page).all()]
    page.get_by_role("link", name="Older").click()
    expect(page.locator("nav.pages")).to_contain_text("Page 2")
    page.wait_for_load_state()
    older = [one.get_attribute("href") for one in entries(page).all()]
    assert older
    assert len({*seen, *older}) == len(seen) + len(older)
    page.get_by_role("link", name="Newer").click()
    expect(page.locator("nav.pages")).to_contain_text("Page 1")
    page.wait_for_load_state()
    assert [one.get_attribute("href") for one in entries(page).all()] == seen


def test_the_proof_is_worked_out_by_the_page_and_by_hand(page: Page) -> None:
    page.goto("/matches/ranked-won")
    proofs = page.locator("details.proof")
    for proof in proofs.all():
        proof.locator("summary").click()
        shown, _, command = proof.locator("code").all_inner_texts()
        by_hand = BY_HAND.match(command)
        assert by_hand is not None
        assert hashlib.sha256(by_hand[1].encode()).hexdigest() == shown
        proof.get_by_role("button", name="Check it here").click()
        expect(proof.locator("output")).to_contain_text("It matches")
    assert proofs.count() >= 2


def test_a_proof_that_was_tampered_with_does_not_match(page: Page) -> None:
    page.goto("/matches/ranked-won")
    proof = page.locator("details.proof").first
    proof.locator("summary").click()
    proof.locator("[data-proof]").evaluate("part => { part.dataset.code = [...part.dataset.code].reverse().join('') }")
    proof.get_by_role("button", name="Check it here").click()
    expect(proof.locator("output")).to_have_text("It does not match.")


def test_the_replay_goes_move_by_move_also_by_keyboard(page: Page) -> None:
    page.goto("/matches/ranked-won")
    moves = page.locator("#replay .move")
    at = page.locator("[data-replay-at]")
    steps = moves.count()
    expect(at).to_have_text(f"Step {steps} of {steps}")
    page.get_by_role("button", name="First step").click()
    expect(page.locator("#replay .move:visible")).to_have_count(1)
    expect(page.locator("#replay .move:visible")).to_contain_text("Round 1")
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator("#replay .move:visible")).to_have_count(2)
    page.locator("#replay input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text(f"Step 3 of {steps}")
    page.keyboard.press("End")
    expect(at).to_have_text(f"Step {steps} of {steps}")
    expect(moves.last).to_be_visible()
