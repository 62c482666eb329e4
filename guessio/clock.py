"""The only reader of time: UTC milliseconds, and timers. Tests put their own source in its place."""

from __future__ import annotations

import time
from collections.abc import Callable

import gevent


def _system_ms() -> int:
    return time.time_ns() // 1_000_000


_source: Callable[[], int] = _system_ms


def now_ms() -> int:
    """The present moment in UTC milliseconds."""
    return _source()


def install(source: Callable[[], int]) -> None:
    """Take time from `source` (milliseconds) until `reset`."""
    global _source
    _source = source


def reset() -> None:
    """Take time from the system again."""
    global _source
    _source = _system_ms


def later(delay_ms: int, call: Callable[[], object]) -> gevent.Greenlet:
    """Run `call` in a greenlet of its own after `delay_ms`; `kill()` on the result calls it off."""
    return gevent.spawn_later(max(delay_ms, 0) / 1000, call)
