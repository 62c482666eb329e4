"""Ends the duel offers of makers who stay away: asleep until the next one is due, woken when the offers change (R17.1)."""

from __future__ import annotations

import logging
from collections.abc import Callable

import gevent
from gevent.event import Event

from guessio import bus, clock
from guessio.services import duel_offers, readiness
from guessio.services.withdrawal import TOPIC

log = logging.getLogger(__name__)

AGAIN_S = 5

_woken = Event()
_greenlet: gevent.Greenlet | None = None
_unsubscribe: list[Callable[[], None]] = []


def start() -> None:
    """Begin to wait for offers that are due."""
    global _greenlet
    stop()
    _unsubscribe.append(bus.subscribe(TOPIC, _wake))
    _unsubscribe.append(bus.on_gap(_woken.set))
    _greenlet = gevent.spawn(_run)


def stop() -> None:
    """End the waiting."""
    global _greenlet
    while _unsubscribe:
        _unsubscribe.pop()()
    greenlet, _greenlet = _greenlet, None
    if greenlet is not None:
        greenlet.kill()


def _wake(_topic: str, _message: object) -> None:
    _woken.set()


def _run() -> None:
    while True:
        _woken.clear()
        _woken.wait(_pause())


def _pause() -> float | None:
    """Serve what is due; gives the seconds to sleep, None for until woken."""
    try:
        due = duel_offers.run_due()
    except Exception:
        readiness.tell_failure(log, "offers could not be ended; trying again in %s s", AGAIN_S)
        return AGAIN_S
    return None if due is None else max(0.0, (due - clock.now_ms()) / 1000)
