"""The timer of the duel offers sleeps until a maker has been away too long, and wakes when the offers change (R17.1)."""

from __future__ import annotations

from collections.abc import Iterator

import gevent
import pytest
from flask import Flask

from guessio.jobs import offers, sleeper
from guessio.rules import tunables
from guessio.services import duel_offers
from tests.services.crowd import an_account
from tests.services.duels_kit import QUICK, offer_of


@pytest.fixture
def running(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tunables, "DUEL_OFFER_AWAY_MS", 20)
    offers.start()
    gevent.sleep(0)
    yield
    offers.stop()


def wait_for_end(account: int) -> None:
    with gevent.Timeout(10):
        while offer_of(account) is not None:  # pyright: ignore[reportArgumentType]
            gevent.sleep(0.005)


@pytest.mark.usefixtures("running")
def test_an_offer_of_somebody_away_wakes_the_timer_and_ends() -> None:
    ada = an_account("ada")
    duel_offers.make(ada, QUICK, is_public=True)
    wait_for_end(ada)


@pytest.mark.usefixtures("running")
def test_a_fault_does_not_end_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sleeper, "AGAIN_S", 0.01)
    ada = an_account("ada")
    asked: list[int] = []

    def broken() -> int | None:
        asked.append(1)
        raise RuntimeError("no database")

    with monkeypatch.context() as failing, gevent.Timeout(10):
        failing.setattr(duel_offers, "run_due", broken)
        duel_offers.make(ada, QUICK, is_public=True)
        while len(asked) < 3:
            gevent.sleep(0.005)
    wait_for_end(ada)
