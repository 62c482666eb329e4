"""Staying and going away at a browser: tabs, reloads, history, sleep, and what Home offers to who comes back (R5.1, R7.1, R7.2)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Sit
from tests.e2e.test_live import reach_own_turn, seat_with, shown_rows
from tests.kit import solver
from tests.kit.board import Row
from tests.kit.person import PATIENCE_MS, Person, at
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server

UNSCALED = pytest.mark.parametrize("speed", [1], ids=["unscaled"])
UNHURRIED = pytest.mark.parametrize("speed", [4], ids=["unhurried"])


def own_marks(mira: Person) -> list[Row]:
    return [row for row in mira.board.rows if row.is_own and not row.is_skip]


def guess(mira: Person, nova: Player) -> None:
    """A guess of the browser's, seen by both."""
    digits = ""

    def done() -> bool:
        nonlocal digits
        reach_own_turn(mira, nova)
        digits = solver.wasted_guess(mira.board, mira.chance)
        mira.try_to(lambda: mira.send_guess(digits))
        until(lambda: digits in shown_rows(mira) or not mira.board.can_guess, "what becomes of the guess")
        return digits in shown_rows(mira)

    until(done, "the guess on the board")
    nova.wait_for(lambda: any(row.digits == digits for row in nova.board.rows), "the same row at the other's")


def heard_of_absence(nova: Player) -> bool:
    """Whether the other was ever shown that somebody is away."""
    return b"data-away" in b"".join(one.body for one in nova.shown)


def sees_absence(nova: Player) -> bool:
    return any(seat.is_away for seat in nova.board.seats)


@UNHURRIED
def test_of_two_tabs_one_may_close_and_the_other_may_leave_the_match(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    guess(mira, nova)
    marks = own_marks(mira)
    first, mira.page = mira.page, mira.context.new_page()
    mira.page.goto("/matches")
    first.close()
    turn = nova.board.turn
    nova.wait_for(lambda: nova.board.turn > turn, "the end of the turn that has just begun, ten times the gap that nobody sees")
    assert not heard_of_absence(nova), "any open page keeps the seat (R5.1)"

    mira.page.goto("/")
    mira.page.get_by_role("link", name="Reconnect").click()
    mira.arrive()
    assert mira.page.locator("#return-offer").count() == 0, "who was never away is asked nothing"
    assert own_marks(mira)[: len(marks)] == marks
    guess(mira, nova)
    mira.page.close()
    nova.wait_for(lambda: sees_absence(nova), "the last tab is gone")
    assert heard_of_absence(nova)


@UNSCALED
def test_reloads_and_the_way_back_and_forth_are_seen_by_nobody_and_the_board_is_right(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    guess(mira, nova)
    marks = own_marks(mira)
    mira.page.reload()
    mira.arrive()
    guess(mira, nova)

    mira.page.goto("/profile")
    mira.page.go_back()
    mira.arrive()
    assert own_marks(mira)[: len(marks)] == marks
    guess(mira, nova)
    assert shown_rows(mira) == [row.digits for row in nova.board.rows if not row.is_skip]
    mira.page.go_forward()
    expect(mira.page).to_have_url(f"{server.url}/profile")
    expect(mira.page.locator("h1")).to_be_visible()
    mira.page.go_back()
    mira.arrive()
    guess(mira, nova)
    assert mira.page.locator("#return-offer").count() == 0
    assert not heard_of_absence(nova), "a gap under three seconds is shown to nobody (R5.1)"


def fall_asleep(mira: Person, nova: Player) -> None:
    """The browser loses its network in the middle of the match, until the other is told."""
    mira.forgiving = True
    mira.context.set_offline(True)
    nova.wait_for(lambda: sees_absence(nova), "the other is told how long the seat is kept")


@UNHURRIED
def test_who_comes_back_may_reconnect_from_home_and_finds_everything(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    guess(mira, nova)
    before = own_marks(mira)
    round_number = mira.board.round_number
    fall_asleep(mira, nova)
    mira.context.set_offline(False)
    mira.page.goto("/")
    nova.wait_for(lambda: not sees_absence(nova), "back, on whatever page")
    mira.page.get_by_role("link", name="Reconnect").click()
    mira.arrive()
    assert mira.board.round_number == round_number
    assert own_marks(mira)[: len(before)] == before
    assert all(row.marks for row in own_marks(mira)), "own marks included"
    guess(mira, nova)


@UNHURRIED
def test_who_comes_back_to_the_match_is_asked_and_may_go_on(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    guess(mira, nova)
    address = mira.page.url
    mira.page.goto("about:blank")
    nova.wait_for(lambda: sees_absence(nova), "away")
    mira.page.goto(address)
    expect(mira.page.locator("#return-offer")).to_be_visible()
    mira.page.get_by_role("button", name="Reconnect").click()
    expect(mira.page.locator("#return-offer")).to_be_hidden()
    guess(mira, nova)


@UNHURRIED
def test_to_abandon_from_home_is_a_forfeit(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    fall_asleep(mira, nova)
    mira.context.set_offline(False)
    mira.page.goto("/")
    mira.page.get_by_role("button", name="Abandon").click()
    dialog = mira.page.locator("dialog[open]")
    expect(dialog).to_contain_text("counts as a loss")
    dialog.get_by_role("button", name="Abandon").click()
    at(mira.page, "/results")
    expect(mira.page.locator("main")).to_contain_text("left")
    nova.wait_for(lambda: nova.board.phase == "results", "the results")
    assert "You won the match" in nova.page.text
    mira.page.goto("/")
    expect(mira.page.get_by_role("link", name="Play now").first).to_be_visible()
    expect(mira.page.get_by_role("link", name="Reconnect")).to_have_count(0)


@pytest.mark.parametrize("speed", [12], ids=["hurried"])
def test_a_match_in_which_nobody_guesses_is_warned_of_and_then_cancelled(sit: Sit, server: Server) -> None:
    """R7.6."""
    mira, nova = seat_with(sit, server)
    warning = mira.page.locator("#inactivity")
    expect(warning).to_be_hidden()
    expect(warning).to_be_visible(timeout=PATIENCE_MS)
    expect(warning).to_contain_text("One more and the match is cancelled")
    at(mira.page, "/results")
    expect(mira.page.locator("main")).to_contain_text("cancelled")
    nova.wait_for(lambda: nova.board.phase == "results", "the same at the other's")
