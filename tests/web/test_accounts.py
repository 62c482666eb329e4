"""Signing in at a provider, choosing a username, signing out (R12.1-R12.3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from guessio.adapters import demo_provider
from guessio.store import accounts, database, schema
from guessio.web import wording
from tests.kit import provider as providers
from tests.kit import signed_in
from tests.kit.provider import Provider


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """The demo provider on a port of its own."""
    with providers.running() as running:
        yield running


@pytest.fixture
def app(provider: Provider, tmp_path: Path) -> Flask:
    """An application that signs in there."""
    return signed_in.fresh_app(tmp_path, **provider.settings)


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    """A browser that has not been here before."""
    return app.test_client()


def sign_up(provider: Provider, browser: FlaskClient, person: str, username: str) -> None:
    assert provider.sign_in(browser, person).headers["Location"] == "/username"
    assert signed_in.post(browser, "/username", {"username": username}).status_code == 303


def message(answer: TestResponse) -> str:
    """What the page says at its top."""
    return answer.text.partition('id="message"')[2].partition("</div>")[0]


def is_signed_in(browser: FlaskClient) -> bool:
    return browser.get("/profile").status_code == 200


def test_a_first_sign_in_leads_over_the_username_to_the_page_that_was_asked_for(provider: Provider, browser: FlaskClient) -> None:
    assert provider.sign_in(browser, "mira", next="/profile").headers["Location"] == "/username"
    page = browser.get("/username")
    assert 'value="mira_k"' in page.text
    assert not is_signed_in(browser)
    done = signed_in.post(browser, "/username", {"username": " mira_k "})
    assert (done.status_code, done.headers["Location"]) == (303, "/profile")
    assert "Mira K" in browser.get("/profile").text


def test_the_next_sign_in_goes_straight_on(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    sign_up(provider, browser, "mira", "mira_k")
    again = app.test_client()
    assert provider.sign_in(again, "mira", next="/matches").headers["Location"] == "/matches"
    assert is_signed_in(again)


def test_the_earlier_browser_is_signed_out_and_told_why_once(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    sign_up(provider, browser, "mira", "mira_k")
    provider.sign_in(app.test_client(), "mira")
    browser.get("/live", headers={"Accept": "text/event-stream"})
    browser.get("/profile", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
    answer = browser.get("/profile")
    assert answer.status_code == 401
    assert wording.SIGNED_OUT["replaced"] in message(answer)
    assert wording.SIGNED_OUT["replaced"] not in message(browser.get("/profile"))


def test_signing_out_leaves_nobody_behind(provider: Provider, browser: FlaskClient) -> None:
    sign_up(provider, browser, "mira", "mira_k")
    assert signed_in.post(browser, "/sign-out").headers["Location"] == "/"
    assert not is_signed_in(browser)
    with database.read() as conn:
        assert conn.execute(schema.sessions.select()).all() == []


def test_another_person_in_the_same_browser_ends_the_first_ones_session(provider: Provider, browser: FlaskClient) -> None:
    sign_up(provider, browser, "mira", "mira_k")
    with browser.session_transaction() as cookie:
        token = cookie["_user_id"]
    signed_in.post(browser, "/sign-out")
    sign_up(provider, browser, "nova", "nova_7")
    with browser.session_transaction() as cookie:
        assert cookie["_user_id"] != token
    assert "nova_7" in browser.get("/profile").text


def test_an_address_that_is_not_verified_is_turned_away(provider: Provider, browser: FlaskClient) -> None:
    answer = provider.sign_in(browser, "sable")
    assert answer.status_code == 403
    assert wording.SIGN_IN_PROBLEMS["unverified"] in answer.text.replace("&#39;", "'")
    with database.read() as conn:
        assert conn.execute(schema.accounts.select()).all() == []


def test_a_cancelled_sign_in_says_so(provider: Provider, browser: FlaskClient) -> None:
    back = provider.choose(provider.leave(browser), deny="yes")
    answer = browser.get(providers.path_of(back))
    assert answer.status_code == 400
    assert wording.SIGN_IN_PROBLEMS["denied"] in answer.text


def test_a_provider_that_does_not_answer_leaves_a_clear_page(tmp_path: Path) -> None:
    nowhere = {"OIDC_ISSUER": "http://127.0.0.1:9", "OIDC_CLIENT_ID": "x", "OIDC_CLIENT_SECRET": "x"}
    browser = signed_in.fresh_app(tmp_path, **nowhere).test_client()
    answer = signed_in.post(browser, "/sign-in")
    assert answer.status_code == 503
    assert "answer at the moment" in answer.text


def test_the_loser_of_a_race_keeps_the_form(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    rival = app.test_client()
    provider.sign_in(browser, "mira")
    provider.sign_in(rival, "nova")
    assert signed_in.post(rival, "/username", {"username": "mira_k"}).status_code == 303
    answer = signed_in.post(browser, "/username", {"username": "mira_k"})
    assert answer.status_code == 422
    assert wording.sentence(wording.Refusal.USERNAME_TAKEN, "mira_k") in answer.text
    assert 'value="mira_k"' in answer.text
    assert signed_in.post(browser, "/username", {"username": "mira_k2"}).status_code == 303


def test_a_refused_username_is_shown_as_text(provider: Provider, browser: FlaskClient) -> None:
    provider.sign_in(browser, "mira")
    answer = signed_in.post(browser, "/username", {"username": '"><script>'})
    assert answer.status_code == 422
    assert "<script>" not in answer.text.replace("<script defer", "").replace('<script type="module"', "")


def test_a_sign_up_can_be_given_up(provider: Provider, browser: FlaskClient) -> None:
    provider.sign_in(browser, "mira")
    signed_in.post(browser, "/sign-out")
    assert browser.get("/username").headers["Location"] == "/sign-in"


def test_without_a_sign_up_there_is_no_username_to_choose(browser: FlaskClient) -> None:
    assert browser.get("/username").headers["Location"] == "/sign-in"
    assert signed_in.post(browser, "/username", {"username": "mira_k"}).headers["Location"] == "/sign-in"


def test_somebody_who_is_signed_in_passes_the_sign_in_page(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    assert browser.get("/sign-in?next=/play").headers["Location"] == "/play"


@pytest.mark.parametrize(("state", "title"), [("suspended", "paused"), ("banned", "closed")])
def test_a_suspended_or_banned_account_sees_its_state_and_the_reason_only(app: Flask, state: str, title: str) -> None:
    browser = signed_in.client(app, "mira")
    with database.write() as conn:
        conn.execute(schema.accounts.update().values(state=state, state_reason="Left <b>matches</b>", suspended_until_ms=None))
    for path in ("/", "/play", "/profile", "/matches"):
        answer = browser.get(path)
        assert answer.status_code == 403
        assert title in answer.text
        assert "Left &lt;b&gt;matches" in answer.text
    assert signed_in.post(browser, "/sign-out").status_code == 303


def test_an_issuer_that_keeps_the_address_at_its_user_info_is_asked_there(app: Flask, provider: Provider) -> None:
    from guessio.adapters import openid

    class Client:
        server_metadata = {"issuer": "i", "userinfo_endpoint": "u"}

        def load_server_metadata(self) -> dict[str, str]:
            return self.server_metadata

        def authorize_access_token(self, **_: object) -> dict[str, object]:
            return {"userinfo": {"sub": "1"}}

        def userinfo(self, **_: object) -> dict[str, object]:
            return {"sub": self.sub, "email": "mira@example.org", "email_verified": True}

    client = Client()
    configured = openid.Provider("i", "c", "s")
    client.sub = "1"
    assert openid._claims(client, configured)["email"] == "mira@example.org"
    client.sub = "2"
    assert "email" not in openid._claims(client, configured)


def test_anybody_with_a_short_name_can_be_somebody_at_the_demo_provider(provider: Provider, browser: FlaskClient) -> None:
    sign_up(provider, browser, "player_017", "player_017")
    with database.read() as conn:
        account = accounts.find_by_username(conn, "player_017")
    assert account is not None
    assert account.display_name == "Player 017"
    assert "mira" in {person.id for person in demo_provider.PEOPLE}
