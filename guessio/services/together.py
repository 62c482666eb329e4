"""What is wanted of the database at the same time, done in one go; each who wants something learns their own fate.

The first to come leads: it lets everyone who is ready join, does it for them all, and passes the lead on if more have come meanwhile.
So nobody waits for a greenlet that might not run, and one process never has two connections in the way of each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import gevent
from gevent.event import Event

log = logging.getLogger(__name__)

BATCH_MOST = 256

Wish = TypeVar("Wish")
Answer = TypeVar("Answer")


class BrokenOff(Exception):
    """The greenlet that did this for others was stopped: whether it was done is unknown."""


class _Ticket(Generic[Wish, Answer]):
    """One wish on its way: `answer` or `error` once it is `done`; `leads` when it shall be done with the others' first."""

    __slots__ = ("answer", "called", "done", "error", "leads", "wish")

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.done = False
        self.answer: Answer | None = None
        self.leads = False
        self.error: BaseException | None = None
        self.called: Event | None = None


class Together(Generic[Wish, Answer]):
    """Does wishes with `do(opened, wishes)`, which gives an answer for each, on what `open_` gave; that has a `close`."""

    def __init__(self, open_: Callable[[], Any], do: Callable[[Any, list[Wish]], list[Answer]]) -> None:
        self._open = open_
        self._do = do
        self._opened: Any = None
        self._waiting: list[_Ticket[Wish, Answer]] = []
        self._led = False
        self.batches = 0
        self.wishes = 0

    def ask(self, wish: Wish) -> Answer:
        """The answer to this wish.

        Raises: what the database raised for this wish, or BrokenOff; in both cases it may or may not have been done.
        """
        ticket: _Ticket[Wish, Answer] = _Ticket(wish)
        self._waiting.append(ticket)
        try:
            if self._led:
                ticket.called = Event()
                ticket.called.wait()
            else:
                self._led = ticket.leads = True
            if ticket.leads:
                self._lead()
        finally:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            if ticket.leads:
                self._pass_on()
        if ticket.error is not None:
            raise ticket.error
        return cast(Answer, ticket.answer)

    def close(self) -> None:
        """Close the connection; the next wish opens it anew."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _lead(self) -> None:
        batch: list[_Ticket[Wish, Answer]] = []
        try:
            gevent.sleep(0)
            batch, self._waiting = self._waiting[:BATCH_MOST], self._waiting[BATCH_MOST:]
            self._do_all(batch)
        finally:
            for ticket in batch:
                if not ticket.done:
                    ticket.error = BrokenOff()
                if ticket.called is not None:
                    ticket.called.set()

    def _pass_on(self) -> None:
        if not self._waiting:
            self._led = False
            return
        heir = self._waiting[0]
        heir.leads = True
        if heir.called is not None:
            heir.called.set()

    def _do_all(self, batch: list[_Ticket[Wish, Answer]]) -> None:
        try:
            self._do_together(batch)
        except Exception as error:
            if len(batch) > 1:
                log.warning("doing %d things together failed, trying each alone: %s", len(batch), error)
            for ticket in batch:
                self._do_alone(ticket)

    def _do_alone(self, ticket: _Ticket[Wish, Answer]) -> None:
        try:
            self._do_together([ticket])
        except Exception as error:
            ticket.done, ticket.error = True, error

    def _do_together(self, batch: list[_Ticket[Wish, Answer]]) -> None:
        if self._opened is None:
            self._opened = self._open()
        for ticket, answer in zip(batch, self._do(self._opened, [ticket.wish for ticket in batch]), strict=True):
            ticket.done, ticket.answer = True, answer
        self.batches += 1
        self.wishes += len(batch)
