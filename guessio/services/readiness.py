"""Whether this process can serve people now."""

from __future__ import annotations

import logging
import sys

from guessio.store import database


def problem() -> str:
    """What keeps the process from serving, in two words; nothing when it is ready."""
    try:
        return "" if database.ping() else "database silent"
    except Exception:
        # Whatever the driver says, the answer for a load balancer is the same.
        return "database unreachable"


def tell_failure(log: logging.Logger, text: str, *values: object) -> None:
    """Log the exception at hand: in one line when the database is away, which then is told again and again; else with its trace."""
    error = sys.exception()
    if isinstance(error, database.AWAY):
        log.warning(f"{text}: %s", *values, type(error).__name__)
    else:
        log.exception(text, *values)
