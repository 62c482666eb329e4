"""How long the pages and the matches of killed servers wait until they go on at the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg

from guessio import clock
from tests.chaos.actor import Actor
from tests.chaos.ledger import PAGE_BACK, PAGE_BACK_FROM_TWO, STEP_OVERDUE, Ledger
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.server import Server

EVERY_S = 0.02
LATEST = "SELECT max(%s - next_deadline_ms) FROM tables"


@contextmanager
def watched(site: Cluster, actors: Sequence[Actor], killed: Sequence[Server], ledger: Ledger) -> Iterator[None]:
    """Kill the servers within the block, and leave it when they serve again: until then it is watched who waits for what."""
    dead = {server.url for server in killed}
    what = PAGE_BACK if len(killed) == 1 else PAGE_BACK_FROM_TWO
    pages = {actor: actor.person for actor in actors if actor.person.match_id and actor.person.streams_from in dead}
    ledger.count("pages at one killed worker" if len(killed) == 1 else "pages at two killed workers", len(pages))
    over = threading.Event()
    watchers = [
        threading.Thread(target=_watch_pages, args=(pages, what, ledger, over), name="pages", daemon=True),
        threading.Thread(target=_watch_tables, args=(site, ledger, over), name="tables", daemon=True),
    ]
    for watcher in watchers:
        watcher.start()
    try:
        yield
    finally:
        over.set()
        for watcher in watchers:
            watcher.join()


def _watch_pages(pages: dict[Actor, Player], what: str, ledger: Ledger, over: threading.Event) -> None:
    """From the break of each page's stream to the next one that is open, of whatever page that person has come to by then."""
    began: dict[Actor, float] = {}
    back: set[Actor] = set()
    while not over.wait(EVERY_S):
        now = time.monotonic()
        for actor, person in pages.items():
            is_open = bool(person.streams_from)
            if actor.person is not person or actor.is_done:
                back.add(actor)  # The page was closed by its own person.
            elif not is_open:
                began.setdefault(actor, now)
            elif actor in began:
                back.add(actor)
            if actor in began and actor not in back:
                ledger.took(what, now - began[actor])


def _watch_tables(site: Cluster, ledger: Ledger, over: threading.Event) -> None:
    """By how much the most overdue table is late: its clock had run out, and nobody had done what follows."""
    while not over.wait(EVERY_S * 5):
        with suppress(psycopg.OperationalError):
            late_ms = site.query(LATEST, clock.now_ms())[0][0]
            ledger.took(STEP_OVERDUE, max(late_ms or 0, 0) / 1000)
