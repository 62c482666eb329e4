"""Failures are answered where the person is, with words and never with a trace (requirement 28)."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient
from sqlalchemy.exc import IntegrityError, OperationalError

from guessio.engine.machine import Rejected
from guessio.rules.terms import Refusal
from guessio.services import sessions, tables, together
from guessio.store import database, schema
from guessio.web import errors, health, matches, wording
from tests.kit import signed_in

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
STATUSES = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503]


def explode() -> None:
    raise RuntimeError("the code is 1234")


def unplugged() -> None:
    raise OperationalError("SELECT secret", {}, Exception("no route"))


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """An application with routes that fail in every way."""
    app = signed_in.fresh_app(tmp_path)
    app.testing = False
    app.add_url_rule("/fail/<int:status>", "fail", lambda status: abort(status))
    app.add_url_rule("/explode", "explode", explode)
    app.add_url_rule("/unplugged", "unplugged", unplugged)
    app.add_url_rule("/refuse/<reason>", "refuse", lambda reason: errors.refuse(Rejected(Refusal(reason), "4")))
    return app


@pytest.fixture
def guest(app: Flask) -> FlaskClient:
    """A browser in which nobody is signed in."""
    return app.test_client()


@pytest.mark.parametrize("status", STATUSES)
def test_every_failure_has_a_page_and_a_sentence_in_place(guest: FlaskClient, status: int) -> None:
    page = guest.get(f"/fail/{status}")
    assert page.status_code == status
    assert "<html" in page.text
    assert wording.STATUS[status][1] in page.text.replace("&#39;", "'")
    piece = guest.get(f"/fail/{status}", headers=HTMX)
    assert piece.status_code == status
    assert "<html" not in piece.text
    assert 'id="message"' in piece.text
    assert piece.headers["HX-Retarget"] == "#message"


def test_an_unknown_status_is_worded_too(guest: FlaskClient) -> None:
    assert wording.STATUS[400][0] in guest.get("/fail/418").text.replace("&#39;", "'")
    assert guest.get("/fail/507").status_code in (500, 507)


def test_a_crash_shows_its_number_and_nothing_else(guest: FlaskClient) -> None:
    answer = guest.get("/explode")
    assert answer.status_code == 500
    assert answer.headers["X-Request-Id"] in answer.text
    for hidden in ("1234", "RuntimeError", "Traceback", ".py"):
        assert hidden not in answer.text.replace("app.js", "")


def test_a_crash_of_the_error_page_itself_still_has_words(app: Flask, guest: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors.render, "page", lambda *_, **__: explode())
    answer = guest.get("/explode")
    assert answer.status_code == 500
    assert wording.STATUS[500][0] in answer.text
    assert "1234" not in answer.text


def test_a_database_that_is_away_is_said_to_come_back(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    answer = browser.get("/unplugged")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert "SELECT" not in answer.text
    assert wording.STATUS[503][0] in answer.text


def test_it_is_said_in_place_also_when_the_session_cannot_be_read(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = signed_in.client(app, "mira")
    token = signed_in.csrf(browser)
    monkeypatch.setattr(sessions, "find", lambda _token: unplugged())
    piece = browser.post("/match/m1/guess", headers={**HTMX, "X-CSRFToken": token, "HX-Target": "p#guess-message"})
    assert (piece.status_code, piece.headers["HX-Retarget"]) == (503, "#guess-message")
    assert 'id="guess-message"' in piece.text
    assert "<html" not in piece.text
    page = browser.get("/profile")
    assert page.status_code == 503
    assert "stylesheet" in page.text, "the page of the site, not the bare one"


@pytest.mark.parametrize("failure", [tables.Contended(), together.BrokenOff(), OperationalError("x", None, Exception())])
def test_a_command_whose_fate_is_unknown_may_be_sent_again(app: Flask, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    def fail(*_: object) -> None:
        raise failure

    browser = signed_in.client(app, "mira")
    token = signed_in.csrf(browser)
    monkeypatch.setattr(matches.matches, "guess", fail)
    answer = browser.post("/match/m1/guess", headers={**HTMX, "X-CSRFToken": token})
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"


def test_what_was_to_be_stored_stays_out_of_a_failures_words(app: Flask) -> None:
    row = {"email": "private@example.org", "username": None, "username_key": "x", "display_name": "x", "created_ms": 1}
    with pytest.raises(IntegrityError) as failed, database.write() as conn:
        conn.execute(schema.accounts.insert().values(row))
    assert "private@example.org" not in str(failed.value)


def test_readiness_follows_the_database(guest: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert guest.get("/readyz").status_code == 200
    monkeypatch.setattr(health.readiness.database, "ping", unplugged)
    assert guest.get("/readyz").status_code == 503
    assert guest.get("/healthz").status_code == 200


def test_the_wrong_method_names_the_right_ones(guest: FlaskClient) -> None:
    answer = guest.get("/sign-out")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


@pytest.mark.parametrize(("reason", "status"), [("repeated_digit", 422), ("stale_turn", 409), ("not_seated", 404), ("suspended", 422)])
def test_a_refusal_has_its_status_and_its_words(guest: FlaskClient, reason: str, status: int) -> None:
    answer = guest.get(f"/refuse/{reason}", headers={**HTMX, "HX-Target": "p#guess-message"})
    assert answer.status_code == status
    assert answer.headers["HX-Retarget"] == "#guess-message"
    assert 'id="guess-message"' in answer.text
    if status != 404:
        assert wording.sentence(Refusal(reason), "4").replace("'", "&#39;") in answer.text


def test_somebody_elses_table_looks_like_none(guest: FlaskClient) -> None:
    assert guest.get("/refuse/not_seated", headers=HTMX).text == guest.get("/fail/404", headers=HTMX).text


def test_every_refusal_is_worded_with_and_without_its_detail() -> None:
    for refusal in Refusal:
        for detail in ("", "7"):
            sentence = wording.sentence(refusal, detail)
            assert sentence.endswith(".")
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert "{" not in sentence
            assert "!" not in sentence


# --- no session ---------------------------------------------------------------------------------------------------------


def test_a_page_that_needs_somebody_becomes_the_sign_in_page_and_leads_back(guest: FlaskClient) -> None:
    answer = guest.get("/matches?filter=wins")
    assert answer.status_code == 401
    assert 'name="next" value="/matches?filter=wins"' in answer.text


def test_a_command_without_a_session_is_answered_in_place_and_leads_back(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    token = signed_in.csrf(browser, "/play")
    with browser.session_transaction() as cookie:
        cookie["_user_id"] = "gone"
    headers = {**HTMX, "X-CSRFToken": token, "HX-Current-URL": "http://localhost/play"}
    answer = browser.post("/search", data={"type": "casual"}, headers=headers)
    assert answer.status_code == 401
    assert 'href="/sign-in?next=/play"' in answer.text
    assert "<html" not in answer.text


def test_a_form_without_a_session_becomes_the_sign_in_page(app: Flask) -> None:
    browser = app.test_client()
    token = signed_in.csrf(browser)
    answer = browser.post("/search", headers={"X-CSRFToken": token, "Referer": "http://localhost/play"})
    assert answer.status_code == 401
    assert 'name="next" value="/play"' in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"HX-Request": "true", "HX-Boosted": "true"},
        {"HX-Request": "true", "HX-History-Restore-Request": "true"},
        {"HX-Request": "true", "HX-Request-Type": "full"},
    ],
)
def test_whole_pages_are_given_to_whoever_shows_whole_pages(guest: FlaskClient, headers: dict[str, str]) -> None:
    assert "<html" in guest.get("/fail/404", headers=headers).text
