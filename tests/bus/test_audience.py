"""Who is told of a table's steps: those that said they want to, and everybody while that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from guessio import bus
from guessio.bus import audience
from guessio.bus.audience import Audience
from guessio.bus.messages import Message, TablesLeft, TablesWatched
from guessio.rules.terms import TableId
from tests.kit.fake_clock import FakeClock

ONE, TWO = TableId("one"), TableId("two")
STEP = bus.TableStepped(ONE, 5, ())
Sent = tuple[Message, tuple[str, ...] | None]


class Line:
    """Stands for the way to the other processes: keeps what is sent."""

    name = "me"

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.deaf = False

    def send(self, _topic: str, message: Message, names: Iterable[str] | None = None) -> None:
        self.sent.append((message, None if names is None else tuple(names)))

    def is_deaf(self) -> bool:
        return self.deaf

    def taken(self) -> list[Sent]:
        taken, self.sent = self.sent, []
        return taken


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, fake_clock: FakeClock) -> Line:
    assert fake_clock.now_ms > 0
    monkeypatch.setattr(bus, "_audience", Audience())
    monkeypatch.setattr(bus, "_transport", Line())
    return bus._transport


def hear(message: Message) -> None:
    bus._deliver_from_others(bus.WATCHED, message)


def watched(worker: str, *tables: TableId, is_new: bool = True, asks: bool = False) -> TablesWatched:
    return TablesWatched(worker, tables, is_new, asks)


def publish() -> Any:
    """To whom a step is sent; None for everybody, empty when it is not sent at all."""
    bus.publish("table:one", STEP)
    sent = bus._transport.taken()
    return sent[0][1] if sent else ()


def test_a_step_goes_to_those_who_want_the_table_alone(line: Line) -> None:
    assert publish() == ()
    hear(watched("you", ONE))
    hear(watched("them", TWO))
    assert publish() == ("you",)
    hear(watched("them", ONE))
    assert publish() == ("you", "them")
    hear(TablesLeft("you", (ONE, TWO)))
    assert publish() == ("them",)
    assert line.taken() == []


def test_everything_else_goes_to_everybody(line: Line) -> None:
    bus.publish("account:1", bus.Navigate("/a"))
    assert line.taken() == [(bus.Navigate("/a"), None)]


def test_whoever_begins_to_want_a_table_says_so_once(line: Line) -> None:
    bus.want(ONE)
    bus.want(ONE)
    assert line.taken() == [(watched("me", ONE), None)]
    bus.let_go(ONE)
    bus.renew()
    assert [message for message, _ in line.taken() if isinstance(message, TablesLeft)] == []
    bus.let_go(ONE)
    bus.renew()
    assert line.taken() == [(TablesLeft("me", (ONE,)), None)]
    bus.renew()
    assert line.taken() == []


def test_a_table_that_is_wanted_again_at_once_was_not_left(line: Line) -> None:
    bus.want(ONE)
    bus.let_go(ONE)
    bus.want(ONE)
    line.taken()
    bus.renew()
    assert [message for message, _ in line.taken()] == [watched("me", ONE, is_new=False)]


def test_after_a_gap_everybody_is_told_everything_until_the_others_have_answered(line: Line, fake_clock: FakeClock) -> None:
    bus.want(ONE)
    line.taken()
    bus.gap()
    assert line.taken() == [(watched("me", ONE, is_new=False, asks=True), None)]
    assert publish() is None
    fake_clock.advance(audience.ANSWER_MS)
    assert publish() == ()


def test_whoever_cannot_hear_tells_everybody(line: Line) -> None:
    line.deaf = True
    assert publish() is None


def test_whoever_is_asked_says_all_that_is_wanted(line: Line) -> None:
    names = [TableId(f"m{number}") for number in range(audience.NAMED_MOST + 1)]
    for name in names:
        bus.want(name)
    line.taken()
    hear(watched("you", asks=True))
    told = [message for message, _ in line.taken()]
    assert [len(message.tables) for message in told if isinstance(message, TablesWatched)] == [audience.NAMED_MOST, 1]
    assert [table for message in told if isinstance(message, TablesWatched) for table in message.tables] == names


def test_what_a_process_does_not_tell_again_is_forgotten(line: Line, fake_clock: FakeClock) -> None:
    hear(watched("you", ONE))
    hear(watched("them", ONE))
    for _ in range(audience.FORGET_MS // audience.RENEW_MS + 1):
        fake_clock.advance(audience.RENEW_MS)
        hear(watched("them", ONE, is_new=False))
        bus.renew()
        assert line.taken() == [(watched("me", is_new=False), None)]
    assert publish() == ("them",)
    fake_clock.advance(audience.FORGET_MS)
    bus.renew()
    line.taken()
    assert publish() == ()


def test_without_other_processes_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "_audience", Audience())
    assert bus._transport is None
    bus.want(ONE)
    bus.tell("you", "table:one", STEP)
    bus.let_go(ONE)
    bus.renew()
    assert list(bus._audience.left("me")) == [], "nothing is kept of tables that were let go"
