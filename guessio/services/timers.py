"""One timer a table: the moment at which it next has something to do. One greenlet waits for the earliest of all."""

from __future__ import annotations

import heapq
import logging
from collections.abc import Callable
from typing import Any, cast

import gevent
from gevent.event import Event
from gevent.pool import Pool

from guessio import clock
from guessio.rules.terms import TableId
from guessio.services import readiness

log = logging.getLogger(__name__)

AT_ONCE = 64
RETRY_MS = 1_000

_armed: dict[TableId, int] = {}
_heap: list[tuple[int, TableId]] = []
_changed = Event()
_waiter: Any = None


def arm(table_id: TableId, at_ms: int | None) -> None:
    """Wake the table at `at_ms` instead of whenever it was to be woken; None: not at all."""
    if at_ms is None:
        _armed.pop(table_id, None)
        return
    if _armed.get(table_id) == at_ms:
        return
    _armed[table_id] = at_ms
    earliest = not _heap or at_ms < _heap[0][0]
    heapq.heappush(_heap, (at_ms, table_id))
    if earliest:
        _changed.set()


def due(now_ms: int) -> list[TableId]:
    """Take out the tables whose moment has come by `now_ms`, in the order of their moments."""
    taken: list[TableId] = []
    while _heap and _heap[0][0] <= now_ms:
        at_ms, table_id = heapq.heappop(_heap)
        if _armed.get(table_id) == at_ms:
            del _armed[table_id]
            taken.append(table_id)
    if len(_heap) > 64 + 4 * len(_armed):
        _heap[:] = [(at_ms, table_id) for table_id, at_ms in _armed.items()]
        heapq.heapify(_heap)
    return taken


def is_armed(table_id: TableId) -> bool:
    """Whether this process is going to wake the table."""
    return table_id in _armed


def count() -> int:
    """How many tables this process is going to wake."""
    return len(_armed)


def start(settle: Callable[[TableId], object]) -> None:
    """Call `settle(table_id)` for every table at its moment, each in a greenlet of its own; one that fails is tried again."""
    global _waiter
    stop()
    _waiter = cast(Any, gevent.spawn(_wait, settle))


def stop() -> None:
    """Wake no table any more, and forget their moments."""
    global _waiter
    if _waiter is not None:
        _waiter.kill(block=False)
        _waiter = None
    _armed.clear()
    _heap.clear()


def _wait(settle: Callable[[TableId], object]) -> None:
    pool = Pool(AT_ONCE)
    while True:
        _changed.clear()
        now = clock.now_ms()
        for table_id in due(now):
            pool.spawn(_settle, settle, table_id)
        if _heap:
            _changed.wait(max(_heap[0][0] - clock.now_ms(), 0) / 1000)
        else:
            _changed.wait()


def _settle(settle: Callable[[TableId], object], table_id: TableId) -> None:
    try:
        settle(table_id)
    except Exception:
        readiness.tell_failure(log, "settling table %s failed; trying again", table_id)
        arm(table_id, clock.now_ms() + RETRY_MS)
