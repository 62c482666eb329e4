"""Ranked, Hardcore, four seats: two people and two bots to the results, with skills, a forfeit, and what it does to ratings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from guessio.live.spoken import grouped, signed
from guessio.rules import rating
from guessio.rules.rating import Change, Rated
from guessio.rules.terms import Difficulty, MatchEnd, MatchType
from tests.e2e.conftest import Sit, seating
from tests.kit import server as servers
from tests.kit import solver
from tests.kit.books import Booked, Books
from tests.kit.browser import DESKTOP
from tests.kit.person import Person, at
from tests.kit.processes import until
from tests.kit.server import Server

pytestmark = pytest.mark.parametrize("speed", [4], ids=["unhurried"])

PICKS = {"mira": "xray", "nova": "reveal"}
RATINGS = {"mira": 244, "nova": 310}
BOTS_FROM = 150


@pytest.fixture
def server(database_url: str, speed: float) -> Iterator[Server]:
    """A server of this test's own: it sets everybody's rating."""
    with servers.running(database_url, speed=speed) as server:
        yield server


@pytest.fixture
def sit(browser: Browser, server: Server) -> Iterator[Sit]:
    """People who keep the names that the test gives them."""
    with seating(browser, server, str) as sit_down:
        yield sit_down


def meet_ranked(books: Books, *people: Person) -> None:
    """Seat both at one table of four; once more when bots were quicker, with the ratings as they were."""
    bots = {name: BOTS_FROM + 7 * place for place, name in enumerate(books.usernames(bots=True))}
    for _ in range(2):  # a third quit in a row would be a suspension (R7.7)
        books.rate({**RATINGS, **bots})
        for person in people:
            person.choose("ranked", "hardcore", 4)
        for person in people:
            person.find()
        for person in people:
            person.arrive()
        if len({person.match_id for person in people}) == 1:
            return
        for person in people:
            person.give_up()
            expect(person.page.locator("#look-on")).to_be_visible()
    raise AssertionError("they were not seated together")


def play_until_skills_are_used(*people: Person) -> None:
    """Pick, use the skill on one's first turn, and guess beside the point after that."""

    def done() -> bool:
        for person in people:
            person.pick_if_asked(PICKS[person.name])
            board = person.board
            if board.can_guess and person.page.locator("#use-skill:enabled").count():
                person.try_to(person.use_skill)
            elif board.can_guess:
                digits = solver.wasted_guess(board, person.chance)
                person.try_to(lambda person=person, digits=digits: person.send_guess(digits))
        return all(person.board.skill.endswith("used") for person in people)

    until(done, "both skills are used", within_s=120, every_s=0.05)


def win(books: Books, person: Person) -> None:
    """Guess the code on every turn of one's own, until the results are shown."""

    def done() -> bool:
        if person.board.can_guess:
            code = books.code(person.match_id)
            person.try_to(lambda: person.send_guess(code))
        return person.path.endswith("/results")

    until(done, "the results", within_s=180, every_s=0.1)


def changes_by_the_formula(booked: Booked) -> dict[str, Change]:
    """What R9.2 and R9.3 make of the ratings that were set before and the rounds of the record."""
    seats = booked.result.seats
    start = {seat.username: RATINGS.get(seat.username, booked.players[seat.username].rating_before) or 0 for seat in seats}
    rated = [
        Rated(start[seat.username], seat.rounds_won, seat.username == "mira", seat.username != "nova", seat.username == "nova")
        for seat in seats
    ]
    return dict(zip(start, rating.after_match(MatchType.RANKED, False, 4, rated), strict=True))


def test_two_people_and_two_bots_play_for_their_rating(sit: Sit, database_url: str) -> None:
    books = Books(database_url)
    mira, nova = sit("mira"), sit("nova", size=DESKTOP, scheme="dark")
    meet_ranked(books, mira, nova)
    match = mira.match_id
    assert sum(seat.is_bot for seat in mira.board.seats) == 2
    bots_before = {seat.username: seat.rating for seat in books.live(match).seats if seat.is_bot}

    play_until_skills_are_used(mira, nova)
    nova.give_up()
    expect(nova.page.locator("#look-on")).to_be_visible()
    until(lambda: any(seat.has_left for seat in mira.board.seats), "the others see that somebody left")
    assert nova.path == f"/match/{match}", "who left may look on (R7.5)"
    win(books, mira)

    at(nova.page, "/results")
    booked = books.saved(match)
    result = booked.result
    assert (result.type, result.difficulty, result.end, result.players) == (MatchType.RANKED, Difficulty.HARDCORE, MatchEnd.PLAYED, 4)
    used = {seat.username: seat.skill for seat in result.seats if seat.skill_used}
    assert {"mira", "nova"} <= used.keys()
    due = changes_by_the_formula(booked)
    assert due["nova"].change == -30
    assert due["mira"].change > 0
    for username, line in booked.players.items():
        assert line.rating_before == {**RATINGS, **bots_before}[username]
        assert line.rating_after == due[username].after, username
        assert line.forfeited == (username == "nova")
    for person in (mira, nova):
        for username, change in due.items():
            row = person.page.locator("table.players tbody tr").filter(has=person.page.locator("bdi", has_text=username))
            expect(row.locator("td").last).to_have_text(f"{grouped(change.after)} {signed(change.applied)}")
        headline = person.page.locator("#headline")
        expect(headline).to_have_text("You won the match" if person is mira else f"{mira_as_shown(booked)} won the match")
    expect(nova.page.locator("main")).to_contain_text("You left before it ended")

    for person in (mira, nova):
        own = due[person.name]
        person.page.get_by_role("link", name="Details").click()
        expect(person.page.locator("main")).to_contain_text(f"Your rating: {grouped(own.after - own.applied)} → {grouped(own.after)}.")
        person.page.goto("/matches?filter=ranked")
        expect(person.page.locator("main .row").first).to_contain_text(signed(own.applied))
    expect(nova.page.locator("main .row").first).to_contain_text("forfeit")


def mira_as_shown(booked: Booked) -> str:
    return next(seat.name for seat in booked.result.seats if seat.username == "mira")
