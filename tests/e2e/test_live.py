"""What a page does with its stream: drafts survive updates, breaks heal by themselves, a board is never wrong afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Sit
from tests.kit import solver, table
from tests.kit.person import Person, at
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.standing import stranger

pytestmark = pytest.mark.parametrize("speed", [4], ids=["unhurried"])


def seat_with(sit: Sit, server: Server) -> tuple[Person, Player]:
    """A person at a browser and one at the other end of a script, in one match."""
    mira, nova = sit("mira"), server.player(stranger("nova"))
    for _ in range(5):
        mira.choose()
        nova.open("/play")
        mira.find()
        nova.search()
        nova.wait_for(lambda: bool(nova.match_id), "the match")
        mira.arrive()
        if mira.match_id == nova.match_id:
            nova.wait_until_streaming()
            return mira, nova
        nova.forfeit()
        mira.give_up()
        at(mira.page, "/results")
    raise AssertionError("they were not seated together")


def reach_own_turn(mira: Person, nova: Player) -> None:
    """Let turns go by until it is the browser's."""

    def mine() -> bool:
        mira.pick_if_asked()
        if nova.board.can_pick:
            nova.pick_skill("extra_turn")
        table.waste(nova)
        return mira.board.can_guess

    until(mine, "the browser's turn")


def shown_rows(mira: Person) -> list[str]:
    return [row.digits for row in mira.board.rows if not row.is_skip]


def test_a_guess_being_typed_survives_every_update(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    mira.page.focus("#guess")
    mira.type_guess("01")
    turn = mira.board.turn
    nova.close()
    until(lambda: any(seat.is_away for seat in mira.board.seats), "the seat strip says that the other is away")
    assert mira.draft == "01"
    nova.open(f"/match/{nova.match_id}")
    until(lambda: mira.board.turn > turn or mira.board.phase != "turn", "the turn runs out")
    assert mira.draft == "01"
    reach_own_turn(mira, nova)
    assert mira.draft == "01", "it stands there through the other's turn and guess"
    assert mira.page.evaluate("document.activeElement.id") == "guess", "and the focus has not moved"
    mira.type_guess("23")
    mira.page.keyboard.press("Enter")
    until(lambda: "0123" in shown_rows(mira) or mira.board.phase != "turn", "the guess on the board")


@pytest.mark.db
def test_the_page_comes_back_after_a_restart_with_the_board_right(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    mira.move()
    until(lambda: len(shown_rows(mira)) >= 1, "the row")
    page_marker = mira.page.evaluate("window.stillTheSamePage = 1")
    mira.forgiving = True
    server.restart()
    mover = None

    def moved_without_the_page_knowing() -> bool:
        nonlocal mover
        mover = table.waste(nova) or mover
        return bool(mover) or mira.board.can_guess

    until(moved_without_the_page_knowing, "play goes on")
    nova.open(f"/match/{nova.match_id}")
    expected = [row.digits for row in nova.board.rows if not row.is_skip]
    until(lambda: shown_rows(mira)[: len(expected)] == expected, "the browser's board is the server's")
    assert mira.page.evaluate("window.stillTheSamePage") == page_marker == 1, "without being loaded anew"
    expect(mira.page.locator("#connection .banner:not([data-when=newer]):visible")).to_have_count(0)
    mira.forgiving = False


def test_a_reload_in_mid_match_shows_everything_again(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    mira.move()
    until(lambda: any(row.is_own for row in mira.board.rows), "the own row")
    before = [row for row in mira.board.rows if row.is_own and not row.is_skip]
    mira.page.reload()
    mira.page.wait_for_selector("#table")
    assert [row for row in mira.board.rows if row.is_own and not row.is_skip][: len(before)] == before, "marks included"


def test_a_double_tap_on_send_is_one_guess(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    digits = solver.wasted_guess(mira.board, mira.chance)
    mira.page.focus("#guess")
    mira.type_guess(digits)
    mira.page.locator("#send").dblclick()
    until(lambda: digits in shown_rows(mira), "the row")
    reach_own_turn(mira, nova)
    assert shown_rows(mira).count(digits) == 1


def test_a_mistake_is_told_at_the_entry_and_costs_nothing(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    mira.page.focus("#guess")
    mira.type_guess("012")
    mira.page.keyboard.press("Enter")
    expect(mira.page.locator("#guess-message")).to_be_visible()
    assert mira.draft == "012"
    assert mira.board.can_guess
    mira.page.keyboard.type("2")
    expect(mira.page.locator("#guess-message")).to_contain_text("2")
    assert mira.draft == "012"


def test_forfeit_asks_first_and_ends_the_match(sit: Sit, server: Server) -> None:
    mira, nova = seat_with(sit, server)
    reach_own_turn(mira, nova)
    mira.page.get_by_role("button", name="Forfeit the match").click()
    mira.page.get_by_role("button", name="Keep playing").click()
    assert mira.board.phase == "turn"
    mira.page.get_by_role("button", name="Forfeit the match").click()
    mira.page.get_by_role("button", name="Forfeit", exact=True).click()
    nova.wait_for(lambda: nova.board.phase == "results", "the results")
    at(mira.page, "/results")
