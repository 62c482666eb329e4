"""Several servers over one Postgres of their own: one site, whose parts can be killed, stopped, cut off and started again."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from tests.kit import postgres
from tests.kit.player import Player
from tests.kit.server import Server

LISTENERS, LEASES = "guessio listen", "guessio leases"


class Cluster:
    """`servers` are gunicorn processes on ports of their own. Start and stop it from one and the same thread."""

    def __init__(self, size: int, *, speed: float, settings: dict[str, str] | None = None, first_workers: int = 1) -> None:
        """`first_workers` is how many workers the first of the servers has; the others have one each."""
        self.database = postgres.Postgres()
        self.size = size
        self.workers = (first_workers, *[1] * (size - 1))
        self.speed = speed
        self.settings = {"SECRET_KEY": secrets.token_hex(32), **(settings or {})}
        self.servers: list[Server] = []
        self.url = ""

    def start(self) -> Cluster:
        """Start Postgres, then every server."""
        self.database.start()
        self.url = postgres.fresh(on=self.database.url)
        self.servers = [
            Server(self.url, speed=self.speed, workers=count, settings=self.settings, is_prepared=number > 0)
            for number, count in enumerate(self.workers)
        ]
        for server in self.servers:
            server.launch()
        for server in self.servers:
            server.await_ready()
        return self

    def stop(self) -> None:
        """End everything and forget the data."""
        for server in self.servers:
            server.forget()
        self.database.stop()

    def mend(self) -> None:
        """Start again whatever does not run."""
        if not self.database.is_running:
            self.database.start()
        gone = [server for server in self.servers if server.process is None or server.process.poll() is not None]
        for server in gone:
            server.launch()
        for server in gone:
            server.await_ready()

    def urls(self, first: int) -> tuple[str, ...]:
        """The addresses of all servers, beginning with that one."""
        return tuple(server.url for server in self.servers[first:] + self.servers[:first])

    def player(self, at: int, name: str, **options: Any) -> Player:
        """A person who begins at that server, and goes to the others when it refuses; not signed in yet."""
        here, *others = self.urls(at)
        return Player(here, name, others=others, **options)

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows from the site's database; for a statement that gives none, an empty list."""
        plain = make_url(self.url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain, autocommit=True, connect_timeout=5) as connection:
            done = connection.execute(statement, values)  # pyright: ignore[reportArgumentType]
            return done.fetchall() if done.description else []

    def cut(self, application: str) -> int:
        """End the database's connections of that name, as a network that breaks does; how many."""
        return len(self.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", application))


@contextmanager
def running(size: int, *, speed: float, **options: Any) -> Iterator[Cluster]:
    """A cluster for the length of a `with` block."""
    cluster = Cluster(size, speed=speed, **options)
    try:
        yield cluster.start()
    finally:
        cluster.stop()
