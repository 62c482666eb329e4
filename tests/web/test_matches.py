"""What a player sends to a match and what comes back: every bad input is answered where the person is, and nothing is lost."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from guessio.engine import match
from guessio.engine.match import NewSeat
from guessio.engine.match.state import MatchState
from guessio.rules import tunables
from guessio.rules.terms import AccountId, Difficulty, MatchPhase, MatchType, Refusal, Skill, TableId, TableKind
from guessio.services import details, tables
from guessio.store import database, schema
from guessio.web import render, wording
from tests.kit import page, signed_in
from tests.kit.builders import a_deal
from tests.kit.fake_clock import FakeClock

M = TableId("m-1")
CODE = "1234"
PLAYERS = ("ada_l", "bo_b", "cy_c")


class At:
    """A match at the server, with each player's browser."""

    def __init__(
        self, app: Flask, clock: FakeClock, players: int = 2, skills: tuple[Skill, ...] = (), kind: MatchType = MatchType.CASUAL
    ) -> None:
        self.app, self.clock = app, clock
        self.browsers = [signed_in.client(app, name) for name in PLAYERS[:players]]
        accounts = [signed_in.new_account(name) for name in PLAYERS[:players]]
        seats = tuple(NewSeat(account, name, name) for account, name in zip(accounts, PLAYERS, strict=False))
        deal = a_deal(players, skills=skills)
        step = match.new(M, kind, Difficulty.STANDARD, bool(skills), seats, deal, clock.now_ms)
        tables.create(TableKind.MATCH, step.state, step.events)
        self.tokens = [signed_in.csrf(browser) for browser in self.browsers]

    @property
    def state(self) -> MatchState:
        loaded = tables.load(M)
        assert loaded is not None
        return loaded.state

    def to_turn(self) -> At:
        """Let picking and countdown run out."""
        while self.state.phase is not MatchPhase.TURN:
            self.pass_time((self.state.until_ms or 0) - self.clock.now_ms)
        return self

    def pass_time(self, by_ms: int) -> None:
        tables.run_due(self.clock.advance(by_ms))

    def send(self, seat: int, what: str, htmx: bool = True, **fields: object):
        place = {"guess": "form#pad p#guess-message", "skill": "p#skill-message", "pick": "p#pick-message"}.get(what, "")
        headers = {"X-CSRFToken": self.tokens[seat]}
        if htmx:
            headers |= {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Target": place.partition(" ")[2] or place}
        return self.browsers[seat].post(f"/match/{M}/{what}", data={name: str(value) for name, value in fields.items()}, headers=headers)

    def guess(self, seat: int, digits: str, turn: int | None = None, htmx: bool = True):
        number = turn if turn is not None else self.state.turn.number if self.state.turn else 0
        return self.send(seat, "guess", htmx, turn=number, guess=digits)


@pytest.fixture
def at(fake_clock: FakeClock, app: Flask) -> At:
    """A match of two in its first turn."""
    return At(app, fake_clock).to_turn()


# --- a guess -------------------------------------------------------------------------------------------------------------------


def test_a_guess_is_taken_and_answered_with_nothing(at: At) -> None:
    answer = at.guess(0, "5678")
    assert (answer.status_code, answer.data) == (204, b"")
    assert at.state.rounds[0].guesses[0].digits == "5678"


def test_a_form_without_a_script_leads_back_to_the_match(at: At) -> None:
    answer = at.guess(0, "5678", htmx=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/match/{M}")
    assert "5678" in page.parse(at.browsers[0].get(f"/match/{M}").text).by_id("board").text.replace(" ", "")  # type: ignore[union-attr]


def test_blanks_around_a_guess_do_not_count(at: At) -> None:
    """R1.6."""
    assert at.guess(0, "  0123 ").status_code == 204
    assert at.state.rounds[0].guesses[0].digits == "0123"


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("", "Enter a guess first."),
        ("123", "This takes 4 digits."),
        ("12345", "This takes 4 digits."),
        ("5677", "That guess uses 7 twice."),
        ("12a4", "digits 0 to 9 only"),
        ("1 34", "digits 0 to 9 only"),
        ("１２３４", "digits 0 to 9 only"),
        ("١٢٣٤", "digits 0 to 9 only"),
        ("<b>x", "digits 0 to 9 only"),
        ("\x00\x00\x00\x00", "digits 0 to 9 only"),
    ],
)
def test_a_bad_guess_is_refused_beside_the_field(at: At, digits: str, words: str) -> None:
    """R1.6: the turn and its time go on."""
    until = at.state.until_ms
    answer = at.guess(0, digits)
    assert answer.status_code == 422
    line = page.parse(answer.text).by_id("guess-message")
    assert line is not None
    assert words in line.text
    assert not at.state.rounds[0].guesses
    assert (at.state.until_ms, at.state.turn and at.state.turn.seat) == (until, 0)
    assert_no_hint(answer.text)


def test_a_bad_guess_without_a_script_gets_the_page_with_what_was_typed(at: At) -> None:
    """Requirement 28."""
    answer = at.guess(0, "5677", htmx=False)
    assert answer.status_code == 422
    document = page.parse(answer.text)
    field, line = document.by_id("guess"), document.by_id("guess-message")
    assert field is not None
    assert line is not None
    assert field.get("value") == "5677"
    assert "uses 7 twice" in line.text


def test_out_of_turn_is_refused_and_costs_nothing(at: At) -> None:
    """R1.5."""
    answer = at.guess(1, "5678")
    assert answer.status_code == 422
    assert not at.state.rounds[0].guesses


def test_the_same_guess_twice_counts_once(at: At) -> None:
    """R1.12."""
    assert at.guess(0, "5678", turn=1).status_code == 204
    assert at.guess(0, "5678", turn=1).status_code == 204
    assert len(at.state.rounds[0].guesses) == 1


def test_a_guess_for_an_earlier_turn_gets_the_board_as_it_is(at: At) -> None:
    """R1.12: a stale command changes nothing."""
    at.guess(0, "5678", turn=1)
    at.guess(1, "0987", turn=2)
    answer = at.guess(0, "6789", turn=1)
    assert answer.status_code == 409
    document = page.parse(f"<main>{at.browsers[0].get(f'/match/{M}').text}</main>")
    assert document.by_id("table") is not None
    loaded = tables.load(M)
    assert loaded is not None
    assert answer.headers[render.TABLE_VERSION] == str(loaded.version)
    fresh = page.parse(answer.text)
    assert [line.text for line in fresh.all(cls="error") if line.id == "guess-message"] == [wording.sentence(Refusal.STALE_TURN)] * 2
    board = fresh.by_id("board")
    assert board is not None
    assert "0987" in board.text.replace(" ", "")
    assert len(at.state.rounds[0].guesses) == 2
    assert_no_hint(answer.text)


def test_a_guess_after_the_turn_ran_out_is_too_late(at: At) -> None:
    """R1.5."""
    at.pass_time(tunables.TURN_MS)
    answer = at.guess(0, "5678", turn=1)
    assert answer.status_code == 422
    assert "Time ran out" in answer.text


@pytest.mark.parametrize("turn", ["", "-1", "x", "１", "99999999999999999999", "1.0"])
def test_a_turn_that_is_no_number_is_an_earlier_one(at: At, turn: str) -> None:
    answer = at.send(0, "guess", turn=turn, guess="5678")
    assert answer.status_code == 409
    assert not at.state.rounds[0].guesses


def test_fields_that_are_missing_are_refused(at: At) -> None:
    assert at.send(0, "guess").status_code == 409
    assert at.send(0, "guess", turn=1).status_code == 422


# --- who may -------------------------------------------------------------------------------------------------------------------

ACTIONS = ("guess", "skill", "pick", "forfeit")


@pytest.mark.parametrize("what", ACTIONS)
def test_an_unknown_match_and_anothers_look_alike(at: At, what: str) -> None:
    """Requirement 41: to somebody without a seat the match does not exist."""
    outsider = signed_in.client(at.app, "zoe_z")
    headers = {"X-CSRFToken": signed_in.csrf(outsider), "HX-Request": "true", "HX-Request-Type": "partial"}
    before = at.state
    answers = [outsider.post(f"/match/{name}/{what}", data={"turn": "1", "guess": CODE}, headers=headers) for name in (M, "nowhere")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text
    assert at.state == before


@pytest.mark.parametrize("path", ["", "/results"])
def test_the_page_of_anothers_match_is_not_there(at: At, path: str) -> None:
    outsider = signed_in.client(at.app, "zoe_z")
    mine, nowhere = outsider.get(f"/match/{M}{path}"), outsider.get(f"/match/nowhere{path}")
    assert (mine.status_code, nowhere.status_code) == (404, 404)
    assert "ada_l" not in mine.text


@pytest.mark.parametrize("what", ACTIONS)
def test_without_a_form_token_nothing_happens(at: At, what: str) -> None:
    at.tokens[0] = "made up"
    before = at.state
    answer = at.send(0, what, turn=1, guess="5678")
    assert answer.status_code == 400
    assert "What you typed is still here" in answer.text
    assert at.state == before


@pytest.mark.parametrize("what", ACTIONS)
def test_a_session_that_ended_is_told_in_place(at: At, what: str) -> None:
    """Requirement 28."""
    signed_in.client(at.app, PLAYERS[0])
    before = at.state
    answer = at.send(0, what, turn=1, guess="5678")
    assert answer.status_code == 401
    assert "/sign-in" in answer.text
    assert at.state == before


def test_a_guest_is_asked_to_sign_in(at: At) -> None:
    assert at.app.test_client().get(f"/match/{M}").status_code == 401


def test_an_oversized_body_is_refused_unread(at: At) -> None:
    answer = at.guess(0, "5" * 100_000)
    assert answer.status_code == 413
    assert not at.state.rounds[0].guesses


# --- skills and leaving --------------------------------------------------------------------------------------------------------


def test_a_skill_is_picked_on_ones_turn_to_pick(app: Flask, fake_clock: FakeClock) -> None:
    """R6.1."""
    at = At(app, fake_clock, skills=(Skill.REVEAL, Skill.FREEZE))
    assert "Pick one skill" in at.browsers[0].get(f"/match/{M}").text
    assert at.send(1, "pick", skill="freeze").status_code == 422
    assert at.send(0, "pick", skill="flying").status_code == 422
    assert at.send(0, "pick", skill="freeze").status_code == 204
    assert at.send(0, "pick", skill="freeze").status_code in (204, 422)
    assert at.send(1, "pick", htmx=False, skill="reveal").status_code == 303
    assert [seat.skill for seat in at.state.seats] == [Skill.FREEZE, Skill.REVEAL]


def test_the_introduction_of_skills_is_open_once(app: Flask, fake_clock: FakeClock) -> None:
    """R6.3."""
    at = At(app, fake_clock, skills=(Skill.REVEAL, Skill.FREEZE))
    shown = [page.parse(at.browsers[0].get(f"/match/{M}").text).by_id("skills-intro") for _ in range(2)]
    assert [intro is not None and intro.has("open") for intro in shown] == [True, False]


def test_a_skill_needs_a_right_target(app: Flask, fake_clock: FakeClock) -> None:
    """R6.2."""
    at = At(app, fake_clock, players=3, skills=(Skill.FREEZE, Skill.REVEAL, Skill.REVEAL)).to_turn()
    for target in ("", "0", "7", "x"):
        answer = at.send(0, "skill", turn=1, target=target)
        assert answer.status_code == 422
        assert page.parse(answer.text).by_id("skill-message") is not None
    assert at.send(0, "skill", turn=1, target="2").status_code == 204
    assert at.state.rounds[0].freezes[0].target == 2
    assert at.send(1, "skill", turn=1).status_code in (409, 422)


def test_a_reveal_is_shown_to_its_player_alone(app: Flask, fake_clock: FakeClock) -> None:
    at = At(app, fake_clock, skills=(Skill.REVEAL, Skill.REVEAL)).to_turn()
    assert at.send(0, "skill", turn=1).status_code == 204
    known = [page.parse(browser.get(f"/match/{M}").text).by_id("pad-known") for browser in at.browsers]
    assert [line is not None and not line.has("hidden") for line in known] == [True, False]


def test_a_forfeit_counts_once_and_ends_a_match_of_two(at: At) -> None:
    """R7.3, R7.4."""
    assert at.send(0, "forfeit").status_code == 204
    assert at.send(0, "forfeit").status_code == 204
    assert at.state.winner == 1
    assert at.guess(1, "5678", turn=1).status_code == 422


def test_who_was_away_is_asked_whether_to_go_on(at: At) -> None:
    """R7.2."""
    from guessio.engine.match.commands import Disconnect

    account = signed_in.new_account(PLAYERS[0])
    tables.dispatch(M, Disconnect(account, at.clock.now_ms))
    at.pass_time(tunables.AWAY_UNSEEN_MS)
    assert page.parse(at.browsers[0].get(f"/match/{M}").text).by_id("return-offer") is not None
    assert page.parse(at.browsers[1].get(f"/match/{M}").text).by_id("return-offer") is None


# --- pages ---------------------------------------------------------------------------------------------------------------------


def test_the_page_shows_the_board_to_each_player(at: At) -> None:
    at.guess(0, "1358")
    own, other = (page.parse(browser.get(f"/match/{M}").text) for browser in at.browsers)
    own_row, other_row = own.by_id("row-r1-g1"), other.by_id("row-r1-g1")
    assert own_row is not None
    assert other_row is not None
    assert own_row.all(attribute="data-mark")
    assert not other_row.all(attribute="data-mark")
    assert own.by_id("stream").get("data-live") == f"/live?table={M}&v={tables.load(M).version}"  # type: ignore[union-attr]


def test_nothing_on_the_way_to_a_player_tells_the_code(at: At) -> None:
    """R1.2: not in pages, headers or refusals."""
    for seat, browser in enumerate(at.browsers):
        for answer in (
            browser.get(f"/match/{M}"),
            browser.get(f"/match/{M}/results"),
            at.guess(seat, "5677"),
            at.guess(seat, "5678", turn=99),
        ):
            assert_no_hint(answer.text)
            assert_no_hint(str(answer.headers))


def test_a_match_over_leads_to_its_results(at: At) -> None:
    """R1.10, R9.4."""
    browser = at.browsers[0]
    assert browser.get(f"/match/{M}/results").headers["Location"] == f"/match/{M}"
    for _ in range(2):
        while at.state.turn is None or at.state.turn.seat != 0:
            at.guess(1, "9876") if at.state.turn else at.pass_time((at.state.until_ms or 0) - at.clock.now_ms)
        at.guess(0, at.state.deal.codes[len(at.state.rounds) - 1])
    assert "You cracked it" in browser.get(f"/match/{M}").text
    at.pass_time(tunables.CLOSING_MS)
    assert browser.get(f"/match/{M}").headers["Location"] == f"/match/{M}/results"
    results = [page.parse(one.get(f"/match/{M}/results").text).text for one in at.browsers]
    assert "You won the match" in results[0]
    assert "+3 points" in results[0]
    assert "ada_l won the match" in results[1]
    assert "Welcome to guessIo" in results[0]
    assert details.find(AccountId(signed_in.new_account(PLAYERS[0])), M) is not None


def test_a_ranked_forfeit_shows_what_it_cost(app: Flask, fake_clock: FakeClock) -> None:
    at = At(app, fake_clock, kind=MatchType.RANKED).to_turn()
    assert "30 rating" in at.browsers[0].get(f"/match/{M}").text
    at.send(0, "forfeit")
    at.pass_time(tunables.CLOSING_MS)
    left, stayed = (page.parse(browser.get(f"/match/{M}/results").text).text for browser in at.browsers)
    assert "Decided because you left." in left
    assert "You won the match" in stayed
    assert "Rating" in stayed


def test_ranked_quits_in_a_row_lead_over_a_warning_to_the_suspended_screen(app: Flask, fake_clock: FakeClock) -> None:
    """R7.7, R12.4: from then on every page and every command says so, and the time that it takes is shown; then all is open again."""
    at = At(app, fake_clock, kind=MatchType.RANKED).to_turn()
    quitter = at.browsers[0]
    with database.write() as conn:
        conn.execute(schema.accounts.update().where(schema.accounts.c.username == PLAYERS[0]).values(quits_in_row=2))
    assert "one more" in quitter.get("/").text.lower()
    at.send(0, "forfeit")
    at.pass_time(tunables.CLOSING_MS)
    for path in ("/", "/play", f"/match/{M}/results"):
        answer = quitter.get(path)
        assert answer.status_code == 403, path
        assert "Left several Ranked matches in a row" in answer.text
    assert signed_in.post(quitter, "/search", {"type": "casual", "difficulty": "standard", "players": "2"}).status_code == 403
    assert at.browsers[1].get("/").status_code == 200
    fake_clock.advance(tunables.SUSPENSION_STEPS_MS[0])
    assert quitter.get("/play").status_code == 200


def test_who_left_looks_on(app: Flask, fake_clock: FakeClock) -> None:
    """R7.5."""
    at = At(app, fake_clock, players=3).to_turn()
    assert at.send(0, "forfeit", htmx=False).status_code == 303
    document = page.parse(at.browsers[0].get(f"/match/{M}").text)
    assert "You left this match" in document.text
    assert document.by_id("guess") is None
    assert at.guess(0, "56789").status_code == 422


def test_who_looks_on_may_play_another_match_meanwhile_and_sees_both(app: Flask, fake_clock: FakeClock) -> None:
    """R3.6, R7.5: the new match binds, the one that was left only shows itself, and ends without taking anybody out of the other."""
    at = At(app, fake_clock, players=3).to_turn()
    ada, _, cy = at.browsers
    at.send(0, "forfeit")
    assert signed_in.post(ada, "/search", {"type": "casual", "difficulty": "standard", "players": "2"}).status_code == 303
    other = signed_in.client(app, "di_d")
    signed_in.post(other, "/search", {"type": "casual", "difficulty": "standard", "players": "2"})
    second = ada.get("/search").headers["Location"]
    assert second.startswith("/match/")
    assert second != f"/match/{M}"
    assert "You left this match" in ada.get(f"/match/{M}").text
    assert page.parse(ada.get(second).text).by_id("table") is not None
    assert ada.get("/search", follow_redirects=True).request.path == second
    at.send(1, "forfeit")
    while at.state.phase is not MatchPhase.OVER:
        at.pass_time((at.state.until_ms or 0) - fake_clock.now_ms)
    assert ada.get(f"/match/{M}/results").status_code == 200
    assert ada.get(second).status_code == 200
    assert f'href="{second}"' in ada.get("/").text, "Home still leads back to the match that goes on"
    assert cy.get(f"/match/{M}/results").status_code == 200


def assert_no_hint(text: str) -> None:
    assert not re.search(rf"(?<![0-9a-f]){CODE}(?![0-9a-f])", text)
    assert f"{1:032x}" not in text
    assert " ".join(CODE) not in text


def test_the_guard_against_hints_sees_one() -> None:
    with pytest.raises(AssertionError):
        assert_no_hint(f"the code is {CODE}.")


def test_signed_out_browsers_are_guests(app: Flask, client: FlaskClient) -> None:
    assert client.post(f"/match/{M}/guess", data={"turn": "1", "guess": "5678"}).status_code in (400, 401)
