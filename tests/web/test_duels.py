"""What duellists send and what comes back; who may; and that no byte of an answer tells a secret too early (SPEC 17, issue 5)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete

from guessio.engine.duel.state import DuelState
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelEnd, DuelPhase, TableId
from guessio.services import bots, duel_lag, shelf, tables
from guessio.store import database, schema
from tests.kit import page, signed_in
from tests.kit.fake_clock import FakeClock

FORM = {"clock": "1", "length": "4", "repeats": "repeats", "format": "per_position", "visibility": "public"}
TOTALS = {"clock": "3", "length": "5", "repeats": "all_different", "format": "totals_only"}
SECRETS = {"ada_l": "8361", "bo_b": "7942"}
POSITIONAL = re.compile(r'data-mark="(absent|right|elsewhere|present)"')


class Two:
    """Two browsers, and the duel that they play once one took the other's offer."""

    def __init__(self, app: Flask, clock: FakeClock) -> None:
        self.app, self.clock = app, clock
        self.browsers: dict[str, FlaskClient] = {}
        self.tokens: dict[str, str] = {}
        self.duel = TableId("")
        for name in SECRETS:
            self.join(name)

    def join(self, name: str) -> None:
        """One more person with a browser."""
        self.browsers[name] = signed_in.client(self.app, name)
        self.tokens[name] = signed_in.csrf(self.browsers[name])

    def post(self, name: str, path: str, *, htmx: bool = True, target: str = "", **fields: Any) -> Any:
        headers = {"X-CSRFToken": self.tokens[name]}
        if htmx:
            headers |= {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Target": target}
        return self.browsers[name].post(path, data={key: str(value) for key, value in fields.items()}, headers=headers)

    def get(self, name: str, path: str) -> Any:
        return self.browsers[name].get(path)

    def agree(self, **fields: str) -> Two:
        """Ada offers, Bo takes."""
        assert self.post("ada_l", "/duels", htmx=False, **{**FORM, **fields}).status_code == 303
        self.duel = TableId(self.own_offer("ada_l"))
        answer = self.post("bo_b", f"/duels/offer/{self.duel}/take", htmx=False)
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/duel/{self.duel}")
        return self

    def ready(self) -> Two:
        for name, secret in SECRETS.items():
            assert self.send(name, "secret", secret=secret).status_code == 204
        return self

    def own_offer(self, name: str) -> str:
        found = re.search(r"/duels/offer/([\w-]+)", self.get(name, "/duels").text)
        assert found is not None, f"{name} has no offer"
        return found[1]

    def send(self, name: str, what: str, **fields: Any) -> Any:
        htmx = fields.pop("htmx", True)
        return self.post(name, f"/duel/{self.duel}/{what}", htmx=htmx, target=f"p#{what}-message", **fields)

    def guess(self, name: str, digits: str, turn: int | None = None, **fields: Any) -> Any:
        return self.send(name, "guess", turn=len(self.state.guesses) + 1 if turn is None else turn, guess=digits, **fields)

    @property
    def state(self) -> DuelState:
        loaded = tables.load(self.duel)
        assert loaded is not None
        return loaded.state

    @property
    def mover(self) -> str:
        assert self.state.on_move is not None
        return self.state.seats[self.state.on_move].username

    @property
    def waiter(self) -> str:
        return next(name for name in SECRETS if name != self.mover)

    def other(self, name: str) -> str:
        return next(one for one in SECRETS if one != name)


@pytest.fixture
def two(fake_clock: FakeClock, app: Flask) -> Two:
    return Two(app, fake_clock)


# --- the lobby -----------------------------------------------------------------------------------------------------------------


def test_an_offer_is_made_seen_and_taken_back(two: Two) -> None:
    answer = two.post("ada_l", "/duels", htmx=False, **FORM)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/duels")
    offer = two.own_offer("ada_l")
    theirs = two.get("bo_b", "/duels").text
    assert f'action="/duels/offer/{offer}/take"' in theirs
    assert "ada_l" in theirs
    assert two.post("ada_l", "/duels/withdraw").headers["HX-Redirect"] == "/duels"
    assert f"/duels/offer/{offer}/take" not in two.get("bo_b", "/duels").text


def test_the_lobby_is_narrowed_by_its_query(two: Two) -> None:
    two.post("ada_l", "/duels", **FORM)
    assert "/take" in two.get("bo_b", "/duels?clock=1&length=4").text
    assert "/take" not in two.get("bo_b", "/duels?clock=3").text
    assert "/live?page=duels&amp;clock=3" in two.get("bo_b", "/duels?clock=3").text


@pytest.mark.parametrize("wrong", [{"clock": "2"}, {"length": "6"}, {"repeats": ""}, {"format": "x"}, {"clock": "１"}])
def test_terms_that_are_not_on_offer_are_refused(two: Two, wrong: dict[str, str]) -> None:
    answer = two.post("ada_l", "/duels", **{**FORM, **wrong})
    assert answer.status_code == 422
    assert "on offer" in answer.text
    assert two.post("ada_l", "/duels/computer", **{**FORM, **wrong}).status_code == 422


def test_a_link_leads_a_friend_to_the_offer_and_both_to_the_duel(two: Two) -> None:
    two.post("ada_l", "/duels", **{**FORM, "visibility": "link"})
    offer = two.own_offer("ada_l")
    assert "/take" not in two.get("bo_b", "/duels").text
    shown = two.get("bo_b", f"/duels/offer/{offer}")
    assert (shown.status_code, f'action="/duels/offer/{offer}/take"' in shown.text) == (200, True)
    own = two.get("ada_l", f"/duels/offer/{offer}")
    assert (own.status_code, "/take" in own.text) == (200, False)
    assert two.post("bo_b", f"/duels/offer/{offer}/take").headers["HX-Redirect"] == f"/duel/{offer}"
    for name in SECRETS:
        assert two.get(name, f"/duels/offer/{offer}").headers["Location"] == f"/duel/{offer}"
        assert two.get(name, "/duels").headers["Location"] == f"/duel/{offer}"
    two.join("zoe_z")
    gone = two.get("zoe_z", f"/duels/offer/{offer}")
    assert (gone.status_code, gone.text.count("ada_l")) == (404, 0)


@pytest.mark.parametrize(("taker", "words"), [("ada_l", "your own offer"), ("zoe_z", "That offer is gone")])
def test_what_cannot_be_taken_is_refused_with_the_reason(two: Two, taker: str, words: str) -> None:
    two.join("zoe_z")
    two.post("ada_l", "/duels", **FORM)
    offer = two.own_offer("ada_l")
    if taker != "ada_l":
        two.post("bo_b", f"/duels/offer/{offer}/take")
    answer = two.post(taker, f"/duels/offer/{offer}/take", target="div#message")
    assert answer.status_code == 422
    assert words in answer.text


def test_whoever_plays_elsewhere_is_told_so(two: Two) -> None:
    two.agree()
    two.join("zoe_z")
    two.post("zoe_z", "/duels", **FORM)
    offer = two.own_offer("zoe_z")
    for answer in (two.post("bo_b", f"/duels/offer/{offer}/take"), two.post("bo_b", "/duels", **FORM)):
        assert answer.status_code == 422
        assert "in another game" in answer.text


def test_the_computer_takes_the_forms_terms_or_ones_offer(two: Two) -> None:
    bots.seed(2)
    direct = two.post("ada_l", "/duels/computer", htmx=False, **FORM)
    assert direct.headers["Location"].startswith("/duel/")
    assert two.get("ada_l", direct.headers["Location"]).status_code == 200
    assert two.post("bo_b", "/duels/computer").status_code == 422
    two.post("bo_b", "/duels", **TOTALS)
    assert two.post("bo_b", "/duels/computer").headers["HX-Redirect"].startswith("/duel/")


def test_home_leads_back_to_an_offer_and_to_a_duel(two: Two) -> None:
    """R3.6."""
    two.post("ada_l", "/duels", **FORM)
    offering = page.parse(two.get("ada_l", "/").text).by_id("return")
    assert offering is not None
    assert ("duel offer waits" in offering.text, [link.get("href") for link in offering.all("a")]) == (True, ["/duels"])
    two.post("ada_l", "/duels/withdraw")
    two.agree()
    playing = page.parse(two.get("bo_b", "/").text).by_id("return")
    assert playing is not None
    assert ("duel is still running" in playing.text, [link.get("href") for link in playing.all("a")]) == (True, [f"/duel/{two.duel}"])


# --- secrets and guesses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("digits", "words"),
    [("", "Choose a secret first."), ("123", "This takes 5 digits."), ("12a45", "digits 0 to 9 only"), ("11234", "yours uses 1 twice")],
)
def test_a_bad_secret_is_refused_beside_its_field_and_the_clock_goes_on(two: Two, digits: str, words: str) -> None:
    two.agree(**TOTALS)
    before = [seat.clock for seat in two.state.seats]
    answer = two.send("ada_l", "secret", secret=digits)
    assert answer.status_code == 422
    line = page.parse(answer.text).by_id("secret-message")
    assert line is not None
    assert words in line.text
    assert [seat.clock for seat in two.state.seats] == before
    plain = two.send("ada_l", "secret", secret=digits, htmx=False)
    assert (plain.status_code, words in plain.text) == (422, True)


def test_ready_twice_is_taken_once_and_a_change_refused(two: Two) -> None:
    two.agree()
    assert [two.send("ada_l", "secret", secret="0000").status_code for _ in range(2)] == [204, 204]
    changed = two.send("ada_l", "secret", secret="1111")
    assert (changed.status_code, "stays as it is" in changed.text) == (422, True)


def test_a_secret_without_a_script_leads_back_to_the_duel(two: Two) -> None:
    two.agree()
    answer = two.send("ada_l", "secret", secret="0417", htmx=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/duel/{two.duel}")


def test_a_guess_before_both_are_ready_is_refused(two: Two) -> None:
    two.agree()
    two.send("ada_l", "secret", secret="0417")
    answer = two.guess("ada_l", "1234")
    assert (answer.status_code, "Both secrets have to be chosen first." in answer.text) == (422, True)


def test_a_guess_is_taken_once_and_an_old_one_gets_the_board(two: Two) -> None:
    """R1.12."""
    two.agree().ready()
    mover = two.mover
    assert [two.guess(mover, "0000", turn=1).status_code for _ in range(2)] == [204, 204]
    stale = two.guess(mover, "0001", turn=1)
    assert stale.status_code == 409
    fresh = page.parse(stale.text)
    assert fresh.by_id("guess-message") is not None
    assert fresh.by_id("table") is not None
    assert len(two.state.guesses) == 1
    assert SECRETS[two.other(mover)] not in stale.text


@pytest.mark.parametrize("turn", ["", "-1", "x", "１", "99999999999999999999"])
def test_a_turn_that_is_no_number_is_an_earlier_one(two: Two, turn: str) -> None:
    two.agree().ready()
    assert two.send(two.mover, "guess", turn=turn, guess="0000").status_code == 409
    assert two.send(two.mover, "seen", turn=turn, sent="1.x").status_code == 422


def test_out_of_turn_is_refused_and_a_bad_guess_stays_beside_its_field(two: Two) -> None:
    two.agree().ready()
    assert two.guess(two.waiter, "0000").status_code == 422
    bad = two.guess(two.mover, "00x0")
    line = page.parse(bad.text).by_id("guess-message")
    assert bad.status_code == 422
    assert line is not None
    assert "digits 0 to 9 only" in line.text
    plain = two.guess(two.mover, "00", htmx=False)
    assert (plain.status_code, 'value="00"' in plain.text) == (422, True)
    assert two.state.guesses == ()


def test_after_the_end_everything_is_refused(two: Two) -> None:
    two.agree().ready()
    two.guess(two.mover, SECRETS[two.waiter])
    assert two.state.end is DuelEnd.CRACKED
    loser = two.state.seats[1 - (two.state.winner or 0)].username
    for answer in (two.guess(loser, "0000", turn=2), two.send(loser, "secret", secret="0000"), two.send(loser, "resign")):
        assert (answer.status_code, "This duel is over." in answer.text) == (422, True)


def test_a_guess_after_the_flag_is_too_late(two: Two) -> None:
    two.agree().ready()
    mover = two.mover
    two.clock.advance(tunables.DUEL_CLOCKS_MS[1])
    answer = two.guess(mover, "0000", turn=1)
    assert (answer.status_code, "Your clock ran out" in answer.text) == (422, True)


def test_the_delay_of_the_line_is_measured_sealed_and_given_back(two: Two) -> None:
    """R17.5."""
    two.agree().ready()
    mover = two.mover
    account: AccountId = next(seat.account for seat in two.state.seats if seat.username == mover)
    sent = duel_lag.stamp(two.state, account, two.clock.now_ms)
    two.clock.advance(150)
    answer = two.send(mover, "seen", turn=1, sent=sent)
    assert (answer.status_code, answer.mimetype, answer.headers["Cache-Control"]) == (200, "text/plain", "no-store")
    two.clock.advance(1_000)
    assert two.guess(mover, "0000", lag=answer.text).status_code == 204
    assert two.state.guesses[0].credited_ms == 150


# --- the end, rematch, record --------------------------------------------------------------------------------------------------


def test_resigning_leads_to_the_end_with_both_secrets(two: Two) -> None:
    two.agree().ready()
    assert two.send("ada_l", "resign", htmx=False).status_code == 303
    for name in SECRETS:
        shown = page.parse(two.get(name, f"/duel/{two.duel}").text)
        text = shown.text.replace(" ", "")
        assert all(secret in text for secret in SECRETS.values())
        assert shown.by_id("rematch") is not None


def test_a_rematch_is_offered_and_agreed(two: Two) -> None:
    two.agree().ready()
    two.send("ada_l", "resign")
    assert two.send("ada_l", "rematch").status_code == 204
    assert two.send("ada_l", "rematch", htmx=False).headers["Location"] == f"/duel/{two.duel}"
    agreed = two.send("bo_b", "rematch")
    new = agreed.headers["HX-Redirect"].removeprefix("/duel/")
    assert new != two.duel
    first = two.state.deal.first
    two.duel = TableId(new)
    assert (two.state.phase, two.state.deal.first) == (DuelPhase.CHOOSING, 1 - first)


def test_a_rematch_is_refused_while_the_duel_goes_on(two: Two) -> None:
    two.agree()
    answer = two.send("ada_l", "rematch")
    assert (answer.status_code, "rematch" in answer.text) == (422, True)


def test_history_and_record_are_there_for_the_two_alone(two: Two) -> None:
    two.agree().ready()
    two.send("ada_l", "resign")
    two.join("zoe_z")
    for name in SECRETS:
        assert f"/duels/history/{two.duel}" in two.get(name, "/duels/history").text
        record = two.get(name, f"/duels/history/{two.duel}")
        assert record.status_code == 200
    assert f"/duels/history/{two.duel}" not in two.get("zoe_z", "/duels/history?filter=all&page=1").text
    for path in (f"/duels/history/{two.duel}", "/duels/history/nowhere"):
        assert two.get("zoe_z", path).status_code == 404


def test_long_after_the_end_the_duel_leads_to_its_record(two: Two) -> None:
    two.agree().ready()
    two.send("ada_l", "resign")
    with database.write() as conn:
        conn.execute(delete(schema.tables))
    shelf.clear()
    assert two.get("bo_b", f"/duel/{two.duel}").headers["Location"] == f"/duels/history/{two.duel}"


# --- who may -------------------------------------------------------------------------------------------------------------------

ACTIONS = ("secret", "seen", "guess", "resign", "rematch")


@pytest.mark.parametrize("what", ACTIONS)
def test_to_everybody_else_a_duel_does_not_exist(two: Two, what: str) -> None:
    two.agree().ready()
    two.join("zoe_z")
    before = two.state
    answers = [two.post("zoe_z", f"/duel/{name}/{what}", turn=1, guess="0000", secret="0000") for name in (two.duel, "nowhere")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text
    assert two.state == before
    pages = [two.get("zoe_z", f"/duel/{name}") for name in (two.duel, "nowhere")]
    assert [answer.status_code for answer in pages] == [404, 404]
    assert "ada_l" not in pages[0].text
    assert two.get("zoe_z", f"/live?table={two.duel}").status_code == 404


@pytest.mark.parametrize("what", ACTIONS)
def test_without_a_form_token_nothing_happens(two: Two, what: str) -> None:
    two.agree().ready()
    two.tokens["ada_l"] = "made up"
    before = two.state
    assert two.send("ada_l", what, turn=1, guess="0000", secret="0000").status_code == 400
    assert two.state == before


@pytest.mark.parametrize("path", ["/duels", "/duels/history", "/duels/offer/x", "/duel/x", "/duels/history/x"])
def test_a_guest_is_asked_to_sign_in(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 401


def test_a_duel_is_no_match_and_a_match_no_duel(two: Two) -> None:
    two.agree()
    assert two.get("ada_l", f"/match/{two.duel}").status_code == 404
    assert two.post("ada_l", f"/match/{two.duel}/guess", turn=1, guess="1234").status_code == 404


# --- redaction -----------------------------------------------------------------------------------------------------------------


def digits_of(text: str) -> str:
    """All digits of an answer in their order, so that a secret cannot hide behind tags; addresses and versions are left out."""
    return re.sub(r"\D", "", page.parse(text).text)


def test_no_byte_before_the_end_tells_the_opponents_secret(two: Two) -> None:
    """R17.6: pages, refusals, fresh boards, headers."""
    two.agree(length="5")
    # Long enough that no random token holds one by chance.
    secrets = {name: f"{secret}0" for name, secret in SECRETS.items()}
    for name, secret in secrets.items():
        assert two.send(name, "secret", secret=secret).status_code == 204
    answers: dict[str, list[Any]] = {name: [] for name in SECRETS}
    for _ in range(3):
        for name in SECRETS:
            answers[name] += [two.get(name, path) for path in (f"/duel/{two.duel}", "/duels/history", "/", "/profile")]
            answers[name] += [two.guess(name, "00000", turn=0), two.guess(name, "12", turn=1), two.send(name, "secret", secret="11111")]
            answers[name].append(two.guess(name, "12", htmx=False))
        assert two.guess(two.mover, "01010").status_code == 204
    for name, all_of_them in answers.items():
        secret = secrets[two.other(name)]
        for answer in all_of_them:
            assert secret not in answer.text
            assert secret not in digits_of(answer.text)
            assert secret not in str(answer.headers)
            assert two.state.deal.seed not in answer.text


def test_a_totals_only_duel_has_no_positional_trace_in_its_answers(two: Two) -> None:
    """R17.3: the same bytes for two guesses that are answered alike, whatever stands where."""
    two.agree(**TOTALS)
    two.send("ada_l", "secret", secret="01234")
    two.send("bo_b", "secret", secret="56789")
    rows: list[str] = []
    target = "56789" if two.mover == "ada_l" else "01234"
    # One digit exact and one misplaced, at different places.
    strange = next(digit for digit in "0123456789" if digit not in target)
    for digits in (target[0] + strange * 3 + target[1], strange * 2 + target[2] + target[0] + strange):
        mover = two.mover
        assert two.guess(mover, digits).status_code == 204
        rows.append(two.get(mover, f"/duel/{two.duel}").text)
        two.guess(two.mover, "33333" if target == "56789" else "88888")
    blocks = [re.findall(r'<li class="guess"[^>]*data-own[^>]*>.*?</li>', text, re.DOTALL)[-1] for text in rows]
    plain = [re.sub(r"\d", "#", block) for block in blocks]
    assert plain[0] == plain[1]
    keys = re.findall(r'<button[^>]*class="key"[^>]*>', rows[1])
    assert keys
    assert not any(POSITIONAL.search(key) for key in keys)
