"""Connections to Postgres for statements that run with every move: they wait as gevent does, and take arrays as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import gevent
import psycopg
from gevent import monkey
from psycopg.abc import PQGen
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.waiting import Ready, Wait

LOOK_S = 0.1
"""How often the driver's own waiting looks up, for signals."""
TEXT, TEXTS, NUMBERS = 25, 1009, 1016
"""What Postgres calls the types text, text[] and bigint[]."""


class Connection(psycopg.Connection[Any]):
    """A connection whose greenlet waits for an answer on one kept watcher.

    The driver's own waiting asks for a new set of watchers each time, which takes a quarter of a short statement's time.
    """

    _watcher: Any = None

    def wait(self, gen: PQGen[Any], interval: float = LOOK_S, timeout: float | None = None) -> Any:
        """Let the driver's generator take its course; see `psycopg.Connection.wait`."""
        if timeout is not None or not monkey.is_module_patched("select"):
            return super().wait(gen, interval, timeout)
        try:
            wanted = next(gen)
            if wanted != Wait.R:
                wanted = gen.send(Ready.W)  # what is sent hardly ever has to wait
            while wanted == Wait.R:
                gevent.get_hub().wait(self._until_readable())
                wanted = gen.send(Ready.R)
        except StopIteration as end:
            return end.value
        return super().wait(_going_on(gen, wanted), interval)

    def close(self) -> None:
        """See `psycopg.Connection.close`."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.close()
        super().close()

    def _until_readable(self) -> Any:
        if self._watcher is None:
            self._watcher = cast(Any, gevent.get_hub().loop).io(self.pgconn.socket, 1)
        return self._watcher


def _going_on(gen: PQGen[Any], wanted: Wait) -> PQGen[Any]:
    """A generator that has been begun, for somebody who begins with it."""
    try:
        while True:
            wanted = gen.send((yield wanted))
    except StopIteration as end:
        return end.value


class Texts:
    """A text[] on its way to Postgres."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[str]) -> None:
        self.items = tuple(items)


class Numbers:
    """A bigint[] on its way to Postgres."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[int | None]) -> None:
        self.items = tuple(items)


class _TextsDumper(Dumper):
    """In Postgres's binary form, because as text every quote of a JSON document would have to be escaped."""

    format = Format.BINARY
    oid = TEXTS

    def dump(self, obj: Texts) -> bytes:
        """The header of an array of one dimension (dimensions, whether there are nulls, type, length, first index), then the items."""
        items = [item.encode() for item in obj.items]
        parts = [_number(1), _number(0), _number(TEXT), _number(len(items)), _number(1)]
        for item in items:
            parts += (_number(len(item)), item)
        return b"".join(parts)


class _NumbersDumper(Dumper):
    oid = NUMBERS

    def dump(self, obj: Numbers) -> bytes:
        """As text."""
        return ("{" + ",".join(["NULL" if item is None else str(item) for item in obj.items]) + "}").encode()


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def connect(url: str, **arguments: Any) -> Connection:
    """A connection on which each statement is its own transaction. Raises: psycopg.OperationalError."""
    return Connection.connect(url, autocommit=True, **arguments)


psycopg.adapters.register_dumper(Texts, _TextsDumper)
psycopg.adapters.register_dumper(Numbers, _NumbersDumper)
