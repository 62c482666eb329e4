"""Group commit by itself: who leads, who waits, and what happens when either is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gevent
import pytest
from gevent.event import Event

from guessio.rules.terms import TableId
from guessio.services.saver import Saver
from guessio.services.together import BrokenOff, Together
from guessio.store.tables import Save


class SlowWriter:
    """Notes each transaction, and waits before its commit for as long as the test likes."""

    def __init__(self) -> None:
        self.written: list[list[str]] = []
        self.begun: list[list[str]] = []
        self.may_commit = Event()
        self.may_commit.set()

    def write(self, saves: Sequence[Save]) -> list[bool]:
        names = [save.id for save in saves]
        self.begun.append(names)
        self.may_commit.wait()
        self.written.append(names)
        return [True for _ in saves]

    def close(self) -> None:
        """Nothing to give back."""


@pytest.fixture
def writer() -> SlowWriter:
    return SlowWriter()


@pytest.fixture
def saver(writer: SlowWriter) -> Saver:
    return Saver(lambda: writer)


def save(saver: Saver, name: str) -> bool:
    return saver.save(Save(TableId(name), 1, "", None, None))


def soon(saver: Saver, name: str) -> Any:
    return gevent.spawn(save, saver, name)


def until_begun(writer: SlowWriter, transactions: int) -> None:
    while len(writer.begun) < transactions:
        gevent.sleep(0)


def test_one_save_alone_needs_no_other_greenlet(saver: Saver, writer: SlowWriter) -> None:
    assert save(saver, "a")
    assert writer.written == [["a"]]


def test_saves_that_come_during_a_commit_go_into_the_next_one_together(saver: Saver, writer: SlowWriter) -> None:
    writer.may_commit.clear()
    first = soon(saver, "a")
    until_begun(writer, 1)
    others = [soon(saver, name) for name in "bcd"]
    gevent.sleep(0)
    writer.may_commit.set()
    gevent.joinall([first, *others], raise_error=True)
    assert writer.written == [["a"], ["b", "c", "d"]]


def test_nobody_is_answered_before_the_commit(saver: Saver, writer: SlowWriter) -> None:
    writer.may_commit.clear()
    asked = [soon(saver, name) for name in "ab"]
    until_begun(writer, 1)
    assert not any(one.ready() for one in asked)
    writer.may_commit.set()
    gevent.joinall(asked, raise_error=True)


def test_the_one_that_leads_is_stopped_while_it_writes(saver: Saver, writer: SlowWriter) -> None:
    writer.may_commit.clear()
    asked = [soon(saver, name) for name in "ab"]
    until_begun(writer, 1)
    late = soon(saver, "c")
    gevent.sleep(0)
    asked[0].kill()
    writer.may_commit.set()
    gevent.joinall([*asked, late])
    assert isinstance(asked[1].exception, BrokenOff)
    assert late.value is True
    assert save(saver, "d")


def test_the_one_that_leads_is_stopped_before_it_writes(saver: Saver, writer: SlowWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering = Event()
    monkeypatch.setattr("guessio.services.together.gevent.sleep", lambda _: gathering.wait())
    asked = [soon(saver, name) for name in "ab"]
    gevent.idle()
    asked[0].kill()
    gathering.set()
    gevent.joinall(asked)
    assert writer.written == [["b"]]
    monkeypatch.undo()
    assert save(saver, "c")


def test_one_that_waits_is_stopped(saver: Saver, writer: SlowWriter) -> None:
    writer.may_commit.clear()
    first = soon(saver, "a")
    until_begun(writer, 1)
    others = [soon(saver, name) for name in "bc"]
    gevent.sleep(0)
    others[0].kill()
    writer.may_commit.set()
    gevent.joinall([first, others[1]], raise_error=True)
    assert writer.written == [["a"], ["c"]]


def test_the_heir_is_stopped_at_the_very_moment_that_it_inherits(saver: Saver, writer: SlowWriter) -> None:
    writer.may_commit.clear()
    first = soon(saver, "a")
    until_begun(writer, 1)
    others = [soon(saver, name) for name in "bc"]
    gevent.sleep(0)
    others[0].kill(block=False)
    writer.may_commit.set()
    gevent.joinall([first, *others])
    assert others[1].value is True
    assert save(saver, "d")


def test_of_things_that_fail_together_each_learns_of_its_own_failure() -> None:
    """The same for whatever is asked of the database, such as tables that other workers have changed."""

    def do(_: Any, wishes: list[int]) -> list[int]:
        if 0 in wishes:
            raise ZeroDivisionError
        return [10 // wish for wish in wishes]

    together: Together[int, int] = Together(Event, do)
    asking = [gevent.spawn(together.ask, wish) for wish in (5, 0, 2)]
    gevent.joinall(asking)
    assert [one.value for one in asking] == [2, None, 5]
    assert isinstance(asking[1].exception, ZeroDivisionError)
