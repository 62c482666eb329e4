"""A thin HTTP client for load: one kept connection, a cookie jar of one server, streams as raw bytes. Runs under gevent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from gevent import socket
from gevent.event import Event

FORM = "application/x-www-form-urlencoded"
TOKEN = re.compile(rb'"X-CSRFToken": "([^"]+)"')
TURN = re.compile(rb'id="pad-turn" data-turn="(\d+)"([^>]*)>')
CAN_GUESS = b"data-can-guess"
FIELD = re.compile(rb'name="csrf_token" value="([^"]+)"')


@dataclass
class Answer:
    """A whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Browser:
    """One person's connection."""

    host: str
    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""
    _file: Any = None
    _socket: Any = None

    def request(self, method: str, path: str, form: dict[str, str] | None = None, *, htmx: bool = False) -> Answer:
        """Send and read the answer to its end; a connection that the server has closed is opened anew."""
        data = self.encode(method, path, form, htmx=htmx)
        for attempt in (1, 2):
            try:
                return self.exchange(data)
            except (ConnectionError, ValueError):
                self.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def encode(self, method: str, path: str, form: dict[str, str] | None = None, *, htmx: bool = False) -> bytes:
        """The bytes of a request."""
        body = urlencode(form or {}).encode() if method == "POST" else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if method == "POST":
            lines += [f"Content-Type: {FORM}", f"Content-Length: {len(body)}"]
        if htmx:
            lines += ["HX-Request: true", f"X-CSRFToken: {self.token}"]
        return "\r\n".join((*lines, "", "")).encode() + body

    def exchange(self, data: bytes) -> Answer:
        """Send bytes made by `encode` and read the answer."""
        if self._socket is None:
            self._socket = connect(self.host, self.port)
            self._file = self._socket.makefile("rb")
        self._socket.sendall(data)
        status, headers = read_head(self._file, self.cookies)
        body = b""
        if status != 204:
            is_chunked = headers.get("transfer-encoding") == "chunked"
            body = read_chunks(self._file) if is_chunked else self._file.read(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, headers, body)

    def follow(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[str, Answer]:
        """A request with its redirects, as a page load does; the path where it ended, and the page. Keeps the page's token."""
        answer = self.request(method, path, form)
        while answer.status in (301, 302, 303):
            parts = urlsplit(answer.headers["location"])
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            answer = self.request("GET", path)
        found = TOKEN.search(answer.body.replace(b"&#34;", b'"')) or FIELD.search(answer.body)
        if found:
            self.token = found[1].decode()
        return path, answer

    def close(self) -> None:
        """Drop the connection."""
        if self._socket is not None:
            self._socket.close()
        self._socket = self._file = None


@dataclass
class Stream:
    """A page's stream. `version` is the newest that came; `arrived` is set at each message that carries one."""

    browser: Browser
    path: str
    version: int = 0
    messages: int = 0
    octets: int = 0
    turn: int = 0
    """The turn that the page shows, and whether it is one's own."""
    can_guess: bool = False
    is_over: bool = False
    arrived: Event = field(default_factory=Event)
    is_open: Event = field(default_factory=Event)
    _socket: Any = None

    def run(self) -> None:
        """Read until the server or `close` ends it."""
        browser = self.browser
        self._socket = connect(browser.host, browser.port)
        lines = [f"GET {self.path} HTTP/1.1", f"Host: {browser.host}:{browser.port}", "Accept: text/event-stream"]
        lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in browser.cookies.items()))
        self._socket.sendall("\r\n".join((*lines, "", "")).encode())
        file = self._socket.makefile("rb")
        status, _ = read_head(file, {})
        if status != 200:
            raise ConnectionError(f"{self.path} answered {status}")
        self.is_open.set()
        rest = b""
        while True:
            size = int(file.readline() or b"0", 16)
            if not size:
                return
            *blocks, rest = (rest + file.read(size)).split(b"\n\n")
            self.octets += size
            file.readline()
            for block in blocks:
                self._take(block)

    def _take(self, block: bytes) -> None:
        if block.startswith(b":") or b"event:" in block[:40] or b"\nevent:" in block:
            return
        at = block.find(b"id:")
        if at < 0 or (at and block[at - 1 : at] != b"\n"):
            return
        self.version = int(block[at + 3 :].split(b"\n", 1)[0])
        self.messages += 1
        found = TURN.search(block)
        if found:
            self.turn, self.can_guess = int(found[1]), CAN_GUESS in found[2]
        self.is_over = self.is_over or b'data-phase="over"' in block
        self.arrived.set()

    def wait_for(self, version: int, timeout_s: float) -> bool:
        """Wait until at least `version` has come."""
        while self.version < version:
            self.arrived.clear()
            if not self.arrived.wait(timeout_s):
                return False
        return True

    def close(self) -> None:
        """End it."""
        if self._socket is not None:
            self._socket.close()


def connect(host: str, port: int) -> socket.socket:
    """A connection without delay for small packets."""
    made = socket.create_connection((host, port))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def read_head(file: Any, cookies: dict[str, str]) -> tuple[int, dict[str, str]]:
    """Status and headers; cookies that are set go into the jar."""
    first = file.readline()
    if not first:
        raise ConnectionError("closed")
    headers: dict[str, str] = {}
    while True:
        line = file.readline().decode("latin-1").strip()
        if not line:
            return int(first.split(b" ", 2)[1]), headers
        name, _, value = line.partition(":")
        if name.lower() == "set-cookie":
            key, _, content = value.strip().split(";", 1)[0].partition("=")
            cookies[key] = content
        headers[name.lower()] = value.strip()


def read_chunks(file: Any) -> bytes:
    """A chunked body to its end."""
    body = b""
    while True:
        size = int(file.readline(), 16)
        body += file.read(size)
        file.readline()
        if not size:
            return body
