"""Duels in real browsers: offered, taken, played to each of their ends, and once more (issue "The Duel")."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Sit
from tests.e2e.test_keyboard import tab_to
from tests.kit.browser import DESKTOP
from tests.kit.person import PATIENCE_MS, Person, at
from tests.kit.processes import until

UNHURRIED = pytest.mark.parametrize("speed", [4], ids=["unhurried"])
expect.set_options(timeout=PATIENCE_MS)
DUEL = r"/duel/[\w-]+"


def offer(person: Person, *, visibility: str = "public", **terms: str) -> None:
    """Put up an offer from the lobby; terms by the names of the form's fields."""
    person.page.goto("/duels")
    for name, value in {"clock": "10", "visibility": visibility, **terms}.items():
        person.page.locator(f"#new-offer input[name={name}][value='{value}']").evaluate("input => input.click()")
    person.page.get_by_role("button", name="Put up the offer").click()
    person.page.wait_for_selector("#own-offer")


def meet(maker: Person, taker: Person, **terms: str) -> dict[str, str]:
    """Seat two people at one duel, and give the names that each is shown by."""
    agree(maker, taker, **terms)
    return arrive(maker, taker)


def agree(maker: Person, taker: Person, **terms: str) -> None:
    """Let the taker see the offer come while looking at the lobby, and take it."""
    taker.page.goto("/duels")
    offer(maker, **terms)
    taker.page.get_by_role("button", name=f"Take the offer by {maker.name}", exact=True).click()


def arrive(one: Person, other: Person) -> dict[str, str]:
    """Wait until both are at the same duel and it is to choose a secret. Gives the names that each is shown by."""
    for person in (one, other):
        at(person.page, DUEL)
        person.page.wait_for_selector("#table[data-phase=choosing] #pad")
    assert one.path == other.path
    return {one.name: rival_of(other), other.name: rival_of(one)}


def rival_of(person: Person) -> str:
    return person.page.locator(".seat:not([data-own]) .name bdi").inner_text()


def choose(person: Person, secret: str) -> None:
    """Type a secret and be ready."""
    person.page.focus("#guess")
    person.type_guess(secret)
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector("#table:not(:has(form[action$='/secret']))")


def may_guess(person: Person) -> Locator:
    return person.page.locator("#pad-turn[data-can-guess]")


def on_move(*people: Person) -> Person:
    """Whoever has the move, waited for."""
    until(lambda: any(may_guess(person).count() for person in people), "somebody's move")
    return next(person for person in people if may_guess(person).count())


def guess(person: Person, digits: str) -> None:
    """Guess on one's move, which is waited for, and see the answer."""
    page = person.page
    expect(may_guess(person)).to_have_count(1)
    rows = own_rows(page).count()
    page.focus("#guess")
    page.keyboard.press("Escape")
    person.type_guess(digits)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "rows => document.querySelectorAll('.lane[data-own] .guess').length > rows || document.querySelector('#rematch')", arg=rows
    )
    expect(may_guess(person)).to_have_count(0)


def own_rows(page: Page) -> Locator:
    return page.locator(".lane[data-own] .guess")


def rival_rows(page: Page) -> Locator:
    return page.locator(".lane:not([data-own]) .guess")


def ended(person: Person, headline: str, text: str) -> None:
    """The end as this person sees it."""
    expect(person.page.locator("#over-title")).to_have_text(headline)
    expect(person.page.locator("#table")).to_contain_text(text)


@pytest.mark.db
@UNHURRIED
def test_two_people_duel_by_position_and_once_more(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova", size=DESKTOP, scheme="dark")
    names = meet(mira, nova, length="5")
    choose(mira, "60671")
    expect(nova.page.locator("#seat-0, #seat-1").filter(has_text="ready")).to_have_count(1)
    choose(nova, "11234")
    secrets = {mira.name: "11234", nova.name: "60671"}

    first = on_move(mira, nova)
    second = nova if first is mira else mira
    second.page.focus("#guess")
    guess(first, "51111")
    expect(rival_rows(second.page)).to_have_count(1)
    guess(second, "00112")
    marks = first.page.locator(".lane[data-own] .guess .tile").evaluate_all("tiles => tiles.map(tile => tile.dataset.mark)")
    assert marks == (["absent", "right", "elsewhere", "absent", "absent"] if first is mira else ["absent"] * 3 + ["absent", "right"])
    assert first.page.locator(".key[data-mark=right]").get_attribute("value") == "1"
    expect(may_guess(first)).to_have_count(1)
    until(lambda: first.page.locator("#lag").input_value() != "", "the measured delay of the line")

    guess(first, secrets[first.name])
    ended(first, "You won", f"You broke {names[second.name]}’s secret with guess 2.")
    ended(second, f"{names[first.name]} won", f"{names[first.name]} broke your secret with guess 2.")
    for person in (mira, nova):
        for secret in secrets.values():
            expect(person.page.get_by_role("img", name=f"secret was {' '.join(secret)}")).to_be_visible()

    second.page.get_by_role("button", name="Offer a rematch").click()
    expect(second.page.locator("#rematch")).to_contain_text("Waiting for")
    first.page.get_by_role("button", name="Accept the rematch").click()
    arrive(mira, nova)
    choose(mira, "10000")
    choose(nova, "20000")
    assert on_move(mira, nova) is second, "the first move changes hands (R17.4)"

    second.page.goto("/duels/history")
    expect(second.page).to_have_url(re.compile("/duels/history$"))
    second.page.locator("main .list .row").first.click()
    expect(second.page.locator(".move")).to_have_count(3)
    second.page.get_by_role("button", name="First step").click()
    expect(second.page.locator(".move:visible")).to_have_count(1)


@pytest.mark.db
@UNHURRIED
def test_two_people_duel_in_totals_only_behind_a_link(sit: Sit) -> None:
    mira, nova = sit("mira", size=DESKTOP), sit("nova")
    offer(mira, visibility="link", format="totals_only", repeats="all_different")
    nova.page.goto("/duels")
    expect(nova.page.get_by_role("heading", name="No open offers")).to_be_visible()
    nova.page.goto(mira.page.locator("#offer-link").input_value())
    nova.page.get_by_role("button", name="Take the offer").click()
    names = arrive(mira, nova)

    mira.page.focus("#guess")
    mira.type_guess("11")
    expect(mira.page.locator("#guess-message")).to_have_text("1 is already in this secret.")
    mira.page.keyboard.press("Escape")
    choose(mira, "0417")
    choose(nova, "9835")
    secrets = {mira.name: "9835", nova.name: "0417"}
    first = on_move(mira, nova)
    second = nova if first is mira else mira
    guess(first, "9999" if first is mira else "0000")
    row = own_rows(first.page).first
    expect(row.locator(".count").nth(0)).to_have_text("right place: 1")
    expect(row.locator(".count").nth(1)).to_have_text("elsewhere: 0")
    guess(second, "1234")
    for person in (mira, nova):
        expect(person.page.locator(".guess")).to_have_count(2)
        assert person.page.locator(".key[data-mark], .guess .tiles, .guess .tile:not(.count > .tile)").count() == 0

    guess(first, "5678")
    guess(second, secrets[second.name])
    ended(second, "You won", f"You broke {names[first.name]}’s secret with guess 2.")
    second.page.get_by_role("link", name="Replay").click()
    expect(second.page.locator(".move")).to_have_count(4)
    assert second.page.locator(".move .tile:not(.count > .tile)").count() == 0
    expect(first.page.locator("#rematch")).to_contain_text("has gone on")


def test_a_clock_that_runs_out_loses(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova")
    names = meet(mira, nova, clock="3")
    choose(mira, "0417")
    ended(mira, "You won", f"{names[nova.name]}’s clock ran out.")
    ended(nova, f"{names[mira.name]} won", "Your clock ran out.")
    expect(nova.page.get_by_role("img", name="Their secret was 0 4 1 7")).to_be_visible()
    expect(nova.page.locator("#table")).to_contain_text("none chosen")


def test_a_duel_for_which_nobody_chooses_is_the_one_draw(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova")
    agree(mira, nova, clock="1")
    for person in (mira, nova):
        ended(person, "A draw", "Both clocks ran out before anybody had chosen a secret.")


@UNHURRIED
def test_a_resignation_is_asked_about_first(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova")
    names = meet(mira, nova)
    mira.page.get_by_role("button", name="Resign the duel").click()
    keep = mira.page.get_by_role("button", name="Keep playing")
    expect(keep).to_be_focused()
    keep.click()
    expect(nova.page.locator("#table")).to_have_attribute("data-phase", "choosing")
    mira.page.get_by_role("button", name="Resign the duel").click()
    mira.page.get_by_role("button", name="Resign", exact=True).click()
    ended(mira, f"{names[nova.name]} won", "You resigned.")
    ended(nova, "You won", f"{names[mira.name]} resigned.")


@UNHURRIED
def test_whoever_is_away_is_waited_for_and_finds_the_duel_as_it_is(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova")
    meet(mira, nova)
    choose(mira, "0417")
    choose(nova, "9935")
    here = on_move(mira, nova)
    gone = nova if here is mira else mira
    here.page.focus("#guess")
    here.type_guess("12")
    address = gone.page.url
    gone.page.goto("about:blank")
    expect(here.page.locator(".seat[data-away]")).to_contain_text("away")
    assert here.draft == "12", "what is being typed survives the update"
    here.type_guess("34")
    here.page.keyboard.press("Enter")
    expect(own_rows(here.page)).to_have_count(1)
    gone.page.goto(address)
    expect(here.page.locator(".seat[data-away]")).to_have_count(0)
    expect(rival_rows(gone.page)).to_have_count(1)
    guess(gone, "5678")
    expect(rival_rows(here.page)).to_have_count(1)


def test_whoever_stays_away_loses(sit: Sit) -> None:
    mira, nova = sit("mira"), sit("nova")
    names = meet(mira, nova)
    nova.page.goto("about:blank")
    ended(mira, "You won", f"{names[nova.name]} was away for")


@UNHURRIED
def test_the_keyboard_alone_plays_a_duel_with_the_computer(sit: Sit) -> None:
    tessel = sit("tessel", size=DESKTOP)
    page = tessel.page
    page.goto("/play")
    tab_to(page, "Duel")
    page.keyboard.press("Enter")
    at(page, "/duels")
    tab_to(page, "Play the computer")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table[data-phase=choosing] #pad")
    expect(page.locator("#guess")).to_be_focused()
    page.keyboard.type("0417")
    page.keyboard.press("Enter")
    expect(may_guess(tessel).and_(page.locator("#table[data-phase=playing] #pad-turn"))).to_have_count(1)
    expect(page.locator("#guess")).to_be_focused()
    page.keyboard.type("5566")
    page.keyboard.press("Enter")
    expect(own_rows(page)).to_have_count(1)
    page.get_by_role("button", name="Resign the duel").focus()
    page.keyboard.press("Enter")
    tab_to(page, "Resign")
    page.keyboard.press("Enter")
    expect(page.locator("#over-title")).to_contain_text("won")
