"""Runs the upkeep once a minute."""

from __future__ import annotations

import logging

import gevent

from guessio.services import readiness, upkeep

log = logging.getLogger(__name__)

EVERY_S = 60

_greenlet: gevent.Greenlet | None = None


def start() -> None:
    """Begin."""
    global _greenlet
    stop()
    _greenlet = gevent.spawn(_run)


def stop() -> None:
    """End."""
    global _greenlet
    greenlet, _greenlet = _greenlet, None
    if greenlet is not None:
        greenlet.kill()


def _run() -> None:
    while True:
        try:
            upkeep.tidy()
        except Exception:
            readiness.tell_failure(log, "the upkeep failed; trying again in %s s", EVERY_S)
        gevent.sleep(EVERY_S)
