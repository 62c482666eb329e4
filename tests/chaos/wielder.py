"""The hand that does the harm."""

from __future__ import annotations

import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import psutil
import psycopg

from tests.chaos import takeover
from tests.chaos.actor import Actor
from tests.chaos.ledger import GOING, Ledger
from tests.chaos.plan import Blow, Harm
from tests.kit import cluster
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.server import Server

SLOW_MOST = 6
DROPPED = 0.3


class Wielder:
    """Deals blows and mends what they broke. Use it from the thread that started the site."""

    def __init__(self, site: Cluster, actors: Sequence[Actor], ledger: Ledger, chance: random.Random) -> None:
        self.site = site
        self.actors = actors
        self.ledger = ledger
        self.chance = chance
        self._slow: list[socket.socket] = []

    def strike(self, blow: Blow) -> None:
        """Deal one blow, and mend it when its time is over."""
        server = self.site.servers[blow.where]
        others = [one for one in self.site.servers if one is not server]
        deeds: dict[Harm, Callable[[], object]] = {
            Harm.KILL: lambda: self._kill_among_others([server], blow.lasts_s),
            Harm.KILL_ONE: self._kill_one,
            Harm.KILL_TWO: lambda: self._kill_among_others(others, blow.lasts_s),
            Harm.KILL_ALL: lambda: self._kill(self.site.servers, blow.lasts_s),
            Harm.STOP: lambda: self._stop(server, blow.lasts_s),
            Harm.STALL: lambda: self._stall(server, blow.lasts_s),
            Harm.RESTART: lambda: self._away(blow.lasts_s),
            Harm.AWAY: lambda: self._away(blow.lasts_s),
            Harm.KILL_IN_RESTART: lambda: self._away(blow.lasts_s, killing=server),
            Harm.CUT_BUS: lambda: self._cut(cluster.LISTENERS),
            Harm.CUT_LEASES: lambda: self._cut(cluster.LEASES),
            Harm.CUT_STREAMS: self._drop_streams,
            Harm.SLOW: self._go_slow,
        }
        deeds[blow.harm]()

    def mend(self) -> None:
        """Give the slow clients up."""
        for line in self._slow:
            line.close()
        self._slow.clear()

    def _kill_among_others(self, servers: Sequence[Server], for_s: float) -> None:
        with takeover.watched(self.site, self.actors, servers, self.ledger):
            self._kill(servers, for_s)

    def _kill(self, servers: Sequence[Server], for_s: float) -> None:
        for server in servers:
            server.kill()
        _pass(for_s)
        for server in servers:
            server.start()

    def _kill_one(self) -> None:
        """The first server's, which has several: it starts another by itself, and meanwhile the one that is left has all tables."""
        self.chance.choice(self.site.servers[0].workers_now()).kill()

    def _stop(self, server: Server, for_s: float) -> None:
        began = time.monotonic()
        code = server.stop()
        self.ledger.took(GOING, time.monotonic() - began)
        if code:
            self.ledger.wrong(f"server {self.site.servers.index(server) + 1} went with code {code} when it was told to stop")
        _pass(for_s)
        server.start()

    def _stall(self, server: Server, for_s: float) -> None:
        """A worker that gets no processor for a while, as on a host that swaps."""
        family = server.family()
        _signal(family, signal.SIGSTOP)
        try:
            _pass(for_s)
        finally:
            _signal(family, signal.SIGCONT)

    def _away(self, for_s: float, killing: Server | None = None) -> None:
        self.site.database.halt()
        if killing is not None:
            killing.kill()
        _pass(for_s)
        self.site.database.start()
        if killing is not None:
            killing.start()

    def _cut(self, application: str) -> None:
        with suppress(psycopg.OperationalError):
            self.site.cut(application)

    def _drop_streams(self) -> None:
        for actor in self.actors:
            if self.chance.random() < DROPPED:
                actor.person.drop_stream()

    def _go_slow(self) -> None:
        """Some players open their page a second time and then read nothing of its stream."""
        while len(self._slow) >= SLOW_MOST:
            self._slow.pop(0).close()
        at_tables = [actor.person for actor in self.actors if actor.person.match_id]
        for person in self.chance.sample(at_tables, min(3, len(at_tables))):
            with suppress(OSError):
                self._slow.append(_unread_stream(person))


def _unread_stream(person: Player) -> socket.socket:
    site = urlsplit(person.wire.base_url)
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(5)
    line.connect((site.hostname or "", site.port or 80))
    cookies = "; ".join(f"{name}={value}" for name, value in person.wire.http.cookies.items())
    line.sendall(f"GET /live?table={person.match_id}&v=1&tab=slow HTTP/1.1\r\nHost: {site.netloc}\r\nCookie: {cookies}\r\n\r\n".encode())
    return line


def _signal(family: Sequence[psutil.Process], number: int) -> None:
    for member in family:
        with suppress(psutil.NoSuchProcess):
            member.send_signal(number)


def _pass(seconds: float) -> None:
    threading.Event().wait(seconds)
