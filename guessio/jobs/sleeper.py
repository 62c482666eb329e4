"""Work that follows deadlines: asleep until the next one is due, woken when something happens that may bring an earlier one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

import gevent
from gevent.event import Event

from guessio import bus, clock
from guessio.services import readiness

log = logging.getLogger(__name__)

AGAIN_S = 5


class Sleeper:
    """Calls `serve`, which does what is due and gives the moment at which there is something to do next, None until woken.

    Messages to `topics` wake it, and gaps in which such a message may have been lost. A failure is told as `complaint`, and tried again.
    """

    def __init__(self, serve: Callable[[], int | None], topics: Iterable[str], complaint: str) -> None:
        self._serve = serve
        self._topics = tuple(topics)
        self._complaint = complaint
        self._woken = Event()
        self._greenlet: gevent.Greenlet | None = None
        self._unsubscribe: list[Callable[[], None]] = []

    def start(self) -> None:
        """Begin to wait for what is due."""
        self.stop()
        self._unsubscribe.extend(bus.subscribe(topic, self._wake) for topic in self._topics)
        self._unsubscribe.append(bus.on_gap(self._woken.set))
        self._greenlet = gevent.spawn(self._run)

    def stop(self) -> None:
        """End the waiting."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        greenlet, self._greenlet = self._greenlet, None
        if greenlet is not None:
            greenlet.kill()

    def _wake(self, _topic: str, _message: object) -> None:
        self._woken.set()

    def _run(self) -> None:
        while True:
            self._woken.clear()
            self._woken.wait(self._pause())

    def _pause(self) -> float | None:
        """Serve what is due; gives the seconds to sleep, None for until woken."""
        try:
            due = self._serve()
        except Exception:
            readiness.tell_failure(log, "%s; trying again in %s s", self._complaint, AGAIN_S)
            return AGAIN_S
        return None if due is None else max(0.0, (due - clock.now_ms()) / 1000)
