"""Connections that wait as gevent does: answers reach whoever asked, however much is sent, and arrays arrive as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gevent
import psycopg
import pytest
from gevent import monkey
from sqlalchemy.engine import make_url

from guessio import postgres
from guessio.postgres import Connection, Numbers, Texts
from tests.kit import postgres as databases

pytestmark = pytest.mark.db

TEXTS = ("", "plain", '{"a": "\\\\", "b": null}', "näh \N{SNOWMAN}", "NULL")
NUMBERS = (0, -1, 2**40, None)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    address = databases.fresh()
    yield make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    databases.drop(address)


@pytest.fixture(params=[True, False], ids=["yielding", "blocking"])
def connection(request: pytest.FixtureRequest, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """One in a process whose waiting yields to other greenlets, and one in a plain process."""
    monkeypatch.setattr(monkey, "is_module_patched", lambda _name: request.param)
    made = postgres.connect(url)
    yield made
    made.close()


def ask(connection: Connection, statement: Any, *values: Any) -> Any:
    return connection.execute(statement, values, prepare=True).fetchall()


def test_arrays_arrive_as_they_were(connection: Connection) -> None:
    for _ in range(2):
        assert ask(connection, "SELECT %s, %s", Texts(TEXTS), Numbers(NUMBERS)) == [(list(TEXTS), list(NUMBERS))]
        assert ask(connection, "SELECT %s, %s", Texts(()), Numbers(())) == [([], [])]


def test_more_than_a_line_holds_goes_through(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    going_on = postgres._going_on
    monkeypatch.setattr(postgres, "_going_on", lambda *given: begun.append(True) or going_on(*given))
    long = "x" * 20_000_000
    assert ask(connection, "SELECT length(%s), %s", long, long) == [(len(long), long)]
    assert begun == ([True] if monkey.is_module_patched("select") else [])


def test_an_error_is_raised_and_the_connection_goes_on(connection: Connection) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero):
        ask(connection, "SELECT 1 / %s", 0)
    assert ask(connection, "SELECT %s", 7) == [(7,)]


def test_a_server_that_ends_the_connection_is_noticed(connection: Connection) -> None:
    with pytest.raises(psycopg.OperationalError):
        ask(connection, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert connection.closed


def test_others_go_on_while_one_waits(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monkey, "is_module_patched", lambda _name: True)
    holder, waiter = postgres.connect(url), postgres.connect(url)
    ask(holder, "SELECT pg_advisory_lock(1)")
    waiting = gevent.spawn(ask, waiter, "SELECT 'mine' FROM (SELECT pg_advisory_lock(1)) AS locked")
    gevent.sleep(0)
    assert not waiting.ready()
    ask(holder, "SELECT pg_advisory_unlock(1)")
    assert waiting.get(timeout=30) == [("mine",)]
    for one in (holder, waiter):
        one.close()


def test_one_that_waits_with_a_limit_gives_up(connection: Connection) -> None:
    connection.execute("LISTEN here")
    assert list(connection.notifies(timeout=0.01)) == []


def test_a_kept_watcher_ends_with_its_connection(connection: Connection) -> None:
    ask(connection, "SELECT 1")
    connection.close()
    assert connection._watcher is None
