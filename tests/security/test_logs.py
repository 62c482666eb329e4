"""Nothing private ever reaches a log: not in what is written on purpose, and not in the words of failures."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, request
from sqlalchemy.exc import IntegrityError

from guessio import config
from guessio.services import pace, sessions, tables
from guessio.store import database, schema
from guessio.web import logs
from tests.kit import provider as providers
from tests.kit import signed_in
from tests.kit.fake_clock import FakeClock
from tests.kit.provider import CLIENT_SECRET, Provider
from tests.kit.server import Server
from tests.test_config import GOOD
from tests.web.test_matches import At

TOKEN = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """All that a production server would write, at its most talkative."""
    written = io.StringIO()
    logger = logging.getLogger("guessio")
    level = logger.level

    def divert() -> None:
        logger.setLevel("DEBUG")
        assert logs._handler is not None
        monkeypatch.setattr(logs._handler, "stream", written)
        logs._handler.setFormatter(logs.JsonLines())

    written.divert = divert  # type: ignore[attr-defined]
    yield written
    logger.setLevel(level)


def diverted(log: io.StringIO) -> None:
    log.divert()  # type: ignore[attr-defined]


# --- cleaning -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("mail to mira.k+x@mail.example.org now", "mail to (hidden) now"),
        ("postgresql://guessio:hunter2@db.example/x", "postgresql://(hidden)@db.example/x"),
        (f"token {TOKEN}.", "token (hidden)."),
        (f"a nonce {'0af3' * 8} here", "a nonce (hidden) here"),
        ("duplicate key\nDETAIL:  Key (email)=(m@x) already exists.\nmore", "duplicate key\nDETAIL: (hidden)\nmore"),
        ("GET /match/kq3Zr_9-xYtV0abc/guess 204", "GET /match/kq3Zr_9-xYtV0abc/guess 204"),
        ("a user @ home and 1.5@2", "a user @ home and 1.5@2"),
    ],
)
def test_what_no_log_may_hold_is_taken_out(text: str, cleaned: str) -> None:
    assert logs.clean(text) == cleaned


@pytest.mark.parametrize("kind", ["development", "production"])
def test_failures_are_cleaned_in_both_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    here = {"DATABASE_URL": f"sqlite:///{tmp_path}/p.sqlite3"}
    settings = config.read({**GOOD, **here} if kind == "production" else {"GUESSIO_INSTANCE": str(tmp_path)})
    logs.start(settings)
    written = io.StringIO()
    monkeypatch.setattr(logs._handler, "stream", written)
    try:
        raise RuntimeError(f"no account for private@example.org with {TOKEN}")
    except RuntimeError:
        logging.getLogger("guessio.web").exception("failed for other@example.org")
        logging.getLogger("some.library").warning("a library knows third@example.org")
    text = written.getvalue()
    assert text.count("(hidden)") >= 4
    assert "example.org" not in text
    assert "Traceback" in text
    if kind == "production":
        assert [json.loads(line)["level"] for line in text.splitlines()] == ["error", "warning"]


@pytest.mark.db
def test_what_was_to_be_stored_stays_out_of_the_log(app: Flask, log: io.StringIO) -> None:
    diverted(log)
    row = {"email": "private@example.org", "username": None, "username_key": "key", "display_name": "somebody", "created_ms": 1}
    try:
        with database.write() as conn:
            conn.execute(schema.accounts.insert().values(row))
    except IntegrityError:
        logging.getLogger("guessio.store").exception("storing failed")
    assert "storing failed" in log.getvalue()
    for private in ("private", "somebody"):
        assert private not in log.getvalue()


# --- a whole visit ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """The demo provider on a port of its own."""
    with providers.running() as running:
        yield running


def test_a_sign_in_leaves_nothing_private_in_the_log(provider: Provider, tmp_path: Path, log: io.StringIO) -> None:
    app = signed_in.fresh_app(tmp_path, **provider.settings)
    diverted(log)
    app.testing = False
    app.add_url_rule("/explode", "explode", lambda: {}[request.cookies["guessio"]])
    browser = app.test_client()
    back = provider.choose(provider.leave(browser), person="mira")
    browser.get(providers.path_of(back).replace("state=", "state=x"))
    back = provider.choose(provider.leave(browser), person="mira")
    browser.get(providers.path_of(back))
    signed_in.post(browser, "/username", {"username": "mira_k"})
    cookie = browser.get_cookie("guessio")
    assert cookie is not None
    with browser.session_transaction() as kept:
        token = kept["_user_id"]
    browser.get("/explode?q=hunter2")
    text = log.getvalue()
    assert "GET /sign-in/callback 303" in text
    assert "KeyError" in text
    private = [cookie.value.strip(".").split(".")[0], token, sessions.hash_of(token), "hunter2", CLIENT_SECRET, signed_in.SECRET, "@"]
    private += [value for part in back.partition("?")[2].split("&") if len(value := part.partition("=")[2]) > 8]
    assert len(private) > 8
    for one in private:
        assert one not in text


def test_a_match_leaves_no_digits_in_the_log(fake_clock: FakeClock, app: Flask, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    diverted(log)
    app.testing = False
    at = At(app, fake_clock).to_turn()
    at.guess(0, "5678")
    at.guess(0, "6789", turn=1)
    at.guess(1, "77")
    monkeypatch.setattr(tables, "_save", lambda *_: 1 / 0)
    assert at.guess(1, "8765").status_code == 500
    text = log.getvalue()
    assert "ZeroDivisionError" in text
    assert "POST /match/m-1/guess 204" in text
    for digits in ("5678", "6789", "8765", *at.state.deal.codes, *at.state.deal.nonces, at.state.deal.seed):
        assert digits not in text


def test_a_slow_command_is_a_warning(fake_clock: FakeClock, app: Flask, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    diverted(log)
    at = At(app, fake_clock).to_turn()
    monkeypatch.setattr(pace, "SLOW_S", 0.0)
    at.guess(0, "5678")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    slow = [line for line in lines if "slow command" in line["message"]]
    assert [line["level"] for line in slow] == ["warning"]
    assert slow[0]["message"].startswith("a slow command: SubmitGuess at table m-1 took ")
    assert slow[0]["request_id"] in {line["request_id"] for line in lines if "/guess" in line["message"]}


def test_a_slow_answer_is_a_warning(fake_clock: FakeClock, app: Flask, log: io.StringIO) -> None:
    def slow() -> str:
        fake_clock.advance(logs.SLOW_MS)
        return "done"

    app.add_url_rule("/slow", "slow", slow)
    diverted(log)
    app.test_client().get("/slow")
    line = json.loads(log.getvalue().splitlines()[-1])
    assert (line["level"], line["message"]) == ("warning", f"GET /slow 200 in {logs.SLOW_MS} ms")


@pytest.mark.live
def test_a_server_at_its_most_talkative_prints_nothing_private(server: Server) -> None:
    """The real process: its server, its libraries and itself, from sign-in to a guess."""
    server.kill()
    server.settings["GUESSIO_LOG"] = "debug"
    server.start()
    with server.player("mira") as mira, server.player("nova") as nova:
        for person in (mira, nova):
            person.search("casual", "standard", 2)
        for person in (mira, nova):
            person.wait_for(lambda person=person: bool(person.match_id), "the match")
        mira.post("/search", {"type": "casual"}, token=False)
        cookies = [cookie.value or "" for person in (mira, nova) for cookie in person.wire.http.cookies]
    assert "POST /search 303" in server.log
    secret = (server.instance / "secret_key").read_text()
    for private in (*cookies, secret, mira.csrf_token, "@"):
        assert private
        assert private not in server.log
