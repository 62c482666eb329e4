"""Group commit: saves that are wanted at the same time share one transaction, and each learns its own fate after the commit.

The first to come leads: it lets everyone who is ready join, writes them all, and passes the lead on if more have come meanwhile.
So nobody waits for a greenlet that might not run, and one process never has two writers in the way of each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import gevent
from gevent.event import Event

from guessio import figures
from guessio.store.saves import Writer
from guessio.store.tables import Save

log = logging.getLogger(__name__)

BATCH_MOST = 256


class BrokenOff(Exception):
    """The greenlet that wrote for this save was stopped: whether the save was written is unknown."""


class _Ticket:
    """One save on its way: `written` or `error` once it is `done`; `leads` when it shall write for the others first."""

    __slots__ = ("called", "done", "error", "leads", "save", "written")

    def __init__(self, save: Save) -> None:
        self.save = save
        self.done = False
        self.written = False
        self.leads = False
        self.error: BaseException | None = None
        self.called: Event | None = None


class Saver:
    """Writes saves through the writer that `open_writer` gives."""

    def __init__(self, open_writer: Callable[[], Writer]) -> None:
        self._open = open_writer
        self._writer: Writer | None = None
        self._waiting: list[_Ticket] = []
        self._led = False
        self.batches = 0
        self.saves = 0

    def save(self, save: Save) -> bool:
        """Durable when it returns True; False when the row no longer had the expected version.

        Raises: what the database raised for this save, or BrokenOff; in both cases it may or may not have been written.
        """
        ticket = _Ticket(save)
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
        return ticket.written

    def close(self) -> None:
        """Close the connection; the next save opens it anew."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _lead(self) -> None:
        batch: list[_Ticket] = []
        try:
            gevent.sleep(0)
            batch, self._waiting = self._waiting[:BATCH_MOST], self._waiting[BATCH_MOST:]
            self._write(batch)
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

    def _write(self, batch: list[_Ticket]) -> None:
        try:
            self._write_together(batch)
        except Exception as error:
            if len(batch) > 1:
                log.warning("a transaction of %d saves failed, trying each alone: %s", len(batch), error)
            for ticket in batch:
                self._write_alone(ticket)

    def _write_alone(self, ticket: _Ticket) -> None:
        try:
            self._write_together([ticket])
        except Exception as error:
            ticket.done, ticket.error = True, error

    def _write_together(self, batch: list[_Ticket]) -> None:
        if self._writer is None:
            self._writer = self._open()
        for ticket, written in zip(batch, self._writer.write([ticket.save for ticket in batch]), strict=True):
            ticket.done, ticket.written = True, written
        self.batches += 1
        self.saves += len(batch)
        figures.SAVES.observe(len(batch))
