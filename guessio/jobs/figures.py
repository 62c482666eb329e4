"""Posts this worker's figures every few seconds where the other workers of the machine find them."""

from __future__ import annotations

import logging
from pathlib import Path

import gevent

from guessio import clock, figures
from guessio.adapters import noticeboard
from guessio.adapters.noticeboard import Notice
from guessio.services import heartbeat

log = logging.getLogger(__name__)

EVERY_S = 5

_greenlet: gevent.Greenlet | None = None


def start(folder: Path) -> None:
    """Begin."""
    global _greenlet
    stop()
    _greenlet = gevent.spawn(_run, folder)


def stop() -> None:
    """End."""
    global _greenlet
    greenlet, _greenlet = _greenlet, None
    if greenlet is not None:
        greenlet.kill()


def _run(folder: Path) -> None:
    was_told = False
    while True:
        try:
            noticeboard.post(folder, Notice(heartbeat.worker(), clock.now_ms(), figures.taken()))
            was_told = False
        except Exception as error:
            if not was_told:
                log.warning("figures can't be left for the other workers, /metrics tells of one worker alone: %s", error)
            was_told = True
        gevent.sleep(EVERY_S)
