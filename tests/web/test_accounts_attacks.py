"""Attempts to get in by the back door: each must fail, and leave a page that says where to go on."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient

from guessio.adapters import demo_provider
from guessio.services import sessions
from guessio.web.guards import own_path
from tests.kit import provider as providers
from tests.kit import signed_in
from tests.kit.provider import CLIENT_SECRET, Provider


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


def asked_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def refused(browser: FlaskClient, path: str) -> bool:
    answer = browser.get(path)
    return answer.status_code == 400 and browser.get("/username").headers["Location"] == "/sign-in"


# --- the way back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "javascript:alert(1)",
        "evil.example",
        " /play",
        "/%0d%0aSet-Cookie:x=1\r\nX: y",
        "/é",
        "/" + "a" * 600,
        "",
        None,
        7,
    ],
)
def test_nobody_is_sent_off_the_site(target: Any) -> None:
    assert own_path(target) == "/"


@pytest.mark.parametrize("target", ["/play", "/matches?filter=wins&page=2", "/u/mira_k", "/%2F%2Fevil.example"])
def test_paths_of_the_site_are_returned_to(target: str) -> None:
    assert own_path(target) == target


def test_a_forged_return_address_leads_home(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    signed_in.new_account("somebody")
    assert provider.sign_in(browser, "mira", next="https://evil.example/").headers["Location"] == "/username"
    done = signed_in.post(browser, "/username", {"username": "mira_k"})
    assert done.headers["Location"] == "/"
    assert browser.get("/sign-in?next=//evil.example").headers["Location"] == "/"


# --- state, nonce, PKCE, replay -----------------------------------------------------------------------------------------


def test_the_request_carries_state_nonce_and_a_hashed_verifier(provider: Provider, browser: FlaskClient) -> None:
    asked = asked_of(provider.leave(browser))
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["state"]) >= 20
    assert len(asked["nonce"]) >= 20
    assert set(asked["scope"].split()) == {"openid", "email", "profile"}


def test_an_answer_with_another_state_is_refused(provider: Provider, browser: FlaskClient) -> None:
    back = provider.choose(provider.leave(browser), person="mira")
    state = asked_of(back)["state"]
    assert refused(browser, providers.path_of(back).replace(state, state[::-1]))


def test_an_answer_that_another_browser_began_is_refused(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    back = provider.choose(provider.leave(app.test_client()), person="mira")
    assert refused(browser, providers.path_of(back))


def test_an_answer_is_good_once(provider: Provider, browser: FlaskClient) -> None:
    back = providers.path_of(provider.choose(provider.leave(browser), person="mira"))
    assert browser.get(back).status_code == 303
    assert browser.get(back).status_code == 400


def test_a_code_of_another_sign_in_is_refused(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    own = providers.path_of(provider.choose(provider.leave(browser), person="mira"))
    other = provider.choose(provider.leave(app.test_client()), person="nova")
    assert refused(browser, own.replace(asked_of(own)["code"], asked_of(other)["code"]))


@pytest.mark.parametrize(
    "change",
    [
        {"nonce": "another"},
        {"aud": "another client"},
        {"iss": "https://evil.example"},
        {"exp": 1},
        {"sub": ""},
        {"sub": 7},
    ],
)
def test_a_token_that_says_something_else_is_refused(
    provider: Provider, browser: FlaskClient, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    encode = demo_provider.jwt.encode
    monkeypatch.setattr(demo_provider.jwt, "encode", lambda header, claims, key: encode(header, {**claims, **change}, key))
    answer = provider.sign_in(browser, "mira")
    assert answer.status_code == 400
    assert browser.get("/username").headers["Location"] == "/sign-in"


def test_a_token_signed_by_somebody_else_is_refused(provider: Provider, browser: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = demo_provider.jwt.encode
    foreign = demo_provider.RSAKey.import_key(demo_provider.new_key())
    monkeypatch.setattr(demo_provider.jwt, "encode", lambda header, claims, _key: encode(header, claims, foreign))
    assert provider.sign_in(browser, "mira").status_code == 400


def test_a_token_without_a_signature_is_refused(provider: Provider, browser: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = demo_provider.jwt.encode

    def unsigned(header: dict[str, Any], claims: dict[str, Any], key: Any) -> str:
        head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
        return f"{head}.{encode(header, claims, key).split('.')[1]}."

    monkeypatch.setattr(demo_provider.jwt, "encode", unsigned)
    assert provider.sign_in(browser, "mira").status_code == 400


@pytest.mark.parametrize("query", ["", "?code=x", "?state=x", "?code=x&state=y", "?error=server_error", "?code[]=1&state[]=2"])
def test_a_callback_that_nobody_asked_for_is_refused(browser: FlaskClient, query: str) -> None:
    assert browser.get(f"/sign-in/callback{query}").status_code == 400


# --- the session --------------------------------------------------------------------------------------------------------


def test_a_cookie_planted_before_the_sign_in_is_worth_nothing_after_it(provider: Provider, app: Flask, browser: FlaskClient) -> None:
    browser.get("/sign-in")
    planted = browser.get_cookie("guessio")
    assert planted is not None
    provider.sign_in(browser, "mira")
    signed_in.post(browser, "/username", {"username": "mira_k"})
    fixed = app.test_client()
    fixed.set_cookie("guessio", planted.value)
    assert fixed.get("/profile").status_code == 401


def test_a_copied_cookie_is_dead_after_sign_out(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    cookie = browser.get_cookie("guessio")
    assert cookie is not None
    signed_in.post(browser, "/sign-out")
    thief = app.test_client()
    thief.set_cookie("guessio", cookie.value)
    assert thief.get("/profile").status_code == 401


def test_a_cookie_of_ones_own_making_is_no_session(app: Flask) -> None:
    signed_in.new_account("mira")
    forged = app.test_client()
    forged.set_cookie("guessio", "eyJfdXNlcl9pZCI6Ing.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert forged.get("/profile").status_code == 401
    with forged.session_transaction() as cookie:
        cookie["_user_id"] = "1"
        cookie["account"] = 1
    assert forged.get("/profile").status_code == 401


def test_the_hash_of_a_token_signs_nobody_in(app: Flask) -> None:
    token = sessions.start(signed_in.new_account("mira"))
    assert sessions.find(sessions.hash_of(token)) is None


def test_the_token_is_hidden_from_scripts_and_other_sites(app: Flask) -> None:
    header = app.test_client().get("/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header


# --- the demo provider itself -------------------------------------------------------------------------------------------


def authorize(provider: Provider, **change: str) -> requests.Response:
    asked = {
        "client_id": demo_provider.CLIENT_ID,
        "redirect_uri": "http://127.0.0.1:8000/sign-in/callback",
        "response_type": "code",
        "nonce": "n",
        "state": "s",
        "code_challenge_method": "S256",
        "code_challenge": "c",
        **change,
    }
    with requests.Session() as http:
        http.trust_env = False
        return http.post(f"{provider.issuer}/authorize", params=asked, data={"person": "mira"}, allow_redirects=False, timeout=10)


@pytest.mark.parametrize(
    "uri", ["https://evil.example/", "http://evil.example/", "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/"]
)
def test_the_demo_provider_sends_codes_to_this_machine_only(provider: Provider, uri: str) -> None:
    assert authorize(provider, redirect_uri=uri).status_code == 400


@pytest.mark.parametrize("change", [{"nonce": ""}, {"code_challenge": ""}, {"code_challenge_method": "plain"}, {"response_type": "token"}])
def test_the_demo_provider_insists_on_nonce_and_pkce(provider: Provider, change: dict[str, str]) -> None:
    answer = authorize(provider, **change)
    assert "error=" in answer.headers["Location"]
    assert "code=" not in answer.headers["Location"].replace("error=", "")


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({}, True),
        ({"code_verifier": "w" * 43}, False),
        ({"code_verifier": ""}, False),
        ({"redirect_uri": "http://127.0.0.1:8000/other"}, False),
        ({"client_secret": "guess"}, False),
        ({"client_id": "other"}, False),
        ({"grant_type": "password"}, False),
        ({"code": "x"}, False),
    ],
)
def test_the_demo_provider_redeems_a_code_only_with_all_that_belongs_to_it(
    provider: Provider, change: dict[str, str], accepted: bool
) -> None:
    verifier = "v" * 43
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    code = asked_of(authorize(provider, code_challenge=challenge).headers["Location"])["code"]
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": "http://127.0.0.1:8000/sign-in/callback",
        "client_id": demo_provider.CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "code_verifier": verifier,
        **change,
    }
    with requests.Session() as http:
        http.trust_env = False
        answer = http.post(f"{provider.issuer}/token", data=form, timeout=10)
    assert ("id_token" in answer.json()) is accepted


def test_the_demo_provider_answers_this_machine_only(app: Flask) -> None:
    site = demo_provider.create("http://127.0.0.1:1/demo-idp", signed_in.SECRET, demo_provider.new_key(), "s")
    browser = site.test_client()
    assert browser.get("/jwks").status_code == 200
    assert browser.get("/jwks", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 403
    assert browser.get("/jwks", base_url="http://play.example.org").status_code == 403


def test_there_is_no_demo_provider_where_one_is_configured(app: Flask) -> None:
    assert app.test_client().get("/demo-idp/jwks").status_code == 404
