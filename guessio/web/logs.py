"""Logs: one line a request, numbered, without queries, addresses, cookies, bodies or anybody's e-mail address.

Failures come with whatever words a library found for them. So every line, of whichever logger, is cleaned on its way out.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from contextvars import ContextVar
from urllib.parse import quote

from flask import Response, g, has_request_context, request

from guessio import clock, figures
from guessio.config import Settings

QUIET = frozenset({"static", "versioned_static", "health.alive", "health.ready", "metrics.show"})

# A guess takes a few milliseconds: whatever takes this long is felt by the person who waits.
SLOW_MS = 1_000

# What a failing statement would have stored; a name and its password in an address; tokens, their hashes, nonces; addresses of people.
HIDDEN = (
    (re.compile(r"^DETAIL:.*$", re.MULTILINE), "DETAIL: (hidden)"),
    (re.compile(r"(?<=://)[^/\s@]+@"), "(hidden)@"),
    (re.compile(r"(?<![\w-])(?:[0-9a-f]{32,}|[\w-]{43,})(?![\w-])"), "(hidden)"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "(hidden)"),
)

# The number of a request that is answered without Flask's context.
number: ContextVar[str] = ContextVar("number", default="-")

_handler: logging.Handler | None = None
_requests = logging.getLogger("guessio.requests")


def start(settings: Settings) -> None:
    """Log to standard error: JSON lines in production, plain lines in development."""
    global _handler
    everything = logging.getLogger()
    if _handler is not None:
        everything.removeHandler(_handler)
    _handler = logging.StreamHandler()
    _handler.addFilter(RequestNumber())
    _handler.setFormatter(JsonLines() if settings.production else PlainLines())
    # Libraries' warnings take the same way, or they would reach standard error as they are.
    everything.addHandler(_handler)
    logging.getLogger("guessio").setLevel(settings.log_level.upper())


def answered(response: Response) -> None:
    """Count and log that a request was answered; one that was slow is a warning."""
    took_ms = clock.now_ms() - g.get("began_ms", clock.now_ms())
    note(request.method, request.path, response.status_code, took_ms, is_quiet=request.endpoint in QUIET)


def note(method: str, path: str, status: int, took_ms: int, *, is_quiet: bool = False) -> None:
    """Count an answer, and log it unless it is a quiet one."""
    figures.answers(status).inc()
    level = logging.INFO if took_ms < SLOW_MS else logging.WARNING
    if not is_quiet and _requests.isEnabledFor(level):
        _requests.log(level, "%s %s %s in %s ms", method, quote(path), status, took_ms)


def new_number() -> str:
    """A number for a request."""
    return secrets.token_hex(6)


def clean(text: str) -> str:
    """The text without what no log may hold."""
    for found, instead in HIDDEN:
        text = found.sub(instead, text)
    return text


class RequestNumber(logging.Filter):
    """Puts the number of the request into every record that is logged while it is answered."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, numbered."""
        record.request_id = g.get("request_id", "-") if has_request_context() else number.get()
        return True


class PlainLines(logging.Formatter):
    """Lines for a person at a terminal."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s [%(request_id)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return clean(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object a line, for machines that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON with its request's number where there is one."""
        line = {
            "time_ms": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": clean(record.getMessage()),
            "request_id": getattr(record, "request_id", "-"),
        }
        if record.exc_info:
            line["error"] = clean(self.formatException(record.exc_info))
        return json.dumps(line)
