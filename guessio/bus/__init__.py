"""Topics: who publishes doesn't know who listens. In process always; between processes over Postgres when there is one.

Topics are `table:<id>`, `account:<id>`, `sessions`, `duels`, `requests` and `search:<type>:<difficulty>:<players>`. Of a table's steps
those processes hear that want to (`want`), of everything else all of them. Publish after commit only. Subscribers are called at once,
in the publisher's greenlet, in the order of publishing: they put things into queues and return.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from guessio import clock, figures
from guessio.bus.audience import Audience
from guessio.bus.messages import (
    AchievementUnlocked,
    Announce,
    DuelsChanged,
    Message,
    Navigate,
    RematchChanged,
    RequestsCounted,
    SearchChanged,
    SessionEnded,
    SignedOut,
    TablesLeft,
    TableStepped,
    TablesWatched,
)
from guessio.bus.wire import know

if TYPE_CHECKING:
    from guessio.config import Settings
    from guessio.rules.terms import TableId

__all__ = [
    "AchievementUnlocked",
    "Announce",
    "DuelsChanged",
    "Message",
    "Navigate",
    "RematchChanged",
    "RequestsCounted",
    "SearchChanged",
    "SessionEnded",
    "SignedOut",
    "TableStepped",
    "TablesLeft",
    "TablesWatched",
    "deliver",
    "know",
    "let_go",
    "on_gap",
    "on_others",
    "publish",
    "renew",
    "start",
    "stop",
    "subscribe",
    "tell",
    "want",
]

log = logging.getLogger(__name__)

WATCHED = "tables"
"""The topic on which processes tell each other which tables they want to know of."""

Subscriber = Callable[[str, Any], None]
_subscribers: dict[str, list[Subscriber]] = {}
_others_listeners: list[Subscriber] = []
_gap_listeners: list[Callable[[], None]] = []
_transport: Any = None
_audience = Audience()


def subscribe(topic: str, listener: Subscriber) -> Callable[[], None]:
    """Call `listener(topic, message)` for everything published on `topic` from now on; the result ends it."""
    _subscribers.setdefault(topic, []).append(listener)

    def unsubscribe() -> None:
        listeners = _subscribers.get(topic, [])
        if listener in listeners:
            listeners.remove(listener)
        if not listeners:
            _subscribers.pop(topic, None)

    return unsubscribe


def publish(topic: str, message: Message) -> None:
    """Hand `message` to the subscribers here, and to those of the other processes. Call it after commit only."""
    deliver(topic, message)
    if _transport is None:
        return
    if not isinstance(message, TableStepped):
        _transport.send(topic, message)
        return
    workers = None if _transport.is_deaf() else _audience.of(message.table_id, clock.now_ms())
    if workers is None or workers:
        _transport.send(topic, message, workers)


def want(table_id: TableId) -> None:
    """Let this process hear of the steps that others make at the table, until as many have called `let_go`."""
    if _audience.want(table_id) and _transport is not None:
        _transport.send(WATCHED, TablesWatched(_transport.name, (table_id,), is_new=True, asks=False))


def let_go(table_id: TableId) -> None:
    """Whoever called `want` doesn't need it any more."""
    _audience.let_go(table_id)


def tell(worker: str, topic: str, message: Message) -> None:
    """Hand `message` to the subscribers of one other process alone."""
    if _transport is not None:
        _transport.send(topic, message, (worker,))


def renew() -> None:
    """Tell the others what is not wanted here any more, and now and then all that is. Call it every other second."""
    if _transport is None:
        _audience.forget_left()
        return
    for message in _audience.left(_transport.name):
        _transport.send(WATCHED, message)
    if _audience.is_to_renew(clock.now_ms()):
        _tell_wanted()


def deliver(topic: str, message: Message) -> None:
    """Hand `message` to the subscribers of this process; one that fails doesn't keep it from the others."""
    for listener in tuple(_subscribers.get(topic, ())):
        try:
            listener(topic, message)
        except Exception:
            log.exception("a subscriber of %s failed", topic)


def on_others(listener: Subscriber) -> Callable[[], None]:
    """Call `listener(topic, message)` for everything that other processes send, before its subscribers; the result ends it."""
    _others_listeners.append(listener)
    return lambda: _others_listeners.remove(listener) if listener in _others_listeners else None


def _deliver_from_others(topic: str, message: Message) -> None:
    if isinstance(message, TablesWatched | TablesLeft):
        _audience.hear(message, clock.now_ms())
    if isinstance(message, TablesWatched) and message.asks:
        _tell_wanted()
    for listener in tuple(_others_listeners):
        listener(topic, message)
    deliver(topic, message)


def on_gap(listener: Callable[[], None]) -> Callable[[], None]:
    """Call `listener` whenever messages of other processes may have been missed; the result ends it."""
    _gap_listeners.append(listener)
    return lambda: _gap_listeners.remove(listener) if listener in _gap_listeners else None


def gap() -> None:
    """Tell that messages of other processes may have been missed."""
    figures.BUS_GAPS.inc()
    _audience.lose(clock.now_ms())
    _tell_wanted(asks=True)
    for listener in tuple(_gap_listeners):
        try:
            listener()
        except Exception:
            log.exception("catching up after a gap failed")


def _tell_wanted(*, asks: bool = False) -> None:
    if _transport is not None:
        for message in _audience.told(_transport.name, asks=asks):
            _transport.send(WATCHED, message)


def start(settings: Settings) -> None:
    """Connect to the other processes when the database is Postgres; nothing to do on SQLite, which has one process."""
    global _transport
    stop()
    if settings.database_url.startswith("postgres"):
        from guessio.bus.postgres import Transport

        _transport = Transport(settings.database_url, _deliver_from_others, gap)
        _transport.start()
        figures.follow(figures.BUS_WAITING, _transport.waiting)


def stop() -> None:
    """Send what waits to be sent and disconnect from the other processes."""
    global _transport
    if _transport is not None:
        _transport.stop()
        _transport = None
