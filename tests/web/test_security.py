"""What stands around every request: headers, CSRF, sizes, limits, proxies, logs."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest
from flask import Flask, request, session
from flask.testing import FlaskClient

from guessio.web import limits, logs, security, wording
from tests.kit import signed_in
from tests.kit.fake_clock import FakeClock
from tests.test_config import GOOD

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Target": "form#choice"}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """An application with nothing running beside it."""
    return signed_in.fresh_app(tmp_path)


@pytest.fixture
def guest(app: Flask) -> FlaskClient:
    """A browser in which nobody is signed in."""
    return app.test_client()


@pytest.fixture
def production(tmp_path: Path) -> Flask:
    """An application with production settings, on SQLite."""
    here = {"DATABASE_URL": f"sqlite:///{tmp_path}/p.sqlite3", "GUESSIO_LIMITS": "on", "GUESSIO_PROXIES": "1"}
    return signed_in.fresh_app(tmp_path, **{**GOOD, **here})


# --- headers ------------------------------------------------------------------------------------------------------------


def test_pages_allow_nothing_inline_and_nothing_foreign(guest: FlaskClient) -> None:
    policy = guest.get("/sign-in").headers["Content-Security-Policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";") if rule.strip()}
    assert rules["default-src"] == rules["script-src"] == rules["style-src"] == ["'self'"]
    assert rules["frame-ancestors"] == rules["base-uri"] == rules["object-src"] == ["'none'"]
    assert rules["img-src"] == ["'self'", "https://*.googleusercontent.com", "data:"]
    assert "unsafe" not in policy


def test_the_sign_in_form_may_lead_to_the_provider(production: Flask) -> None:
    policy = production.test_client().get("/sign-in").headers["Content-Security-Policy"]
    assert "form-action 'self' https://accounts.google.com;" in policy


@pytest.mark.parametrize("path", ["/sign-in", "/nothing-here", "/healthz", "/static/css/tokens.css"])
def test_every_answer_is_guarded(guest: FlaskClient, path: str) -> None:
    headers = guest.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r"[0-9a-f]{12}", headers["X-Request-Id"])


def test_documents_keep_themselves_to_themselves(guest: FlaskClient) -> None:
    headers = guest.get("/sign-in").headers
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "camera=()" in headers["Permissions-Policy"]


def test_production_insists_on_tls(production: Flask, guest: FlaskClient) -> None:
    answer = production.test_client().get("/sign-in", base_url="https://play.example.org")
    assert "max-age=" in answer.headers["Strict-Transport-Security"]
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-guessio=")
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert "Strict-Transport-Security" not in guest.get("/sign-in").headers


def test_pages_are_kept_by_nobody_and_fragments_apart_from_them(app: Flask) -> None:
    answer = signed_in.client(app, "mira").get("/profile")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "HX-Request" in answer.headers["Vary"]


def test_static_files_change_their_address_with_their_content(guest: FlaskClient) -> None:
    page = guest.get("/sign-in").text
    addresses = re.findall(r'"(/static/v/[0-9a-f]{12}/[^"#]+)', page)
    assert addresses
    for address in addresses:
        answer = guest.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["Cache-Control"]
    outdated = re.sub("/v/[0-9a-f]{12}/", "/v/000000000000/", addresses[0])
    assert "immutable" not in guest.get(outdated).headers["Cache-Control"]


def test_static_files_end_at_their_folder(guest: FlaskClient) -> None:
    for path in ("../app.py", "%2e%2e/app.py", "..%2fapp.py"):
        assert guest.get(f"/static/v/x/{path}").status_code == 404


@pytest.mark.parametrize("chosen", ["light", "dark", "<x>", ""])
def test_the_theme_comes_with_the_page(guest: FlaskClient, chosen: str) -> None:
    guest.set_cookie("theme", chosen)
    page = guest.get("/sign-in").text
    assert (f'data-theme="{chosen}"' in page) is (chosen in ("light", "dark"))
    assert "<x>" not in page


def test_names_in_the_address_reach_no_header(guest: FlaskClient) -> None:
    answer = guest.get("/sign-in?next=/%0d%0aSet-Cookie:%20x=1")
    assert "x=1" not in str(answer.headers)
    answer = guest.get("/nothing", headers={"HX-Request": "true", "HX-Target": "p#a-message"})
    assert answer.headers["HX-Retarget"] == "#a-message"
    answer = guest.get("/nothing", headers={"HX-Request": "true", "HX-Target": 'p#"><script>-message'})
    assert answer.headers["HX-Retarget"] == "#message"


# --- CSRF ---------------------------------------------------------------------------------------------------------------

POSTS = ["/sign-in", "/sign-out", "/username", "/search", "/search/leave", "/achievements/seen", "/match/x/guess", "/match/x/forfeit"]


@pytest.mark.parametrize("path", POSTS)
def test_a_form_of_another_site_is_refused(app: Flask, path: str) -> None:
    browser = signed_in.client(app, "mira")
    assert browser.post(path).status_code == 400
    assert browser.post(path, headers={"X-CSRFToken": "made up"}).status_code == 400
    foreign = signed_in.csrf(app.test_client())
    assert browser.post(path, headers={"X-CSRFToken": foreign}).status_code == 400
    assert browser.get("/profile").status_code == 200


def test_every_route_that_takes_a_form_wants_a_token(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            path = re.sub(r"<[^>]+>", "x", rule.rule)
            assert browser.post(path).status_code == 400, path


def test_an_expired_form_is_answered_in_place_with_a_way_on(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    answer = browser.post("/search", headers={**HTMX, "HX-Current-URL": "http://localhost/play"})
    assert answer.status_code == 400
    assert wording.FORM_EXPIRED_IN_PLACE in answer.text
    assert 'href="/play"' in answer.text
    assert "<html" not in answer.text


def test_a_token_in_a_field_does_as_well_as_one_in_a_header(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    token = signed_in.csrf(browser, "/play")
    assert browser.post("/sign-out", data={"csrf_token": token}).status_code == 303


# --- sizes, limits, proxies ---------------------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_refused(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    token = signed_in.csrf(browser, "/play")
    answer = browser.post("/search", data={"type": "x" * security.BODY_MAX_BYTES}, headers={"X-CSRFToken": token, **HTMX})
    assert answer.status_code == 413
    assert wording.STATUS[413][1] in answer.text


def test_a_form_of_too_many_fields_is_refused(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    boundary = "".join(f'--b\r\nContent-Disposition: form-data; name="f{n}"\r\n\r\n1\r\n' for n in range(60)) + "--b--\r\n"
    answer = browser.post("/search", data=boundary, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == 413


def test_hammering_is_answered_with_429_and_counted_for_each_account_alone(fake_clock: FakeClock, tmp_path: Path) -> None:
    app = signed_in.fresh_app(tmp_path, GUESSIO_LIMITS="on")
    busy, calm = signed_in.client(app, "mira"), signed_in.client(app, "nova")
    allowed = limits.EVERYTHING
    statuses = [busy.get("/search").status_code for _ in range(allowed + 1)]
    assert set(statuses[:allowed]) == {303}
    assert statuses[-1] == 429
    assert calm.get("/search").status_code == 303
    in_place = busy.get("/search", headers=HTMX)
    assert in_place.status_code == 429
    assert wording.STATUS[429][1] in in_place.text


def test_forwarded_addresses_count_only_behind_a_configured_proxy(app: Flask, production: Flask) -> None:
    forwarded = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    seen: list[tuple[str | None, str]] = []
    for site in (app, production):
        site.before_request_funcs.setdefault(None, []).append(lambda: seen.append((request.remote_addr, request.scheme)))
        site.test_client().get("/healthz", headers=forwarded)
    assert seen == [("127.0.0.1", "http"), ("203.0.113.9", "https")]


def test_the_return_address_is_not_taken_from_the_host_header(production: Flask, app: Flask) -> None:
    from guessio.web import accounts

    with production.test_request_context("/", base_url="https://evil.example"):
        assert accounts._callback_address() == "https://play.example.org/sign-in/callback"
    with app.test_request_context("/", base_url="http://evil.example"):
        assert accounts._callback_address() == "http://127.0.0.1:8000/sign-in/callback"
    with app.test_request_context("/", base_url="http://localhost:8000"):
        assert accounts._callback_address() == "http://localhost:8000/sign-in/callback"


# --- logs ---------------------------------------------------------------------------------------------------------------


def test_a_log_line_is_json_with_the_requests_number_and_nothing_private(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("guessio")
    logger.setLevel("INFO")
    browser = signed_in.client(app, "mira")
    with browser.session_transaction() as cookie:
        token = cookie["_user_id"]
    caplog.handler.addFilter(logs.RequestNumber())
    answer = browser.get("/profile?secret=hunter2%0aforged")
    browser.get("/no%0aline")
    record = caplog.records[0]
    line = json.loads(logs.JsonLines().format(record))
    assert line["message"].startswith("GET /profile 200")
    assert line["request_id"] == answer.headers["X-Request-Id"]
    for private in ("hunter2", token, "example.org"):
        assert private not in caplog.text
    assert "GET /no%0Aline 404" in caplog.text


# --- what is remembered about forms and cookies -------------------------------------------------------------------------


def test_a_token_that_was_found_good_stays_bound_to_its_session(app: Flask) -> None:
    mira, nova = signed_in.client(app, "mira"), signed_in.client(app, "nova")
    token = {"X-CSRFToken": signed_in.csrf(mira, "/play")}
    signed_in.csrf(nova, "/play")
    assert [mira.post("/search/leave", headers=token).status_code for _ in range(2)] == [303, 303]
    assert nova.post("/search/leave", headers=token).status_code == 400
    assert mira.post("/sign-out", headers=token).status_code == 303
    assert mira.post("/search/leave", headers=token).status_code == 400


def test_over_tls_a_remembered_token_still_needs_a_page_of_this_site(production: Flask) -> None:
    site = "https://play.example.org"
    browser = signed_in.client(production, "mira", base_url=site)
    page = browser.get("/play", base_url=site).text
    token = page.partition('"X-CSRFToken": "')[2].partition('"')[0]

    def sent(**headers: str) -> int:
        return browser.post("/search/leave", base_url=site, headers={"X-CSRFToken": token, **headers}).status_code

    assert sent(Referer=f"{site}/play") == 303
    assert sent(Referer=f"{site}/play") == 303
    assert sent() == 400
    assert sent(Referer="https://play.example.org.evil.example/") == 400


def test_a_remembered_cookie_is_not_shared_between_requests(app: Flask) -> None:
    browser = signed_in.client(app, "mira")
    cookie = browser.get_cookie("guessio")
    assert cookie is not None
    browser.get("/profile")
    signed_in.post(browser, "/sign-out")
    with app.test_request_context("/", headers={"Cookie": f"guessio={cookie.value}"}):
        session["account"] = 999
    with app.test_request_context("/", headers={"Cookie": f"guessio={cookie.value}"}):
        assert session["account"] != 999
