"""One watched table: its steps, drawn once for each account that watches, in the order of their versions."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gevent
from gevent.event import Event

from guessio import bus, clock
from guessio.live import fragments
from guessio.live.stream import Stream, html
from guessio.rules.terms import AccountId, TableId, TableKind
from guessio.services import readiness, tables

log = logging.getLogger(__name__)

CATCH_UP_MOST = 5
NEWS_MS = 250


class Step(NamedTuple):
    """What is drawn for pages that have the version before `first`: what happened up to `version`, and the state that it led to."""

    first: int
    version: int
    events: tuple[Any, ...]
    kind: TableKind
    state: Any


_DONE = object()
_ready: deque[Room] = deque()
_is_drawing_ready = False


class Room:
    """The streams that show one table. `version` is the newest step heard of; drawing follows in another greenlet.

    One greenlet draws for all rooms whose next step is at hand, because starting one costs a fifth of a drawing; a room that has to ask
    the database first goes on in a greenlet of its own, so that the others don't wait.
    """

    __slots__ = ("_is_drawing", "_kept", "_leave", "_news", "_steps", "_streams", "table_id", "version")

    def __init__(self, table_id: TableId) -> None:
        self.table_id = table_id
        self.version = 0
        self._streams: dict[AccountId, list[Stream]] = {}
        self._steps: deque[bus.TableStepped | Step] = deque()
        self._is_drawing = False
        self._kept: dict[Any, Any] = {}
        self._news: Event | None = None
        self._leave: Callable[[], None] = bus.subscribe(tables.topic(table_id), self.hear)
        bus.want(table_id)

    def add(self, stream: Stream) -> None:
        """Show the table to one more stream."""
        self._streams.setdefault(stream.account, []).append(stream)

    def remove(self, stream: Stream) -> bool:
        """Show it to one less; whether nobody is left, and then the room is closed."""
        streams = self._streams.get(stream.account, [])
        if stream in streams:
            streams.remove(stream)
        if not streams:
            self._streams.pop(stream.account, None)
        if self._streams:
            return False
        self._leave()
        bus.let_go(self.table_id)
        return True

    def hear(self, _topic: str, message: Any) -> None:
        """A step was made: remember it with its state while that is at hand, and draw it soon."""
        if message.version <= self.version:
            return
        self.version = message.version
        kept = tables.peek(self.table_id)
        if message.events is not None and kept is not None and kept.version == message.version:
            self._steps.append(Step(message.version, message.version, message.events, kept.kind, kept.state))
        else:
            self._steps.append(message)
        if self._news is not None:
            self._news.set()
        if not self._is_drawing:
            self._is_drawing = True
            self._begin()

    def lacks(self, version: int) -> bool:
        """Whether `version` was not heard of, and a page shows an older one."""
        return version > self.version and any(stream.shown < version for streams in self._streams.values() for stream in streams)

    def notice(self, version: int) -> None:
        """The database has `version`, of which no step told: everybody is shown the whole table."""
        self.hear("", bus.TableStepped(self.table_id, version, None))

    def catch_up(self, stream: Stream) -> None:
        """Send what the page lacks: the steps that it missed, or the whole table (R5.2)."""
        stream.is_catching_up = True
        try:
            # Steps that are made while the table is loaded are left out; then the room knows of more than was sent.
            for _ in range(CATCH_UP_MOST):
                loaded = tables.load(self.table_id)
                if loaded is not None and loaded.version != stream.shown:
                    self._send_missed(stream, loaded)
                if loaded is None or self.version <= stream.shown:
                    return
        finally:
            stream.is_catching_up = False

    def _send_missed(self, stream: Stream, loaded: tables.Loaded) -> None:
        messages = self._missed(stream, loaded) if 0 < stream.shown < loaded.version else None
        if messages is None:
            whole = fragments.whole(loaded.kind, loaded.state, stream.account, loaded.version, clock.now_ms())
            messages = [html(whole, loaded.version)]
        # Before they are queued: a queue that overflows takes it back.
        stream.shown = loaded.version
        for message in messages:
            stream.put(message)

    def _missed(self, stream: Stream, loaded: tables.Loaded) -> list[str] | None:
        """The steps up to the loaded version, each as a message; None when they are not all known here or can't be drawn."""
        missed = tables.since(self.table_id, stream.shown)
        if missed is None or not missed or missed[-1].version != loaded.version:
            return None
        now = clock.now_ms()
        try:
            steps = [(fragments.step(loaded.kind, one.state, one.events, one.version, now, self._kept), one.version) for one in missed]
            drawn = [(draw(stream.account), version) for draw, version in steps]
        except Exception:
            readiness.tell_failure(log, "drawing what a page missed of table %s failed; it is shown whole", self.table_id)
            return None
        return [html(text, version) for text, version in drawn if text]

    def _begin(self) -> None:
        global _is_drawing_ready
        if not isinstance(self._steps[0], Step):
            gevent.spawn(self._draw_all)
            return
        _ready.append(self)
        if not _is_drawing_ready:
            _is_drawing_ready = True
            gevent.spawn(_draw_ready)

    def draw_ready(self) -> Iterator[None]:
        """Draw the steps that are at hand, up to the first one that is not: each in two stages, with a pause between."""
        while self._steps:
            step = self._steps[0]
            if not isinstance(step, Step):
                gevent.spawn(self._draw_all)
                return
            self._steps.popleft()
            try:
                draw = self._prepared(step)
                yield
                self._show(step, draw)
            except Exception:
                self._tell_failure()
        self._is_drawing = False

    def _draw_all(self) -> None:
        try:
            while self._steps:
                self._draw(self._steps.popleft())
        finally:
            self._is_drawing = False

    def _draw(self, message: bus.TableStepped | Step) -> None:
        try:
            step = message if isinstance(message, Step) else self._find(message)
            if step is None:
                self._fall_behind(self.version)
            else:
                self._show(step, self._prepared(step))
        except Exception:
            self._tell_failure()

    def _tell_failure(self) -> None:
        readiness.tell_failure(log, "drawing a step of table %s failed; it is shown whole", self.table_id)
        self._fall_behind(self.version)

    def _find(self, message: bus.TableStepped) -> Step | None:
        """What to draw for a step that another process made; None when only the whole table will do."""
        loaded = tables.peek(self.table_id)
        if loaded is None or loaded.version < message.version:
            loaded = tables.load(self.table_id)
        if message.events is None or loaded is None or loaded.version < message.version:
            return None
        if loaded.version == message.version:
            return Step(message.version, message.version, message.events, loaded.kind, loaded.state)
        return self._joined(message.version, message.events, loaded)

    def _joined(self, first: int, events: tuple[Any, ...], loaded: tables.Loaded) -> Step | None:
        """The step `first` and those up to the loaded version as one, when all of them were heard of and can be shown so."""
        version = first
        while fragments.can_join(loaded.kind, events):
            if version == loaded.version:
                return Step(first, version, events, loaded.kind, loaded.state)
            if not self._steps:
                self._wait_for_news()
            following = self._steps.popleft() if self._steps else None
            if following is None or following.events is None or following.version != version + 1:
                return None
            version, events = following.version, events + following.events
        return None

    def _wait_for_news(self) -> None:
        """The database has a step whose notification is still on its way here."""
        self._news = Event()
        self._news.wait(NEWS_MS / 1000)
        self._news = None

    def _prepared(self, step: Step) -> fragments.Step:
        """What gives each viewer the message about the step."""
        return fragments.step(step.kind, step.state, step.events, step.version, clock.now_ms(), self._kept)

    def _show(self, step: Step, draw: fragments.Step) -> None:
        """Send the step to the pages that have the one before; those that lack more are brought up to date."""
        before, version = step.first - 1, step.version
        for account, streams in list(self._streams.items()):
            message = None
            for stream in streams:
                if stream.shown != before or stream.is_behind or stream.is_catching_up:
                    stream.lack(version)
                    continue
                if message is None:
                    message = html(text, version) if (text := draw(account)) else ""
                stream.shown = version
                if message:
                    stream.put(message)

    def _fall_behind(self, version: int) -> None:
        for streams in self._streams.values():
            for stream in streams:
                if stream.shown < version:
                    stream.fall_behind()


def _draw_ready() -> None:
    """Draw for all rooms, stage by stage: code that ran just now for another room is at hand, which saves a tenth of the time."""
    global _is_drawing_ready
    try:
        while _ready:
            drawings = [room.draw_ready() for room in _ready]
            _ready.clear()
            while drawings:
                drawings = [drawing for drawing in drawings if next(drawing, _DONE) is not _DONE]
    finally:
        _is_drawing_ready = False
