"""Every route of the site against what strangers, forged requests and broken clients may send. New routes are covered by being there.

What belongs to a single noun is proved with it (tests/web); CSRF for every form in tests/web/test_security.py.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from guessio.engine import duel
from guessio.engine.duel import Agreement
from guessio.engine.duel import NewSeat as Duellist
from guessio.rules.terms import DuelFormat, SeatNo, SecretRule, TableId, TableKind
from guessio.services import results, tables
from guessio.web import limits, security
from tests.kit import signed_in
from tests.kit.fake_clock import FakeClock
from tests.web.test_matches import PLAYERS, At, M

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
DUEL = TableId("d-1")
NOWHERE = "no-such-thing"
# Arguments whose pages are for everybody who knows the address: names, files, and offers, which are made to be passed on.
OPEN = frozenset({"username", "given", "filename", "offer"})
OWNED = frozenset({"match", "duel"})
# What asks the identity provider, which isn't there: see tests/web/test_accounts_attacks.py. And what would end the session.
APART = frozenset({"/sign-in", "/sign-in/callback", "/sign-out"})


@pytest.fixture
def world(fake_clock: FakeClock, app: Flask) -> At:
    """A match in play, and a duel of the same two players."""
    results.start()
    at = At(app, fake_clock).to_turn()
    at.guess(0, "5678")
    agreed = Agreement(60_000, 4, SecretRule.REPEATS, DuelFormat.PER_POSITION)
    seats = tuple(Duellist(signed_in.new_account(name), name, name) for name in PLAYERS[:2])
    deal = duel.draw(lambda _: 0, lambda size: "ab" * size, SeatNo(0))
    step = duel.new(DUEL, agreed, (seats[0], seats[1]), deal, fake_clock.now_ms)
    tables.create(TableKind.DUEL, step.state, step.events)
    return at


def rules(app: Flask, method: str) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def path_of(rule: Rule, thing: str) -> str:
    return re.sub(r"<[^>]+>", thing, rule.rule)


def without_numbers(answer: TestResponse) -> str:
    """The answer's text without what differs from one second to the next: the form's token, wherever it stands."""
    token = answer.text.partition('"X-CSRFToken": "')[2].partition('"')[0]
    return answer.text.replace(token, "") if token else answer.text


def asked(browser: FlaskClient, method: str, path: str, token: str) -> TestResponse:
    answer = browser.open(path, method=method, data={} if method == "POST" else None, headers={"X-CSRFToken": token}, buffered=False)
    if answer.mimetype == "text/event-stream":
        answer.close()
    return answer


# --- whose is it --------------------------------------------------------------------------------------------------------


def test_every_argument_of_an_address_is_known_here(app: Flask) -> None:
    """A new kind of thing must be declared open, or be added to the world of these tests."""
    arguments = {argument for rule in app.url_map.iter_rules() for argument in rule.arguments}
    assert arguments <= OPEN | OWNED


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("state", ["in play", "over"])
def test_what_is_somebody_elses_looks_like_nothing(world: At, method: str, state: str) -> None:
    """IDOR, requirement 41: whatever the route, a stranger can't tell another's match or duel from one that never was."""
    if state == "over":
        world.send(0, "forfeit")
        world.pass_time(60_000)
    stranger = signed_in.client(world.app, "zoe_z")
    token = signed_in.csrf(stranger, "/play")
    before = {table: tables.load(table) for table in (M, DUEL)}
    asked_for = 0
    for rule in rules(world.app, method):
        if rule.arguments & OWNED:
            nothing = asked(stranger, method, path_of(rule, NOWHERE), token)
            assert nothing.status_code == 404, rule
            for thing in (M, DUEL):
                found = asked(stranger, method, path_of(rule, thing), token)
                assert (found.status_code, without_numbers(found)) == (404, without_numbers(nothing)), (rule, thing)
                asked_for += 1
    assert asked_for >= 8
    assert {table: tables.load(table) for table in (M, DUEL)} == before


def test_nobodys_stream_shows_somebody_elses_table(world: At) -> None:
    stranger = signed_in.client(world.app, "zoe_z")
    for table in (M, DUEL, NOWHERE):
        for query in (f"table={table}", f"table={table}&v=1", f"table={NOWHERE}&table={table}"):
            answer = stranger.get(f"/live?{query}")
            assert answer.status_code == 404, query


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_guests_get_nowhere_but_to_what_is_for_guests(world: At, method: str) -> None:
    guest = world.app.test_client()
    token = signed_in.csrf(guest)
    for_guests = {"/", "/u/<username>", "/sign-in", "/sign-in/callback", "/sign-out", "/username", "/healthz", "/readyz", "/metrics"}
    for rule in rules(world.app, method):
        if rule.rule not in for_guests and "static" not in rule.rule:
            assert asked(guest, method, path_of(rule, M), token).status_code == 401, rule


def test_a_form_cannot_say_who_acts(world: At) -> None:
    """Forged events: whoever sends is who the session says, whatever else the form, the query or a header claims."""
    other = signed_in.new_account(PLAYERS[0])
    claims = {
        "actor": other,
        "account": other,
        "account_id": other,
        "seat_no": 0,
        "user": PLAYERS[0],
        "username": PLAYERS[0],
        "_user_id": other,
    }
    turn = world.state.turn
    assert turn is not None
    assert turn.seat == 1
    world.guess(1, "8765")
    before = world.state
    answer = world.send(1, "guess", turn=turn.number + 1, guess="4321", **claims)
    assert answer.status_code == 422
    query = "&".join(f"{name}={value}" for name, value in claims.items())
    headers = {
        "X-CSRFToken": world.tokens[1],
        "X-Forwarded-User": PLAYERS[0],
        "X-Remote-User": PLAYERS[0],
        "Remote-User": PLAYERS[0],
        **HTMX,
    }
    answer = world.browsers[1].post(f"/match/{M}/guess?{query}", data={"turn": turn.number + 1, "guess": "4321"}, headers=headers)
    assert answer.status_code == 422
    world.send(1, "forfeit", **claims)
    assert world.state.rounds[0].guesses == before.rounds[0].guesses
    assert [seat.left_ms is not None for seat in world.state.seats] == [False, True]


def test_fields_count_in_the_body_alone(world: At) -> None:
    """A link can't carry a command."""
    turn = world.state.turn
    assert turn is not None
    headers = {"X-CSRFToken": world.tokens[1], **HTMX}
    answer = world.browsers[1].post(f"/match/{M}/guess?turn={turn.number}&guess=8765", headers=headers)
    assert answer.status_code == 409
    assert len(world.state.rounds[0].guesses) == 1


# --- broken and odd requests --------------------------------------------------------------------------------------------

ODD_FIELDS = [
    {},
    {"turn": "NaN", "guess": "\x00\x00\x00\x00", "skill": "\x00", "target": "-1", "username": "\x00", "page": "\x00", "tab": "\x00"},
    {"turn": "9" * 400, "guess": "9" * 4000, "skill": "x" * 4000, "target": "9" * 400, "players": "9" * 400, "clock": "9" * 400},
    {"turn": ["1", "2"], "guess": ["1234", "5678"], "type": ["casual", "ranked"], "players": ["2", "3"]},
    {
        "turn[]": "1",
        "guess[$ne]": "1",
        "__proto__": "x",
        "type": "casual'; DROP TABLE accounts; --",
        "difficulty": "${7*7}",
        "secret": "{{7}}",
    },
    {
        "turn": "١",
        "guess": "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        "secret": "\u202e1234",
        "username": "\u0000\u202e",
    },
]


@pytest.mark.db
@pytest.mark.parametrize("number", range(len(ODD_FIELDS)))
def test_odd_fields_never_break_anything(world: At, number: int) -> None:
    for rule in rules(world.app, "POST"):
        if rule.rule in APART:
            continue
        for thing in (M, DUEL):
            answer = world.browsers[1].post(path_of(rule, thing), data=ODD_FIELDS[number], headers={"X-CSRFToken": world.tokens[1], **HTMX})
            assert answer.status_code < 500, (rule, answer.status_code)


ODD_IDS = [
    "%00",
    "%0d%0aSet-Cookie:%20x=1",
    "%F0%9F%98%80",
    "%ff%fe",
    "..%2f..%2fetc",
    "'",
    "%27%20OR%201=1--",
    "a" * 3000,
    "<script>",
    "-1",
    "%20",
]


@pytest.mark.db
@pytest.mark.parametrize("thing", ODD_IDS)
def test_odd_names_in_an_address_lead_nowhere(world: At, thing: str) -> None:
    """Also on Postgres, whose texts hold no NUL; and none of it comes back in a header."""
    for method in ("GET", "POST"):
        for rule in rules(world.app, method):
            if rule.arguments:
                answer = asked(world.browsers[0], method, path_of(rule, thing), world.tokens[0])
                assert answer.status_code in (404, 422), (rule, answer.status_code)
                assert "Set-Cookie: x" not in str(answer.headers)
                assert "<script>" not in answer.text.replace('<script type="module"', "").replace("<script src", "")


@pytest.mark.db
@pytest.mark.parametrize("value", ["%00", "a" * 3000, "%ff", "-1", "9" * 40, "%0d%0ax:y", "[]"])
def test_odd_queries_never_break_anything(world: At, value: str) -> None:
    names = (
        "table",
        "v",
        "tab",
        "page",
        "offer",
        "filter",
        "next",
        "type",
        "difficulty",
        "players",
        "clock",
        "length",
        "repeats",
        "format",
    )
    query = "&".join(f"{name}={value}" for name in names)
    for rule in rules(world.app, "GET"):
        if "static" not in rule.rule and rule.rule not in APART:
            answer = asked(world.browsers[0], "GET", f"{path_of(rule, M)}?{query}", world.tokens[0])
            assert answer.status_code < 500, (rule, answer.status_code)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"turn": 2, "guess": "8765"}', "application/json"),
        (b"turn=2&guess=8765", "text/plain"),
        (b"<x/>", "application/xml"),
        (b"turn=2&guess=8765", "application/x-www-form-urlencoded; charset=utf-16"),
        (b'--b\r\nContent-Disposition: form-data; name="guess"; filename="x"\r\n\r\n8765\r\n--b--\r\n', "multipart/form-data; boundary=b"),
        (b"--b\r\n", "multipart/form-data"),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
        (b"turn=2&guess=8765", ""),
    ],
)
def test_other_kinds_of_bodies_never_break_anything(world: At, body: bytes, kind: str) -> None:
    for rule in rules(world.app, "POST"):
        if rule.rule in APART or rule.rule.endswith(("/forfeit", "/resign")):
            continue
        headers = {"X-CSRFToken": world.tokens[1], "Content-Type": kind, **HTMX}
        answer = world.browsers[1].post(path_of(rule, M), data=body, headers=headers)
        assert answer.status_code < 500, (rule, answer.status_code)


def test_every_form_has_its_limit(world: At) -> None:
    """A route without fields reads no body at all."""
    refused: set[str] = set()
    for rule in rules(world.app, "POST"):
        if rule.rule not in APART:
            status, _ = oversized(world, rule, {})
            assert status < 500, rule
            refused |= {rule.rule} if status == 413 else set()
    assert refused >= {"/search", "/duels", *(f"/match/<match>/{what}" for what in ("guess", "skill", "pick"))}


def test_of_a_body_without_a_length_no_more_is_read_than_of_one_with(world: At) -> None:
    for rule in rules(world.app, "POST"):
        if rule.rule not in APART:
            status, read = oversized(world, rule, {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"})
            assert status < 500, rule
            assert read <= security.BODY_MAX_BYTES, rule


def oversized(world: At, rule: Rule, environ: dict[str, object]) -> tuple[int, int]:
    """Send ten times too much; the status, and how much of it was read."""
    body = io.BytesIO(b"guess=" + b"1" * (10 * security.BODY_MAX_BYTES))
    answer = world.browsers[0].post(
        path_of(rule, M),
        input_stream=body,
        content_length=len(body.getvalue()),
        content_type="application/x-www-form-urlencoded",
        headers={"X-CSRFToken": world.tokens[0]},
        environ_overrides=environ,
    )
    return answer.status_code, body.tell()


def test_methods_are_what_the_routes_say(world: At) -> None:
    browser, token = world.browsers[0], world.tokens[0]
    for rule in world.app.url_map.iter_rules():
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"):
            answer = browser.open(path_of(rule, M), method=method, headers={"X-CSRFToken": token})
            assert answer.status_code == 405, (rule, method)


def test_a_form_is_never_sent_by_a_link(world: At) -> None:
    """Method confusion: a GET or HEAD stays one, whatever a header or field calls it."""
    before = world.state
    browser = world.browsers[0]
    gets = {rule.rule for rule in rules(world.app, "GET")}
    for rule in rules(world.app, "POST"):
        for method in ("GET", "HEAD"):
            headers = {"X-HTTP-Method-Override": "POST", "X-Method-Override": "POST", "X-CSRFToken": world.tokens[0]}
            answer = browser.open(f"{path_of(rule, M)}?_method=POST", method=method, headers=headers)
            assert answer.status_code == 405 or rule.rule in gets, rule
    assert world.state == before
    assert browser.get("/profile").status_code == 200


# --- addresses and headers of the client's choosing ---------------------------------------------------------------------


@pytest.fixture
def limited(fake_clock: FakeClock, tmp_path: Path) -> Iterator[Flask]:
    """An application that counts requests."""
    yield signed_in.fresh_app(tmp_path, GUESSIO_LIMITS="on")
    limits.install(Flask("unlimited"), False)


def hammered(app: Flask, monkeypatch: pytest.MonkeyPatch, forwarded: list[str]) -> list[int]:
    monkeypatch.setattr(limits, "EVERYTHING", 5)
    browser = app.test_client()
    return [
        browser.get("/sign-in", headers={"X-Forwarded-For": one, "X-Real-IP": one, "Forwarded": f"for={one}"}).status_code
        for one in forwarded
    ]


def test_a_made_up_address_evades_no_limit(limited: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requirement 45, without a proxy: the header is anybody's, and counts for nothing."""
    assert hammered(limited, monkeypatch, [f"203.0.113.{n}" for n in range(7)])[-2:] == [429, 429]


def test_behind_a_proxy_the_address_that_it_saw_counts(fake_clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the client wrote before it does not."""
    oidc = {"OIDC_CLIENT_ID": "x", "OIDC_CLIENT_SECRET": "y"}
    app = signed_in.fresh_app(tmp_path, GUESSIO_LIMITS="on", GUESSIO_PROXIES="1", **oidc)
    made_up = [f"203.0.113.{n}, 198.51.100.7" for n in range(7)]
    assert hammered(app, monkeypatch, made_up)[-2:] == [429, 429]
    assert hammered(app, monkeypatch, ["198.51.100.8"]) == [200]
    limits.install(Flask("unlimited"), False)


@pytest.mark.parametrize("proxies", ["0", "1"])
def test_no_header_changes_the_sites_name(tmp_path: Path, proxies: str) -> None:
    """A proxy hands the host on as `Host`; one that doesn't know of X-Forwarded-Host passes on what the client wrote there."""
    oidc = {"OIDC_CLIENT_ID": "x", "OIDC_CLIENT_SECRET": "y"}
    app = signed_in.fresh_app(tmp_path, GUESSIO_PROXIES=proxies, **oidc)
    app.add_url_rule("/who", "who", lambda: __import__("flask").request.url)
    forged = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil", "X-Forwarded-Port": "666", "X-Host": "evil.example"}
    assert app.test_client().get("/who", headers=forged).text == "http://localhost/who"


def test_the_way_back_is_on_this_site_wherever_the_request_says_it_came_from(world: At) -> None:
    """Open redirect: pages that lead back take no address from a header."""
    for source in (
        "https://evil.example/play",
        "//evil.example",
        "javascript:alert(1)",
        "http://localhost@evil.example/",
        "http://localhost:666/x",
    ):
        answer = world.browsers[0].post("/search", headers={"Referer": source, "HX-Current-URL": source, **HTMX})
        assert answer.status_code == 400
        assert 'href="/"' in answer.text
        assert "evil" not in answer.text + str(answer.headers)
        assert "javascript:" not in answer.text


def test_the_clients_number_of_a_request_is_not_ours(app: Flask) -> None:
    answer = app.test_client().get("/sign-in", headers={"X-Request-Id": "forged"})
    assert "forged" not in str(answer.headers) + answer.text


def test_redirects_stay_on_this_site(world: At) -> None:
    """Every redirect that any GET of a signed-in person gives is a path."""
    for rule in rules(world.app, "GET"):
        for query in ("", "?next=//evil.example", "?next=https://evil.example/"):
            answer = asked(world.browsers[0], "GET", path_of(rule, M) + query, world.tokens[0])
            target = answer.headers.get("Location", "/")
            assert target.startswith("/"), rule
            assert not target.startswith("//"), rule
