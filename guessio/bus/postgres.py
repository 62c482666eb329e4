"""The bus between processes: LISTEN and NOTIFY, each on a connection of its own that connects again by itself.

A notification can be lost, in an outage or with the process that should have sent it. So it carries nothing that can't be found out
otherwise, and after every new connection the subscribers are told of the gap.
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import gevent
import psycopg
from gevent import monkey
from gevent.event import Event
from psycopg import sql
from sqlalchemy.engine import make_url

from guessio import clock, figures, postgres
from guessio.bus import wire
from guessio.bus.messages import Message
from guessio.postgres import Texts

log = logging.getLogger(__name__)

CHANNEL = "guessio"
PAYLOAD_MOST = 7_800
WAITING_MOST = 20_000
RETRY_FIRST_S = 0.2
RETRY_MOST_S = 2.0
AT_ONCE = 500
_SEND = "SELECT pg_notify(channel, payload) FROM unnest(%s, %s) AS sent(channel, payload)"


class Transport:
    """Sends this process's messages to the others, and hands theirs to `deliver`; `gap` is called when some may have been missed.

    Every process listens on the channel of all and on one of its own, which its `name` leads to: what is meant for a few wakes nobody else.
    """

    def __init__(self, url: str, deliver: Callable[[str, Message], None], gap: Callable[[], None]) -> None:
        self._url = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._deliver = deliver
        self._gap = gap
        self.name = secrets.token_hex(6)
        self._waiting: deque[tuple[str, str]] = deque(maxlen=WAITING_MOST)
        self._wanted = Event()
        self._sender: psycopg.Connection[Any] | None = None
        self._listener: psycopg.Connection[Any] | None = None
        self._greenlets: list[Any] = []

    def start(self) -> None:
        """Send and listen from now on, in greenlets where the driver yields to others; else `flush` and `receive` do it by hand."""
        if monkey.is_module_patched("select"):
            self._greenlets = [gevent.spawn(self._again_and_again, step) for step in (self._send_next, self._receive_next)]

    def stop(self) -> None:
        """Send what waits, and disconnect."""
        gevent.killall(self._greenlets)
        self._greenlets.clear()
        try:
            if self._waiting:
                self.flush()
        except psycopg.Error as error:
            log.warning("%d messages were not sent: %s", len(self._waiting), error)
        self._close_sender()
        self._close_listener()

    def send(self, topic: str, message: Message, names: Iterable[str] | None = None) -> None:
        """Send `message` soon, to all others or to those with these names; the caller doesn't wait."""
        part = wire.encode(topic, message)
        channels = (CHANNEL,) if names is None else [_channel_of(name) for name in names]
        self._waiting.extend((channel, part) for channel in channels)
        self._wanted.set()

    def is_deaf(self) -> bool:
        """Whether nothing of what the others send is heard now."""
        return self._listener is None

    def waiting(self) -> int:
        """How many messages wait to be sent."""
        return len(self._waiting)

    def flush(self) -> None:
        """Send everything that waits. Raises: psycopg.Error, with everything unsent still waiting."""
        try:
            if self._sender is None:
                self._sender = self._connect("guessio notify")
            while self._waiting:
                together = tuple(self._waiting)[:AT_ONCE]
                channels, payloads = zip(*self._pack(together), strict=True)
                self._sender.execute(_SEND, (Texts(channels), Texts(payloads)), prepare=True)
                for _ in together:
                    self._waiting.popleft()
        except BaseException:
            self._close_sender()
            raise

    def receive(self, timeout_s: float | None = None) -> int:
        """Deliver what the others send: for ever, or waiting up to `timeout_s` for the first; how many messages. Raises: psycopg.Error."""
        listener = self._listener or self._listen()
        delivered = 0
        try:
            for notice in listener.notifies(timeout=timeout_s, stop_after=None if timeout_s is None else 1):
                delivered += self._unpack(notice.payload)
            return delivered
        except BaseException:
            self._close_listener()
            raise

    def _send_next(self) -> None:
        self._wanted.wait()
        self._wanted.clear()
        try:
            self.flush()
        except BaseException:
            self._wanted.set()
            raise

    def _receive_next(self) -> None:
        # Once connected it begins anew: the pause before the next attempt is short again.
        if self._listener is None:
            self._listen()
        else:
            self.receive()

    def _listen(self) -> psycopg.Connection[Any]:
        try:
            self._listener = self._connect("guessio listen")
            for channel in (CHANNEL, _channel_of(self.name)):
                self._listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._gap()
            return self._listener
        except BaseException:
            self._close_listener()
            raise

    def _again_and_again(self, step: Callable[[], object]) -> None:
        pause = RETRY_FIRST_S
        while True:
            try:
                step()
                pause = RETRY_FIRST_S
            except Exception as error:
                log.warning("the bus lost its connection, trying again: %s", error)
                gevent.sleep(pause)
                pause = min(pause * 2, RETRY_MOST_S)

    def _pack(self, messages: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """The messages as a few notifications, several to each, with the channel that each goes to; in order for each channel."""
        packed: list[tuple[str, str]] = []
        waiting: dict[str, list[str]] = {}
        sizes: dict[str, int] = {}
        # What one sends to all comes back as well, and tells how long it took.
        origin = f"{self.name} {clock.now_ms()}"
        for channel, part in messages:
            parts, length = waiting.setdefault(channel, []), len(part.encode()) + 1
            if parts and sizes[channel] + length > PAYLOAD_MOST:
                packed.append((channel, wire.bundle(origin, parts)))
                parts.clear()
            sizes[channel] = length + (sizes[channel] if parts else 0)
            parts.append(part)
        return packed + [(channel, wire.bundle(origin, parts)) for channel, parts in waiting.items()]

    def _unpack(self, payload: str) -> int:
        sender, _, sent_ms = wire.origin_of(payload).partition(" ")
        if sender == self.name:
            figures.BUS_LAG.observe(max(clock.now_ms() - int(sent_ms), 0) / 1000)
            return 0
        messages = wire.unbundle(payload)
        for topic, message in messages:
            self._deliver(topic, message)
        return len(messages)

    def _connect(self, application: str) -> psycopg.Connection[Any]:
        return postgres.connect(
            self._url,
            application_name=application,
            connect_timeout=5,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
        )

    def _close_sender(self) -> None:
        raw, self._sender = self._sender, None
        if raw is not None:
            raw.close()

    def _close_listener(self) -> None:
        raw, self._listener = self._listener, None
        if raw is not None:
            raw.close()


def _channel_of(name: str) -> str:
    return f"{CHANNEL}_{name}"
