"""The timer of the bot seats sleeps until a seat is due and wakes when a search begins (R3.2)."""

from __future__ import annotations

from collections.abc import Iterator

import gevent
import pytest
from flask import Flask

from guessio import clock
from guessio.jobs import fills, sleeper
from guessio.rules import tunables
from guessio.services import bots, matchmaking, play
from tests.services.crowd import DUO, TRIO, an_account


@pytest.fixture
def running(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tunables, "FILL_MS", 20)
    bots.seed(4)
    fills.start()
    gevent.sleep(0)
    yield
    fills.stop()


def matched(*actors: int) -> None:
    """Wait until all of these sit in a match."""
    with gevent.Timeout(10):
        while not all(isinstance(play.find(actor), str) for actor in actors):  # pyright: ignore[reportArgumentType]
            gevent.sleep(0.005)


@pytest.mark.usefixtures("running")
def test_a_search_wakes_the_timer_and_bots_come_one_by_one() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, TRIO)
    matched(ada)
    matchmaking.search(bo, DUO)
    matched(bo)


@pytest.mark.usefixtures("running")
def test_a_fault_does_not_end_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sleeper, "AGAIN_S", 0.01)
    ada = an_account("ada")
    asked: list[int] = []

    def broken() -> int | None:
        asked.append(1)
        raise RuntimeError("no database")

    with monkeypatch.context() as failing, gevent.Timeout(10):
        failing.setattr(matchmaking, "serve", broken)
        matchmaking.search(ada, DUO)
        while len(asked) < 3:
            gevent.sleep(0.005)
    matched(ada)


def test_nobody_waiting_means_nothing_due(app: Flask) -> None:
    assert matchmaking.run_due() is None


def test_one_of_many_processes_serves(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    bots.seed(1)
    monkeypatch.setattr(tunables, "FILL_MS", 0)
    ada = an_account("ada")
    matchmaking.search(ada, DUO)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("guessio.store.leases.hold", lambda _: False)
        again = matchmaking.serve()
    assert again is not None, "the others must ask again, in case the one that serves dies"
    assert not isinstance(play.find(ada), str)
    matchmaking.serve()
    assert isinstance(play.find(ada), str)


@pytest.mark.db
def test_the_one_that_serves_asks_again_although_nobody_told_it_of_a_search(app: Flask, database_kind: str) -> None:
    """The search began in a process that died before it could tell. With SQLite there is no such process."""
    again = matchmaking.serve()
    if database_kind == "sqlite":
        assert again is None
    else:
        assert again is not None
        assert again <= clock.now_ms() + matchmaking.STAND_BY_MS
