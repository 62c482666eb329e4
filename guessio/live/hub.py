"""Every open stream of this process: who gets what, the beat, and the end.

A stream belongs to an account and may show a table. It holds no database connection and no request; what it is sent is drawn once for
all streams of an account that show the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gevent
from flask import Flask

from guessio import bus, figures
from guessio.live import notices, presence
from guessio.live.room import Room
from guessio.live.stream import Body, Stream, named, retry
from guessio.rules.terms import AccountId, TableId
from guessio.services import play, readiness, sessions, tables

log = logging.getLogger(__name__)

BEAT_MS = 5_000
STREAMS_MOST = 40
SLICES = 10
SWEEP_MS = 1_000
TOLD_WITHIN_MS = 250
"""How long after its commit a step may be told of; what is found in the database is not missed before."""
SEARCH = "search"

CatchUp = Callable[[AccountId, Mapping[str, str]], Iterable[Any]]

_accounts: dict[AccountId, list[Stream]] = {}
_rooms: dict[TableId, Room] = {}
_listening: dict[AccountId, Callable[[], None]] = {}
_catch_ups: list[CatchUp] = []
_subscriptions: list[Callable[[], Any]] = []
_slices: list[set[Stream]] = [set() for _ in range(SLICES)]
_greenlets: list[Any] = []
_is_closing = False


class Closing(Exception):
    """This process is about to end and opens no more streams."""


def start(app: Flask) -> None:
    """Begin with no streams; beat, and follow ended sessions, changed searches and gaps of the bus."""
    global _is_closing
    stop()
    for stream in all_streams():
        close(stream)
    _is_closing = False
    on_open(play.catch_up)
    figures.follow(figures.STREAMS, lambda: len(all_streams()))
    figures.follow(figures.PRESENT, presence.count)
    _subscriptions.append(bus.subscribe("sessions", _on_session_ended))
    _subscriptions.append(bus.on_gap(_on_gap))
    _subscriptions.extend(bus.subscribe(f"search:{group}", _on_search_changed) for group in play.GROUPS)
    if not app.testing:
        _greenlets.append(gevent.spawn(_for_ever, BEAT_MS // SLICES, _beat_next))
        _greenlets.append(gevent.spawn(_for_ever, SWEEP_MS - TOLD_WITHIN_MS, look_for_missed_steps))
        _greenlets.append(gevent.spawn(_for_ever, SWEEP_MS, look_for_ended_searches))


def stop() -> None:
    """End every stream at once with a hint to reconnect after a random while: call it when the worker must go (SIGTERM)."""
    global _is_closing
    _is_closing = True
    presence.stop()
    for greenlet in _greenlets:
        greenlet.kill(block=False)
    _greenlets.clear()
    while _subscriptions:
        _subscriptions.pop()()
    _catch_ups.clear()
    for stream in all_streams():
        stream.end(retry())


def on_open(catch_up: CatchUp) -> None:
    """Register `catch_up(account, query)`: the messages to its account that a page may have missed before its stream opened.

    Called after the stream listens, with the query of `/live`, so that nothing falls between; and again after any gap.
    """
    _catch_ups.append(catch_up)


def new_stream(account: AccountId, token_hash: str, query: Mapping[str, str], version: int) -> Body | None:
    """A stream for a page that shows `version` of the table named in its query, if any, as the body of the answer.

    None when the account has no seat at that table.

    Raises: Closing when the process is about to end.
    """
    if _is_closing:
        raise Closing
    table_id = TableId(query["table"]) if query.get("table") else None
    if table_id is not None and not _has_seat(account, table_id):
        return None
    return Body(Stream(account, token_hash, query, table_id, version), open_stream, catch_up, close)


def open_stream(stream: Stream) -> None:
    """Listen for everything that the stream is to be sent."""
    stream.put(retry())
    if _is_closing:
        stream.end(retry())
        return
    account, table_id = stream.account, stream.table_id
    _accounts.setdefault(account, []).append(stream)
    _end_most(account)
    if account not in _listening:
        _listening[account] = bus.subscribe(f"account:{account}", _on_account_message)
    min(_slices, key=len).add(stream)
    if table_id is not None:
        _room(table_id).add(stream)
    presence.opened(account)


def _end_most(account: AccountId) -> None:
    """Keep one account from taking everybody's connections: beyond what tabs a person has, the oldest streams end."""
    going_on = [stream for stream in _accounts[account] if not stream.is_ended]
    for stream in going_on[: max(0, len(going_on) - STREAMS_MOST)]:
        stream.end(retry())


def close(stream: Stream) -> None:
    """Forget a stream whose page is gone."""
    streams = _accounts.get(stream.account, [])
    if stream not in streams:
        return
    streams.remove(stream)
    if not streams:
        del _accounts[stream.account]
        _listening.pop(stream.account)()
    for one in _slices:
        one.discard(stream)
    room = _rooms.get(stream.table_id) if stream.table_id is not None else None
    if room is not None and room.remove(stream):
        del _rooms[room.table_id]
    presence.closed(stream.account)


def left(account: AccountId, tab: str) -> None:
    """A page says that it closes: only a hint, which a page that stays would answer by connecting again."""
    for stream in list(_accounts.get(account, ())):
        if tab and tab in (stream.query.get("tab"), stream.query.get("page")):
            stream.cut()


def catch_up(stream: Stream) -> None:
    """Send what the page lacks of its account's messages and of its table (R5.2)."""
    for source in _catch_ups:
        for message in source(stream.account, stream.query):
            _put(stream, message)
    if stream.table_id is not None:
        _room(stream.table_id).catch_up(stream)


def look_for_missed_steps() -> None:
    """Show the tables whose steps another process made without this one hearing of it."""
    late = {table_id: version for table_id, version in tables.versions(list(_rooms)).items() if _is_news(table_id, version)}
    if late:
        _let_others_tell()
    for table_id, version in late.items():
        if _is_news(table_id, version):
            figures.MISSED_STEPS.inc()
            _rooms[table_id].notice(version)


def look_for_ended_searches() -> None:
    """Lead on the pages of searches that another process ended without this one hearing of it."""
    waiting = [stream for stream in all_streams() if stream.query.get("page") == SEARCH and not stream.was_led_on]
    searching = play.searching({stream.account for stream in waiting})
    for stream in waiting:
        if stream.account not in searching:
            stream.fall_behind()


def beat(streams: Iterable[Stream]) -> None:
    """Show each stream that the line is alive; one whose session is over ends (R12.3)."""
    beating = list(streams)
    held = {stream.token_hash for stream in beating}
    try:
        alive = sessions.alive_among(held) if held else held
    except Exception as error:
        log.warning("sessions could not be checked, their streams go on: %s", error)
        alive = held
    for stream in beating:
        if stream.token_hash in alive:
            stream.beat()
        else:
            stream.end(named("signed-out", sessions.EndReason.EXPIRED))


def all_streams() -> list[Stream]:
    """Every open stream."""
    return [stream for streams in _accounts.values() for stream in streams]


def _is_news(table_id: TableId, version: int) -> bool:
    """Whether there are pages here that have not been told of this version of their table."""
    room = _rooms.get(table_id)
    return room is not None and room.lacks(version)


def _let_others_tell() -> None:
    gevent.sleep(TOLD_WITHIN_MS / 1000)


def _room(table_id: TableId) -> Room:
    found = _rooms.get(table_id)
    if found is None:
        found = _rooms[table_id] = Room(table_id)
    return found


def _has_seat(account: AccountId, table_id: TableId) -> bool:
    loaded = tables.peek(table_id) or tables.load(table_id)
    return loaded is not None and account in tables.machine(loaded.kind).members(loaded.state)


def _put(stream: Stream, message: Any) -> None:
    text = notices.draw(message, stream.account)
    if text:
        _lead(stream, message, text)


def _lead(stream: Stream, message: Any, text: str) -> None:
    if isinstance(message, bus.Navigate):
        # A search's page that is loading its match must not be told again: that would break the loading off.
        if stream.was_led_on and stream.query.get("page") == SEARCH:
            return
        stream.was_led_on = True
    stream.put(text)


def _on_account_message(topic: str, message: Any) -> None:
    account = AccountId(int(topic.partition(":")[2]))
    text = notices.draw(message, account)
    for stream in list(_accounts.get(account, ())) if text else ():
        _lead(stream, message, text)


def _on_session_ended(_topic: str, message: Any) -> None:
    for stream in all_streams():
        if stream.token_hash == message.token_hash:
            stream.end(named("signed-out", message.reason or sessions.EndReason.ENDED))


def _on_search_changed(topic: str, message: Any) -> None:
    # Drawing asks the database: not in the greenlet of whoever changed the search.
    searching = [stream for stream in all_streams() if stream.query.get("page") == SEARCH]
    if searching:
        gevent.spawn(_show_search, searching, topic.partition(":")[2], message)


def _show_search(streams: list[Stream], group: str, message: Any) -> None:
    """Show it to those who wait in that group, and to those who wait in none any more, who are led on."""
    try:
        waiting = play.searching({stream.account for stream in streams})
    except Exception:
        readiness.tell_failure(log, "looking up who waits where failed; all their pages are shown the change")
        waiting = {}
    for stream in streams:
        if not stream.is_ended and str(waiting.get(stream.account, group)) == group:
            try:
                _put(stream, message)
            except Exception:
                readiness.tell_failure(log, "showing a changed search failed; the page catches up")
                stream.fall_behind()


def _on_gap() -> None:
    for stream in all_streams():
        stream.fall_behind()


def _beat_next() -> None:
    _slices.append(_slices.pop(0))
    beat(_slices[0])


def _for_ever(every_ms: int, work: Callable[[], None]) -> None:
    while True:
        gevent.sleep(every_ms / 1000)
        try:
            work()
        except Exception as error:
            log.warning("%s failed, trying again: %s", work.__name__, error)
