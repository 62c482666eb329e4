"""Servers that stand for all tests of a module, and names that nobody has had at them yet."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from tests.kit.server import Server

_numbers = itertools.count(1)


def stranger(name: str) -> str:
    """A name like that, under which nobody has played so far: what an earlier test left behind is somebody else's."""
    return f"{name}_{next(_numbers)}"


class Standing:
    """One server for each kind of database and each speed, started when it is first asked for. Forget them at the end.

    `database` makes the address of a new database of a kind, and `drop` removes it.
    """

    def __init__(self, database: Callable[[str], str], drop: Callable[[str], None]) -> None:
        self._database = database
        self._drop = drop
        self._servers: dict[tuple[str, float], Server] = {}

    def server(self, kind: str, speed: float) -> Server:
        """The server of that kind and speed; one that a test has ended is started again."""
        found = self._servers.get((kind, speed))
        if found is None:
            found = self._servers[kind, speed] = Server(self._database(kind), speed=speed)
        if found.process is None or found.process.poll() is not None:
            found.start()
        return found

    def forget(self) -> None:
        """Kill them all and remove what they kept."""
        for server in self._servers.values():
            server.forget()
            self._drop(server.database_url)
