"""One open stream: a bounded queue that the page drains, in the text form of server-sent events."""

from __future__ import annotations

import fcntl
import logging
import random
import socket
import termios
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gevent
from gevent.event import Event

from guessio import clock
from guessio.rules.terms import AccountId, TableId

log = logging.getLogger(__name__)

QUEUE_MOST = 64
STUCK_MS = 60_000
RETRY_MIN_MS = 300
RETRY_MAX_MS = 3_000
LINE_HOLDS = 8_000  # octets that a line takes at once when nothing waits in it; the least that systems give it is twice as much
NOTHING_WAITS = bytes(4)
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


_to_write: deque[Stream] = deque()
_is_writing = False


def is_idle(descriptor: int) -> bool:
    """Whether everything written to a line has reached the other end, so that a small message cannot block."""
    try:
        return fcntl.ioctl(descriptor, termios.TIOCOUTQ, NOTHING_WAITS) == NOTHING_WAITS
    except (OSError, ValueError):
        return False


class Stream:
    """What one page is sent. `shown` is the version of its table that the page has once everything queued has reached it."""

    __slots__ = (
        "_descriptor",
        "_is_waiting",
        "_is_written_to",
        "_line",
        "_queue",
        "_wake",
        "_write",
        "_written",
        "account",
        "is_behind",
        "is_catching_up",
        "is_ended",
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
        self._line: socket.socket | None = None
        self._descriptor = -1
        self._write: Callable[[bytes], object] | None = None
        self._written = LINE_HOLDS
        self.taken_ms = clock.now_ms()
        self._is_waiting = False
        self._is_written_to = False
        self._queue: list[str] = []
        self._wake = Event()

    def use(self, line: socket.socket, write: Callable[[bytes], object]) -> None:
        """Write to the page's connection itself where that cannot block. `write` is what the app server gives for it."""
        self._line, self._descriptor, self._write = line, line.fileno(), write

    def put(self, message: str) -> None:
        """Queue a message. A page that doesn't take them loses what is queued and is brought up to date when it does."""
        if self.is_ended:
            return
        if len(self._queue) >= QUEUE_MOST:
            self._queue.clear()
            self.is_behind = True
            self.shown = 0
        self._queue.append(message)
        if self._is_waiting and self._write is not None:
            _to_write.append(self)
            if not _is_writing:
                _write_soon()
        else:
            self._wake.set()

    def write_queued(self) -> None:
        """Write what is queued while the page's own greenlet waits, if the line takes it at once; else that greenlet does it."""
        if self._queue and self._write is not None and self._is_waiting and not self._is_written_to and not self.is_behind:
            octets = "".join(self._queue).encode()
            if self._has_room_for(len(octets)):
                self._queue.clear()
                self._is_written_to = True
                try:
                    self._write(octets)
                except OSError:
                    self.cut()
                finally:
                    self._is_written_to = False
        if self._queue or self.is_behind or self.is_ended:
            self._wake.set()

    def _has_room_for(self, length: int) -> bool:
        """Whether so many octets cannot block; the line is asked only when they might not fit beside what was written since."""
        if self._written + length > LINE_HOLDS:
            if length > LINE_HOLDS or not is_idle(self._descriptor):
                return False
            self._written = 0
        self._written += length
        return True

    def lack(self, version: int) -> None:
        """Bring the page up to date with `version`, unless that is done already or about to be."""
        if self.shown < version and not self.is_behind and not self.is_catching_up:
            self.fall_behind()

    def fall_behind(self) -> None:
        """Bring the page up to date before anything else is sent."""
        self.is_behind = True
        self._wake.set()

    def beat(self) -> None:
        """Show that the line is alive, unless something is waiting to be taken that shows it anyway."""
        if not self._queue:
            self.taken_ms = clock.now_ms()
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
        if self._line is not None:
            try:
                self._line.shutdown(socket.SHUT_RDWR)
            except OSError:
                self._line = None

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
            if self._queue and not self._is_written_to:
                text = "".join(self._queue)
                self._queue.clear()
                self.taken_ms, self._written = clock.now_ms(), LINE_HOLDS
                return text
            if self.is_ended and not self._is_written_to:
                return None
            self._wake.clear()
            self._is_waiting = True
            self._wake.wait()
            self._is_waiting = False


def _write_soon() -> None:
    """Write what is queued when all that is being drawn now is drawn: lines written to one after the other cost less."""
    global _is_writing
    _is_writing = True
    gevent.spawn(_write_all)


def _write_all() -> None:
    global _is_writing
    try:
        while _to_write:
            stream = _to_write.popleft()
            _is_writing = False  # should this one block after all, the others don't wait for it
            stream.write_queued()
            _is_writing = True
    finally:
        _is_writing = False


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
