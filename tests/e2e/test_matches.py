"""Whole matches in real browsers, from the welcome page to the results."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Sit
from tests.e2e.test_ranked_four import win
from tests.kit.books import Books
from tests.kit.browser import DESKTOP
from tests.kit.person import at, meet, play_out
from tests.kit.processes import until
from tests.kit.server import Server

pytestmark = pytest.mark.db

BY_HAND = pytest.mark.parametrize("speed", [5], ids=["unhurried"])


@BY_HAND
def test_two_people_are_matched_with_each_other_and_play_to_the_result(sit: Sit) -> None:
    mira, nova = sit("mira", by_hand=True), sit("nova", size=DESKTOP, scheme="dark")
    meet(mira, nova)

    play_out((mira, nova), tapping=(mira,))

    told = [person.page.locator("h1").first.inner_text() for person in (mira, nova)]
    won = [text.startswith("You won") for text in told]
    assert sum(won) == 1 or told[0] == told[1], f"one won and the other did not, or it is a draw for both: {told}"
    for person in (mira, nova):
        person.page.goto("/matches")
        expect(person.page.locator("main")).to_contain_text(nova.name if person is mira else mira.name)


def test_a_person_alone_plays_a_bot(sit: Sit) -> None:
    juno = sit("juno", by_hand=True)
    juno.page.get_by_role("link", name="Play now").first.click()
    at(juno.page, "/play")
    juno.choose().find().arrive()
    play_out((juno,))
    expect(juno.page.locator("main")).to_contain_text("bot")


def test_a_full_table_of_one_person_and_three_bots(sit: Sit, server: Server) -> None:
    """The first round as the board allows; the others are won, because bots take as long in each."""
    fern = sit("fern")
    fern.choose(players=4).find().arrive()

    def played() -> bool:
        fern.move()
        return fern.board.round_number > 1

    until(played, "the second round", within_s=180, every_s=0.05)
    win(Books(server.database_url), fern)
