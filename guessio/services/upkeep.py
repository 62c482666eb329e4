"""Tidying that nobody waits for, done by one process of many."""

from __future__ import annotations

from guessio import clock
from guessio.services import quits, sessions
from guessio.store import database, leases
from guessio.store import tables as table_rows

KEPT_MS = 24 * 3_600_000
"""How long a settled table stays, for those who still look at it; its record lives on in the history."""


def tidy() -> bool:
    """End suspensions that have run out, drop expired sessions and old tables; False where another process does it."""
    if not leases.hold("upkeep"):
        return False
    quits.lift()
    sessions.drop_expired()
    with database.write() as conn:
        table_rows.drop_settled(conn, clock.now_ms() - KEPT_MS)
    return True
