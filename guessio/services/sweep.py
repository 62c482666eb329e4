"""Looking after what all workers share: what a worker that died, or a message that was lost, has left undone is done by another."""

from __future__ import annotations

from guessio import bus, clock, figures
from guessio.services import sessions, settling, shelf, timers
from guessio.store import database
from guessio.store import tables as rows

OVERDUE_MS = 1_000
"""How long a passed deadline is left to whoever armed it."""
SETTLE_AGAIN_MS = 3_000
MOST = 200


def once() -> int:
    """Hear of sessions that ended, take over deadlines that nobody served, book what was left unbooked, drop what is idle.

    Gives how many deadlines were taken over.
    """
    sessions.look_for_ends()
    now = clock.now_ms()
    with database.read() as conn:
        overdue = rows.overdue(conn, now - OVERDUE_MS, MOST)
        unsettled = rows.unsettled(conn, now - SETTLE_AGAIN_MS, MOST)
    figures.SWEEPS.inc()
    figures.OVERDUE.inc(len(overdue))
    for table_id in overdue:
        timers.arm(table_id, now)
    for table_id in unsettled:
        loaded = shelf.load(table_id)
        if loaded is not None:
            settling.ended(table_id, loaded)
    shelf.tidy(now)
    bus.renew()
    return len(overdue)
