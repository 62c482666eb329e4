"""Logs: one line a request, numbered, without queries, addresses, cookies, bodies or anybody's e-mail address."""

from __future__ import annotations

import json
import logging
from urllib.parse import quote

from flask import Response, g, has_request_context, request

from guessio import clock, figures
from guessio.config import Settings

QUIET = frozenset({"static", "versioned_static", "health.alive", "health.ready", "metrics.show"})

# A guess takes a few milliseconds: whatever takes this long is felt by the person who waits.
SLOW_MS = 1_000

_requests = logging.getLogger("guessio.requests")


def start(settings: Settings) -> None:
    """Log to standard error: JSON lines in production, plain lines in development."""
    handler = logging.StreamHandler()
    handler.addFilter(RequestNumber())
    handler.setFormatter(JsonLines() if settings.production else logging.Formatter("%(levelname)s %(name)s [%(request_id)s] %(message)s"))
    ours = logging.getLogger("guessio")
    ours.handlers[:] = [handler]
    ours.setLevel(settings.log_level.upper())
    ours.propagate = False


def answered(response: Response) -> None:
    """Count and log that a request was answered; one that was slow is a warning."""
    figures.ANSWERS.labels(f"{response.status_code // 100}xx").inc()
    took_ms = clock.now_ms() - g.get("began_ms", clock.now_ms())
    level = logging.INFO if took_ms < SLOW_MS else logging.WARNING
    if _requests.isEnabledFor(level) and request.endpoint not in QUIET:
        _requests.log(level, "%s %s %s in %s ms", request.method, quote(request.path), response.status_code, took_ms)


class RequestNumber(logging.Filter):
    """Puts the number of the request into every record that is logged while it is answered."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, numbered."""
        record.request_id = g.get("request_id", "-") if has_request_context() else "-"
        return True


class JsonLines(logging.Formatter):
    """One JSON object a line, for machines that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON with its request's number where there is one."""
        line = {
            "time_ms": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_id", "-"),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)
