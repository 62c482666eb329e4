"""What a page is sent on its way to the connection: queued, written at once where that cannot block, in order."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import gevent
import pytest
from gevent.event import Event

from guessio.live import stream as streams
from guessio.live.stream import Stream
from guessio.rules.terms import AccountId


class Page:
    """A page whose own greenlet takes messages, over a connection that tests can look into."""

    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.theirs.setblocking(False)
        self.taken: list[str] = []
        self.stream = Stream(AccountId(1), "t", {}, None, 0)
        self.stream.is_behind = False
        self.greenlet = gevent.spawn(self._run)
        self.write: Callable[[bytes], object] = self.ours.sendall
        self.stream.use(self.ours, lambda octets: self.write(octets))
        self.settle()

    def _run(self) -> None:
        while (text := self.stream.take(lambda _stream: None)) is not None:
            self.taken.append(text)

    def read(self) -> str:
        try:
            return self.theirs.recv(1 << 20).decode()
        except BlockingIOError:
            return ""

    @staticmethod
    def settle() -> None:
        """Let everybody who is ready run, until nobody is."""
        for _ in range(5):
            gevent.sleep(0)


@pytest.fixture
def page() -> Iterator[Page]:
    made = Page()
    yield made
    made.greenlet.kill()
    made.ours.close()
    made.theirs.close()


def test_a_page_that_waits_is_written_to_at_once(page: Page) -> None:
    page.stream.put("one ")
    page.stream.put("two")
    page.settle()
    assert (page.read(), page.taken) == ("one two", [])


def test_a_line_that_has_not_taken_the_last_message_is_left_to_the_page(page: Page) -> None:
    """Nobody else waits for a slow page."""
    page.ours.send(b"still on its way")
    page.stream.put("next")
    page.settle()
    assert (page.read(), page.taken) == ("still on its way", ["next"])


def test_a_long_message_is_left_to_the_page(page: Page) -> None:
    page.stream.put("x" * (streams.LINE_HOLDS + 1))
    page.settle()
    assert (page.read(), len(page.taken)) == ("", 1)


def test_a_line_is_asked_again_before_more_is_written_than_it_surely_holds(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking costs half as much as writing."""
    asked: list[int] = []
    real = streams.is_idle
    monkeypatch.setattr(streams, "is_idle", lambda descriptor: asked.append(descriptor) or real(descriptor))
    message = "x" * (streams.LINE_HOLDS // 4)
    for _ in range(4):
        page.stream.put(message)
        page.settle()
    assert (len(asked), page.taken) == (1, [])
    page.stream.put("more")
    page.settle()
    assert (len(asked), page.taken) == (2, ["more"])
    assert page.read() == 4 * message
    page.stream.put("the line is empty again")
    page.settle()
    assert (len(asked), page.read()) == (3, "the line is empty again")


def test_a_line_that_blocks_after_all_keeps_nobody_else_waiting(page: Page) -> None:
    other = Page()
    never = Event()
    page.write = lambda _octets: never.wait()
    page.stream.put("stuck")
    other.stream.put("first")
    page.settle()
    other.stream.put("second")
    page.settle()
    assert other.read() + "".join(other.taken) == "firstsecond"
    never.set()
    page.settle()
    other.greenlet.kill()


def test_a_page_that_is_behind_is_brought_up_to_date_first(page: Page) -> None:
    page.stream.put("later")
    page.stream.fall_behind()
    page.settle()
    assert (page.read(), page.taken) == ("", ["later"])


def test_a_line_that_is_gone_ends_the_stream(page: Page) -> None:
    def broken(_octets: bytes) -> None:
        raise BrokenPipeError

    page.write = broken
    page.stream.put("lost")
    page.settle()
    assert page.stream.is_ended
    assert page.greenlet.dead


def test_messages_keep_their_order_while_one_is_being_written(page: Page) -> None:
    def slow(octets: bytes) -> None:
        gevent.sleep(0)
        gevent.sleep(0)
        page.taken.append(octets.decode())

    page.write = slow
    for text in ("one", "two", "three"):
        page.stream.put(text)
        gevent.sleep(0)
    page.settle()
    assert "".join(page.taken) == "onetwothree"


def test_the_last_message_is_sent_and_ends_the_page(page: Page) -> None:
    page.stream.end("bye")
    page.settle()
    assert page.read() + "".join(page.taken) == "bye"
    assert page.greenlet.dead


def test_a_closed_line_takes_nothing(page: Page) -> None:
    number = page.ours.fileno()
    page.ours.close()
    assert not streams.is_idle(number)
