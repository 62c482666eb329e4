"""What one process of many holds alone: nobody else has it, and who dies gives it back."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from flask import Flask

from guessio.store import database, leases
from tests.kit import postgres
from tests.kit.processes import until

pytestmark = pytest.mark.db

NAME = "fills"


@pytest.fixture
def opened() -> Iterator[None]:
    url = postgres.fresh()
    app = Flask("worker")
    database.init(app, SimpleNamespace(database_url=url))  # pyright: ignore[reportArgumentType]
    yield
    leases.close()
    database.close()
    postgres.drop(url)


@pytest.fixture
def rival(opened: None) -> Iterator[Any]:
    """Another process's connection."""
    connection = database.connect_postgres("rival")
    yield connection
    connection.close()


def takes(rival: Any) -> bool:
    return rival.execute("SELECT pg_try_advisory_lock(%s, %s)", (leases.SPACE, leases._key(NAME))).fetchone()[0]


def is_free() -> bool:
    with database.write() as conn:
        return leases.is_free(conn, NAME)


def test_a_lease_has_one_holder_until_that_one_is_gone(rival: Any) -> None:
    assert leases.hold(NAME)
    assert leases.hold(NAME)
    assert not takes(rival)
    assert not is_free()
    leases.close()
    until(lambda: takes(rival), "Postgres has seen the holder go")
    assert not leases.hold(NAME)


def test_who_loses_the_connection_loses_the_lease_and_notices(rival: Any) -> None:
    assert leases.hold(NAME)
    rival.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guessio leases'")
    assert not leases.hold(NAME), "it may be another's by now"
    assert leases.hold(NAME)
    assert not takes(rival)


def test_greenlets_that_ask_together_share_one_connection(rival: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The beat and the jobs ask at the same moment when the database comes back."""
    connect, made = database.connect_postgres, []

    def slowly(**options: Any) -> Any:
        made.append(connect(**options))
        gevent.sleep(0)
        return made[-1]

    monkeypatch.setattr(database, "connect_postgres", slowly)
    asked = [gevent.spawn(leases.hold, name) for name in (NAME, "upkeep", "worker:1")]
    gevent.joinall(asked, raise_error=True)
    assert [greenlet.value for greenlet in asked] == [True, True, True]
    assert len(made) == 1
    assert not takes(rival)
