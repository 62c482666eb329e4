"""Whether this process can serve people now."""

from __future__ import annotations

import logging
import sys

import gevent

from guessio import clock
from guessio.store import database

log = logging.getLogger(__name__)

AGAIN_S = 1


def problem() -> str:
    """What keeps the process from serving, in two words; nothing when it is ready."""
    try:
        return "" if database.ping() else "database silent"
    except Exception:
        # Whatever the driver says, the answer for a load balancer is the same.
        return "database unreachable"


def wait(patience_s: float) -> bool:
    """Wait until the database answers, `patience_s` at most; whether it does."""
    until_ms = clock.now_ms() + round(patience_s * 1000)
    while said := problem():
        if clock.now_ms() >= until_ms:
            return False
        log.warning("waiting for the database: %s", said)
        gevent.sleep(AGAIN_S)
    return True


def tell_failure(teller: logging.Logger, text: str, *values: object) -> None:
    """Log the exception at hand: in one line when the database is away, which then is told again and again; else with its trace."""
    error = sys.exception()
    if isinstance(error, database.AWAY):
        teller.warning(f"{text}: %s", *values, type(error).__name__)
    else:
        teller.exception(text, *values)
