"""Requests of one person are counted over all workers together, and whoever plays causes no message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.exceptions import TooManyRequests

from guessio import bus
from guessio.bus import wire
from guessio.bus.messages import RequestsCounted
from guessio.web import limits
from tests.kit.fake_clock import FakeClock

ADDRESS = "address 203.0.113.9"
MOST = 100
SHARE = MOST // limits.SHARES


@pytest.fixture(autouse=True)
def counting(fake_clock: FakeClock) -> Iterator[None]:
    """A worker in which nobody has been counted yet."""
    begin_worker()
    yield
    limits.install(Flask("unlimited"), False)


@pytest.fixture
def sent() -> Iterator[list[RequestsCounted]]:
    """What goes out to the other workers."""
    messages: list[RequestsCounted] = []
    stop = bus.subscribe(limits.TOPIC, lambda _topic, message: messages.append(message))
    yield messages
    stop()


def begin_worker(secret: str = "one secret for all workers") -> None:
    app = Flask("limited")
    app.secret_key = secret
    limits.install(app, True)


def taken(who: str = ADDRESS, *, tries: int = 2 * MOST) -> int:
    """How many requests in a row are allowed."""
    for number in range(tries):
        try:
            limits.count(who, MOST)
        except TooManyRequests:
            return number
    return tries


def test_one_worker_alone_counts_exactly() -> None:
    assert taken() == MOST
    assert taken() == 0
    assert taken("address 203.0.113.10") == MOST


def test_what_one_worker_counted_counts_at_the_next(sent: list[RequestsCounted]) -> None:
    assert taken(tries=MOST - SHARE) == MOST - SHARE
    travelled = list(sent)
    begin_worker()
    for message in travelled:
        bus.deliver(limits.TOPIC, message)
    assert taken() == SHARE


def test_of_what_is_not_told_yet_less_than_a_share_is_missing(sent: list[RequestsCounted]) -> None:
    assert taken(tries=3 * SHARE - 1) - sum(message.number for message in sent) == SHARE - 1


def test_who_stays_below_a_share_and_who_is_refused_cost_no_message(sent: list[RequestsCounted]) -> None:
    taken(tries=SHARE - 1)
    assert not sent
    taken(tries=3 * MOST)
    told = len(sent)
    assert told == limits.SHARES
    taken(tries=MOST)
    assert len(sent) == told


def test_a_message_names_nobody(sent: list[RequestsCounted]) -> None:
    taken(tries=SHARE)
    text = wire.encode(limits.TOPIC, sent[0])
    assert "203.0.113.9" not in text
    own = sent[0].who
    begin_worker("the secret of another site")
    taken(tries=SHARE)
    assert sent[1].who != own, "nor can whoever knows the address tell the name"


def test_a_minute_later_nothing_of_it_counts_also_when_the_message_is_late(sent: list[RequestsCounted], fake_clock: FakeClock) -> None:
    taken()
    late = list(sent)
    fake_clock.advance(limits.WINDOW_MS)
    for message in late:
        bus.deliver(limits.TOPIC, message)
    assert taken() == MOST
