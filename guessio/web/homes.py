"""Each table's home: the worker of this machine at which the requests about the table come together.

The kernel gives a new connection to whichever worker takes it first. One that reads a request about a table whose home is another hands the
connection on to it with what it has read of it (SCM_RIGHTS, unix(7)), and the home serves it from then on like its own. So a table is
played where it is in memory, whatever stands before the site. That is for speed alone: any worker can serve any request, and does so when
the home can't take it.
"""

from __future__ import annotations

import mmap
import os
import re
import socket
from collections.abc import Container, Iterator
from contextlib import suppress
from functools import lru_cache
from zlib import crc32

from guessio import figures
from guessio.web import live

TABLE = re.compile(r"/(?:match|duel)/([\w-]{1,40})(?:/|$)", re.ASCII)
ASKED_FOR = re.compile(r"(?:^|&)table=([\w-]{1,40})(?:&|$)", re.ASCII)
MESSAGE_MOST = 65_536
"""What can be handed on with a connection, in bytes: all that an app server reads before it knows what the request is about."""
REMEMBERED = 8_192
IS_OPEN_S = 2.0
"""How long a place stays open after its worker said so: one that hangs takes nothing more in."""
IN, OUT = 0, 1


def table_of(path: str, query: str) -> str | None:
    """The table that a request is about, None for those about none."""
    found = ASKED_FOR.search(query) if path == live.PATH else TABLE.match(path)
    return found[1] if found else None


@lru_cache(REMEMBERED)
def home(table: str, are_open: bytes) -> int | None:
    """The place of a table's home among those whose byte isn't 0, None without any.

    When one place closes, only the tables at home there move (rendezvous hashing: Thaler and Ravishankar, 1998).
    """
    places = [place for place, is_open in enumerate(are_open) if is_open]
    return max(places, key=lambda place: crc32(f"{place} {table}".encode()), default=None)


class Homes:
    """A place for each worker, with a door through which the others hand connections on to it.

    Made before the workers, which inherit it: what they know of each other stands in memory that all of them share.
    """

    def __init__(self, places: int) -> None:
        # Of all on one clock, which on every system with such sockets is the machine's and not the process's.
        self._open_until_s = memoryview(mmap.mmap(-1, places * 8)).cast("d")
        self._doors = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(places)]
        for inside, outside in self._doors:
            inside.setblocking(False)
            outside.setblocking(False)

    def free(self, taken: Container[int | None]) -> int | None:
        """The first place that isn't taken; None when all are."""
        return next((place for place in range(len(self._doors)) if place not in taken), None)

    def open(self, place: int) -> None:
        """Let connections be handed to this place, for two seconds from now."""
        self._open_until_s[place] = figures.now_s() + IS_OPEN_S

    def close(self, place: int) -> None:
        """Let no more connections be handed to this place; what waits at its door may still be taken."""
        self._open_until_s[place] = 0.0

    def clear(self, place: int) -> None:
        """Close a place whose worker is gone, and drop the connections that wait at its door: their pages come again."""
        self.close(place)
        with suppress(BlockingIOError):
            while True:
                _, fds, _, _ = socket.recv_fds(self._doors[place][IN], MESSAGE_MOST, 1)
                for fd in fds:
                    os.close(fd)

    def elsewhere(self, table: str, here: int | None) -> int | None:
        """The place of the table's home, None when that is here or nowhere."""
        now_s = figures.now_s()
        place = home(table, bytes([until_s > now_s for until_s in self._open_until_s]))
        return None if place == here else place

    def hand_on(self, place: int, line: socket.socket, begun: bytes) -> bool:
        """Give a connection away with what was read of it; False, and nothing was done, when the door can't take it now.

        Afterwards the caller closes its own end without a word.
        """
        if len(begun) > MESSAGE_MOST:
            return False
        try:
            socket.send_fds(self._doors[place][OUT], [begun], [line.fileno()])
        except OSError:
            return False
        return True

    def arrivals(self, place: int) -> Iterator[tuple[int, bytes]]:
        """The connections that are handed to this place, each as a file descriptor with what was read of it. Waits for each."""
        door = socket.socket(fileno=os.dup(self._doors[place][IN].fileno()))
        while True:
            begun, fds, _, _ = socket.recv_fds(door, MESSAGE_MOST, 1)
            if fds:  # else the process had no descriptor left for it
                yield fds[0], begun
