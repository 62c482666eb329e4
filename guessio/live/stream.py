"""One open stream: a bounded queue that the page drains, in the text form of server-sent events."""

from __future__ import annotations

import logging
import random
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gevent.event import Event

from guessio import clock
from guessio.rules.terms import AccountId, TableId

log = logging.getLogger(__name__)

QUEUE_MOST = 64
STUCK_MS = 60_000
RETRY_MIN_MS = 300
RETRY_MAX_MS = 3_000
BEAT = ": beat\n\nevent: beat\ndata: 1\n\n"


def html(text: str, version: int | None = None) -> str:
    """Fragments as an unnamed message; `version` is what the page has then, and sends back when it connects again."""
    head = "" if version is None else f"id: {version}\n"
    if "\n" not in text and "\r" not in text:
        return f"{head}data: {text}\n\n"
    lines = text.replace("\r", "").split("\n")
    return head + "".join([f"data: {line}\n" for line in lines]) + "\n"


def named(event: str, value: str) -> str:
    """A message that the page takes as an event; `value` stays one line."""
    return f"event: {event}\ndata: {' '.join(value.split())}\n\n"


def retry() -> str:
    """The hint after how long to connect again, different for each page, so that they don't all come at once."""
    return f"retry: {random.randint(RETRY_MIN_MS, RETRY_MAX_MS)}\n\n"  # noqa: S311 - spreads load, guards nothing


class Stream:
    """What one page is sent. `shown` is the version of its table that the page has once everything queued has reached it."""

    __slots__ = (
        "_queue",
        "_wake",
        "account",
        "is_behind",
        "is_catching_up",
        "is_ended",
        "line",
        "query",
        "shown",
        "table_id",
        "taken_ms",
        "token_hash",
        "was_led_on",
    )

    def __init__(self, account: AccountId, token_hash: str, query: Mapping[str, str], table_id: TableId | None, shown: int) -> None:
        self.account = account
        self.token_hash = token_hash
        self.query = query
        self.table_id = table_id
        self.shown = shown
        self.is_behind = True
        self.is_catching_up = False
        self.is_ended = False
        self.was_led_on = False
        self.line: socket.socket | None = None
        self.taken_ms = clock.now_ms()
        self._queue: list[str] = []
        self._wake = Event()

    def put(self, message: str) -> None:
        """Queue a message. A page that doesn't take them loses what is queued and is brought up to date when it does."""
        if self.is_ended:
            return
        if len(self._queue) >= QUEUE_MOST:
            self._queue.clear()
            self.is_behind = True
            self.shown = 0
        self._queue.append(message)
        self._wake.set()

    def fall_behind(self) -> None:
        """Bring the page up to date before anything else is sent."""
        self.is_behind = True
        self._wake.set()

    def beat(self) -> None:
        """Show that the line is alive, unless something is waiting to be taken that shows it anyway."""
        if not self._queue:
            self.put(BEAT)
        elif clock.now_ms() - self.taken_ms > STUCK_MS:
            self.cut()

    def end(self, message: str) -> None:
        """Send `message` as the last one."""
        if not self.is_ended:
            self.put(message)
            self.is_ended = True

    def cut(self) -> None:
        """End at once, breaking a write that hangs."""
        self.is_ended = True
        self._queue.clear()
        self._wake.set()
        if self.line is not None:
            try:
                self.line.shutdown(socket.SHUT_RDWR)
            except OSError:
                self.line = None

    def take(self, catch_up: Callable[[Stream], None]) -> str | None:
        """Wait for something to send, and give all of it; None at the end. `catch_up` is called first when the page is behind."""
        while True:
            if self.is_behind and not self.is_ended:
                self.is_behind = False
                try:
                    catch_up(self)
                except Exception as error:
                    log.warning("a page could not be brought up to date, trying again with the next beat: %s", error)
                    self.is_behind = True
            if self._queue:
                text = "".join(self._queue)
                self._queue.clear()
                self.taken_ms = clock.now_ms()
                return text
            if self.is_ended:
                return None
            self._wake.clear()
            self._wake.wait()


class Body:
    """A stream as the body of a response: `opened` at the first byte that is asked for, `closed` when the page is gone.

    An answer of which nothing is ever sent (to HEAD, or after an error) so opens nothing that would have to be closed.
    """

    def __init__(
        self,
        stream: Stream,
        opened: Callable[[Stream], Any],
        catch_up: Callable[[Stream], None],
        closed: Callable[[Stream], Any],
    ) -> None:
        self.stream = stream
        self._opened = opened
        self._catch_up = catch_up
        self._closed = closed
        self._is_open: bool | None = None

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._is_open is None:
            self._is_open = True
            self._opened(self.stream)
        text = self.stream.take(self._catch_up) if self._is_open else None
        if text is None:
            self.close()
            raise StopIteration
        return text.encode()

    def close(self) -> None:
        """Forget the stream, once."""
        was_open, self._is_open = self._is_open, False
        if was_open:
            self._closed(self.stream)
