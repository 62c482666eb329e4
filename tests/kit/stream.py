"""The one event stream of a player's page: read in a thread of its own, reconnecting until the page is closed."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import requests

SILENCE_S = 40.0
RETRY_S = 0.2


class Page(Protocol):
    """What a stream needs of the page that it belongs to. All of it may be called from the stream's thread."""

    def stream_answered(self, response: requests.Response, body: bytes) -> None:
        """The server has answered the request for a stream."""
        ...

    def stream_sent(self, chunk: bytes) -> None:
        """Bytes have come, as they are."""
        ...

    def stream_opened(self, stream: Stream, *, again: bool) -> bool:
        """The stream is open; whether to go on reading it."""
        ...

    def stream_refused(self, stream: Stream) -> None:
        """The connection could not be made at all."""
        ...

    def stream_said(self, stream: Stream, message: dict[str, str]) -> bool:
        """A whole message has come: show it and note its version; whether to go on reading."""
        ...


class Stream:
    """Connects, reads, and comes back after every break until it is ended or refused."""

    def __init__(self, page: Page, http: requests.Session, url: str, page_id: str) -> None:
        self.page = page
        self.http = http
        self.url = url
        self.version = dict(parse_qsl(urlsplit(url).query)).get("v", "")
        self.is_open = False
        self.ended = threading.Event()
        self._response: requests.Response | None = None
        self._page_id = page_id
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)

    def start(self) -> None:
        """Connect, in a thread of its own."""
        self._thread.start()

    def end(self) -> None:
        """Close for good."""
        self.ended.set()
        self.cut()

    def cut(self) -> None:
        """Break the connection that is open now, if any."""
        response = self._response
        if response is not None:
            _shut(response)

    def _run(self) -> None:
        opened_before = False
        while not self.ended.is_set():
            try:
                again = self._follow(opened_before)
            except (requests.RequestException, OSError, ValueError, AttributeError):
                again = True  # refused or broken; a socket that was cut shows in urllib3 as ValueError or AttributeError
                if not self.is_open:
                    self.page.stream_refused(self)
            opened_before = opened_before or self.is_open
            self.is_open = False
            self._response = None
            if not again:
                return
            self.ended.wait(RETRY_S)

    def _follow(self, opened_before: bool) -> bool:
        """Read one answer to its end; whether to come back."""
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": self.version} if self.version else {})}
        response = self.http.get(self._address(), headers=headers, stream=True, timeout=SILENCE_S)
        self._response = response
        if response.status_code != 200 or "event-stream" not in response.headers.get("Content-Type", ""):
            self.page.stream_answered(response, response.content)
            return response.status_code not in (204, 401, 403, 404)
        self.page.stream_answered(response, b"")
        self.is_open = True
        return self.page.stream_opened(self, again=opened_before) and self._read(response)

    def _read(self, response: requests.Response) -> bool:
        rest = b""
        lines: list[str] = []
        for chunk in response.iter_content(chunk_size=None):
            if self.ended.is_set():
                return False
            self.page.stream_sent(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                text = line.decode().rstrip("\r")
                if text:
                    lines.append(text)
                elif lines:
                    message, lines = _message(lines), []
                    if not self._take(message):
                        return False
        return True

    def _take(self, message: dict[str, str]) -> bool:
        if not message:
            return True
        return self.page.stream_said(self, message)

    def _address(self) -> str:
        parts = urlsplit(self.url)
        query = {"tab": self._page_id, **dict(parse_qsl(parts.query))}
        if self.version:
            query["v"] = self.version
        return urlunsplit(parts._replace(query=urlencode(query)))


def _message(lines: Iterable[str]) -> dict[str, str]:
    """The fields of one message; several `data` lines become one text, comments vanish."""
    found: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data" and "data" in found:
            found["data"] += "\n" + value
        elif name:
            found[name] = value
    return found


def _shut(response: requests.Response) -> None:
    """Close the socket under a response that another thread is reading: `close()` would wait for that thread."""
    try:
        connection: Any = response.raw._connection
        connection.sock.shutdown(2)
    except (AttributeError, OSError):
        response.close()
