"""What the pages around duels are sent beside the table itself: the lobby, an offer behind its link, the rematch at the end.

A page names itself in the query of its stream: `page=duels` with the filter, `page=duel-offer` with `offer`, or the duel's table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import gevent
from flask import Flask

from guessio import bus, clock
from guessio.live import hub, notices, painting
from guessio.live.stream import Stream
from guessio.rules import tunables
from guessio.rules.terms import AccountId, TableId, TableKind
from guessio.services import duel_lobby, duel_rematch, readiness, tables
from guessio.services.duel_lobby import OfferPage
from guessio.services.withdrawal import TOPIC

log = logging.getLogger(__name__)

LOBBY = "duels"
OFFER = "duel-offer"
SWEEP_MS = 1_000

Page = tuple[AccountId, TableId]

_subscriptions: list[Callable[[], None]] = []
_greenlets: list[Any] = []
_due: set[Any] = set()
_watched: dict[Page, int | None] = {}


def start(app: Flask) -> None:
    """Follow lobby and rematches, and the pages of duels that are left. Call it after `hub.start`."""
    stop()
    hub.on_open(catch_up)
    _subscriptions.append(bus.subscribe(TOPIC, _on_change))
    if not app.testing:
        _greenlets.append(gevent.spawn(_sweep_for_ever))


def stop() -> None:
    """Follow nothing any more."""
    while _subscriptions:
        _subscriptions.pop()()
    for greenlet in _greenlets:
        greenlet.kill(block=False)
    _greenlets.clear()
    _due.clear()
    _watched.clear()


def catch_up(account: AccountId, query: Mapping[str, str]) -> tuple[Any, ...]:
    """What a page may have missed before its stream opened, or in a gap."""
    if query.get("page") in (LOBBY, OFFER):
        return (_draw_page(account, query),)
    table = TableId(query.get("table", ""))
    if not table or not _is_duel(table):
        return ()
    _watched[account, table] = None
    duel_rematch.opened(account, table)
    shown = next((stream.shown for stream in hub.all_streams() if stream.query is query), 0)
    return (_draw_rematch(account, table, shown),)


def look_for_left_pages(now_ms: int) -> None:
    """Note which pages of duels have been gone for longer than a reload takes: a finished one's rematch is off (R17.4)."""
    open_pages = {(stream.account, stream.table_id) for stream in hub.all_streams() if not stream.is_ended}
    for page, since_ms in list(_watched.items()):
        if page in open_pages:
            _watched[page] = None
        elif since_ms is None:
            _watched[page] = now_ms
        elif now_ms - since_ms >= tunables.AWAY_UNSEEN_MS:
            duel_rematch.left(*page, since_ms)
            del _watched[page]


def look_for_begun_duels() -> None:
    """Lead on the lobbies of players whose duel began without this process hearing of it."""
    waiting = [stream for stream in hub.all_streams() if stream.query.get("page") == LOBBY and not stream.was_led_on]
    playing = duel_lobby.playing({stream.account for stream in waiting})
    for stream in waiting:
        if stream.account in playing:
            # Once: a page that is loading the next one must not be told again and again.
            stream.was_led_on = True
            stream.fall_behind()


def _on_change(_topic: str, message: Any) -> None:
    # Drawing asks the database: not in the publisher's greenlet, and once for changes that come together.
    if message not in _due:
        _due.add(message)
        gevent.spawn(_show, message)


def _show(message: Any) -> None:
    _due.discard(message)
    for stream in hub.all_streams():
        if stream.is_ended:
            continue
        try:
            text = notices.draw(_answer(stream, message), stream.account)
        except Exception:
            readiness.tell_failure(log, "showing a change of the duels failed; the page catches up")
            stream.fall_behind()
            continue
        if text:
            stream.put(text)


def _answer(stream: Stream, message: Any) -> Any:
    """What this stream is sent of the change; None when its page shows none of it."""
    if isinstance(message, bus.DuelsChanged) and stream.query.get("page") in (LOBBY, OFFER):
        return _draw_page(stream.account, stream.query)
    if isinstance(message, bus.RematchChanged) and stream.table_id == message.duel:
        return _draw_rematch(stream.account, message.duel, stream.shown)
    return None


def _draw_page(account: AccountId, query: Mapping[str, str]) -> Any:
    running = duel_lobby.running(account)
    if running is not None and query.get("page") == LOBBY:
        return bus.Navigate(f"/duel/{running}")
    if query.get("page") == LOBBY:
        return _fragment("offers", page=duel_lobby.page(account, query))
    found = duel_lobby.offer(account, query.get("offer", ""))
    return _fragment("offer", offer=found) if isinstance(found, OfferPage) else bus.Navigate(f"/duel/{found}")


def _draw_rematch(account: AccountId, table: TableId, shown: int) -> Any:
    """The place of the rematch on a page that shows the end; a page that is still behind gets it with the rest."""
    loaded = tables.load(table)
    if loaded is None or not duel_rematch.is_over(table) or shown < loaded.version:
        return None
    return _fragment("rematch", rematch=duel_rematch.look(loaded.state, account))


def _fragment(name: str, **context: Any) -> notices.Drawn:
    template = painting.environment().get_template(f"fragments/duel/{name}.html")
    return notices.Drawn(painting.partial(f"#{name}", "outerMorph", template.render(context)))


def _is_duel(table: TableId) -> bool:
    loaded = tables.peek(table) or tables.load(table)
    return loaded is not None and loaded.kind is TableKind.DUEL


def _sweep_for_ever() -> None:
    while True:
        gevent.sleep(SWEEP_MS / 1000)
        try:
            look_for_left_pages(clock.now_ms())
            look_for_begun_duels()
        except Exception as error:
            log.warning("looking after the pages of duels failed, trying again: %s", error)
