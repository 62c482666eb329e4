"""`GET /live` and `POST /live/left` over HTTP: who may listen, with which headers, and when it ends."""

from __future__ import annotations

import gc
import socket
import weakref
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import gevent
import gevent.socket
import pytest
from flask import Flask, request, request_started
from flask.testing import FlaskClient
from gunicorn.config import Config
from gunicorn.glogging import Logger
from sqlalchemy.pool import QueuePool
from werkzeug.test import TestResponse, create_environ

from guessio.live import hub
from guessio.rules import tunables
from guessio.rules.terms import AccountId, TableId, TableKind
from guessio.services import sessions, tables
from guessio.store import database
from guessio.web import live
from tests.kit import signed_in
from tests.kit.builders import START_MS, a_match
from tests.kit.fake_clock import FakeClock

M1 = TableId("m1")


@pytest.fixture
def ada(fake_clock: FakeClock, app: Flask) -> FlaskClient:
    """The browser of somebody who sits at table m1."""
    browser = signed_in.client(app, "ada")
    dealt = a_match(at_ms=START_MS)
    first = replace(dealt.seats[0], account=signed_in.new_account("ada"))
    tables.create(TableKind.MATCH, replace(dealt, id=M1, seats=(first, *dealt.seats[1:])))
    return browser


@pytest.fixture
def listen(ada: FlaskClient) -> Iterator[Any]:
    """Opens streams that end with the test."""
    opened: list[TestResponse] = []

    def open_stream(path: str, browser: FlaskClient = ada, **headers: str) -> TestResponse:
        answer = browser.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}, buffered=False)
        opened.append(answer)
        return answer

    yield open_stream
    for answer in opened:
        answer.close()


def read(answer: TestResponse) -> str:
    return next(iter(answer.response)).decode()


def test_while_a_stream_waits_nothing_is_left_of_its_request_but_what_an_access_log_tells(ada: FlaskClient, app: Flask) -> None:
    cookie = ada.get_cookie("guessio")
    assert cookie is not None
    headers = {"Cookie": f"guessio={cookie.value}", "User-Agent": "a browser", "Referer": "http://localhost/play"}
    environ = create_environ("/live", headers=headers, environ_overrides={"RAW_URI": "/live"})
    views: list[Any] = []
    told: list[Any] = []
    with request_started.connected_to(lambda _sender: views.append((gevent.getcurrent(), weakref.ref(request._get_current_object())))):
        body = app.wsgi_app(environ, lambda status, headers: told.append((status, dict(headers))))
    [(greenlet, kept)] = views
    gc.collect()
    assert told[0][0] == "200 OK"
    assert kept() is None
    assert greenlet is not gevent.getcurrent()
    assert greenlet.dead
    assert "HTTP_COOKIE" not in environ
    answer = SimpleNamespace(status="200 OK", headers=[], sent=0)
    atoms = Logger(Config()).atoms(answer, SimpleNamespace(headers=[]), environ, timedelta(seconds=1))
    assert (atoms["r"], atoms["a"], atoms["f"]) == ("GET /live HTTP/1.1", "a browser", "http://localhost/play")
    assert b"retry" in next(iter(body))
    body.close()


def test_a_stream_is_not_kept_nor_buffered_on_its_way(listen: Any) -> None:
    answer = listen("/live")
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    assert "no-cache" in answer.headers["Cache-Control"]
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["X-App-Version"]
    assert "Content-Length" not in answer.headers


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system ends silent connections in its own time")
def test_a_line_that_answers_nothing_is_given_up_soon(ada: FlaskClient) -> None:
    """R5.1: a phone that fell asleep closes nothing; what it leaves unanswered ends the connection well within the grace (R7.1)."""
    line, other = socket.socket(), socket.socket()
    with line, other:
        answer = ada.get("/live", buffered=False, environ_overrides={"gunicorn.socket": line})
        assert 0 < line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) < tunables.AWAY_GRACE_MS
        assert other.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 0
        answer.close()


class Answer:
    """An app server's answer whose body goes out in chunks, or at its given length."""

    def __init__(self, *, chunked: bool) -> None:
        self.chunked = chunked
        self.written: list[bytes] = []

    def write(self, octets: bytes) -> None:
        self.written.append(octets)


def test_more_of_an_answer_in_chunks_is_written_as_a_chunk() -> None:
    """RFC 9112, 7.1."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        live.chunk_writer(ours, Answer(chunked=True).write)("seven é".encode())
        assert theirs.recv(100) == b"8\r\nseven \xc3\xa9\r\n"


def test_a_chunk_that_the_line_takes_in_parts_arrives_whole() -> None:
    ours, theirs = gevent.socket.socketpair()
    message = b"x" * 1_000_000
    with ours, theirs:
        writing = gevent.spawn(live.chunk_writer(ours, Answer(chunked=True).write), message)
        arrived = b""
        while not arrived.endswith(b"\r\n") or len(arrived) < len(message):
            arrived += theirs.recv(1 << 16)
        writing.get()
    assert arrived == b"f4240\r\n" + message + b"\r\n"


def test_an_answer_that_is_framed_otherwise_is_left_to_the_app_server() -> None:
    """HTTP/1.0 knows no chunks."""
    answer = Answer(chunked=False)
    with socket.socket() as line:
        live.chunk_writer(line, answer.write)(b"plain")
        other: list[bytes] = []
        live.chunk_writer(line, other.append)(b"no word of it")
    assert (answer.written, other) == ([b"plain"], [b"no word of it"])


def test_open_streams_hold_no_connection_to_the_database(listen: Any) -> None:
    """Requirement 33."""
    for _ in range(3):
        assert read(listen(f"/live?table={M1}&v=0"))
    pool = database.engine().pool
    assert isinstance(pool, QueuePool)
    assert pool.checkedout() == 0


@pytest.mark.parametrize(("headers", "is_behind"), [({}, False), ({"Last_Event_ID": "1"}, False), ({"Last_Event_ID": "0"}, True)])
def test_a_page_is_shown_what_it_lacks_and_the_last_id_counts_more_than_the_address(
    listen: Any, headers: dict[str, str], is_behind: bool
) -> None:
    text = read(listen(f"/live?table={M1}&v=1", **headers))
    assert text.startswith("retry: ")
    assert ('hx-target="#table"' in text) is is_behind
    assert ("id: 1\n" in text) is is_behind


@pytest.mark.parametrize("given", ["-1", "x", "1" * 10, "²", " 1"])
def test_a_version_that_is_none_shows_the_whole(listen: Any, given: str) -> None:
    assert 'hx-target="#table"' in read(listen(f"/live?table={M1}&v={given}"))


def test_a_guest_hears_nothing(app: Flask, ada: FlaskClient) -> None:
    assert app.test_client().get("/live").status_code == 401


def test_whoever_has_no_seat_learns_nothing_of_a_table(app: Flask, listen: Any) -> None:
    stranger = signed_in.client(app, "stranger")
    answers = [listen(f"/live?table={table}", stranger) for table in (M1, "nowhere")]
    assert [answer.status_code for answer in answers] == [404, 404]


def test_asking_for_the_head_opens_no_stream(ada: FlaskClient) -> None:
    assert ada.head("/live").status_code == 200
    assert hub.all_streams() == []


def test_signing_in_elsewhere_ends_the_stream(listen: Any) -> None:
    answer = listen("/live")
    body = iter(answer.response)
    next(body)
    sessions.start(AccountId(signed_in.new_account("ada")))
    assert next(body) == b"event: signed-out\ndata: replaced\n\n"
    assert list(body) == []
    assert hub.all_streams() == []


def test_a_stream_beats_as_long_as_its_session_runs(listen: Any, fake_clock: FakeClock) -> None:
    body = iter(listen("/live").response)
    next(body)
    hub.beat(hub.all_streams())
    assert b"event: beat" in next(body)
    fake_clock.advance(sessions.LIFETIME_MS)
    hub.beat(hub.all_streams())
    assert next(body) == b"event: signed-out\ndata: expired\n\n"


def test_a_page_that_closes_says_so(listen: Any, ada: FlaskClient) -> None:
    read(listen("/live?tab=t1"))
    assert signed_in.post(ada, "/live/left", {"tab": "other"}).status_code == 204
    assert len([stream for stream in hub.all_streams() if not stream.is_ended]) == 1
    assert signed_in.post(ada, "/live/left", {"tab": "t1"}).status_code == 204
    assert [stream for stream in hub.all_streams() if not stream.is_ended] == []


def test_saying_so_needs_the_pages_token(ada: FlaskClient) -> None:
    assert ada.post("/live/left", data={"tab": "t1"}).status_code == 400


def test_a_process_that_ends_asks_to_come_back(app: Flask, ada: FlaskClient) -> None:
    hub.stop()
    answer = ada.get("/live")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"
    hub.start(app)
