"""Whether this process can serve people now."""

from __future__ import annotations

from guessio.store import database


def problem() -> str:
    """What keeps the process from serving, in two words; nothing when it is ready."""
    try:
        return "" if database.ping() else "database silent"
    except Exception:
        # Whatever the driver says, the answer for a load balancer is the same.
        return "database unreachable"
