"""What stands around every request: its number, limits on its size and frequency, CSRF, cookies, and the headers of its answer."""

from __future__ import annotations

import json
import logging
import secrets
from datetime import timedelta
from urllib.parse import quote

from flask import Flask, Response, current_app, g, has_request_context, request
from flask_limiter import Limiter
from flask_wtf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from guessio import clock
from guessio.adapters import openid
from guessio.config import Settings
from guessio.services import sessions
from guessio.web import guards

BODY_MAX_BYTES = 16 * 1024
FORM_PARTS_MAX = 50
PICTURES = "https://*.googleusercontent.com"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
TRANSPORT = "max-age=31536000; includeSubDomains"
# Far above what hands do, also for a class of people behind one address.
EVERYTHING = "1200 per minute"
SIGNING_IN = "300 per minute"
STATIC = ("static", "versioned_static")

log = logging.getLogger("guessio.requests")
csrf = CSRFProtect()


def caller() -> str:
    """Whose requests are counted together: the account's, or a guest's by address."""
    actor = guards.current_actor()
    return f"account {actor.account_id}" if actor else f"address {request.remote_addr}"


def address() -> str:
    """Sign-in is counted by address alone, since nobody is signed in yet."""
    return f"address {request.remote_addr}"


limiter = Limiter(key_func=caller, default_limits=[EVERYTHING], storage_uri="memory://", headers_enabled=False)


def install(app: Flask, settings: Settings) -> None:
    """Put all of it around the app."""
    _configure(app, settings)
    if settings.proxies:
        count = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)
    app.before_request(_number)
    csrf.init_app(app)
    limiter.init_app(app)
    limiter.request_filter(lambda: request.endpoint in STATIC)
    app.after_request(_guard)
    app.after_request(_log)


def _configure(app: Flask, settings: Settings) -> None:
    secure = settings.production
    app.config.update(
        SECRET_KEY=settings.secret_key,
        PRODUCTION=settings.production,
        MAX_CONTENT_LENGTH=BODY_MAX_BYTES,
        MAX_FORM_MEMORY_SIZE=BODY_MAX_BYTES,
        MAX_FORM_PARTS=FORM_PARTS_MAX,
        SESSION_COOKIE_NAME="__Host-guessio" if secure else "guessio",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(milliseconds=sessions.LIFETIME_MS),
        # A form stays good as long as its session does.
        WTF_CSRF_TIME_LIMIT=None,
        RATELIMIT_ENABLED=settings.limits,
    )


def _number() -> None:
    g.request_id = secrets.token_hex(6)
    g.began_ms = clock.now_ms()


def _guard(response: Response) -> Response:
    headers = response.headers
    headers.update(HEADERS)
    headers["X-Request-Id"] = g.get("request_id", "")
    if response.mimetype == "text/html":
        headers["Content-Security-Policy"] = policy()
        response.vary.add("HX-Request")
        # Pages are made for one person at one moment.
        headers.setdefault("Cache-Control", "no-store")
    if current_app.config["PRODUCTION"]:
        headers["Strict-Transport-Security"] = TRANSPORT
    return response


def policy() -> str:
    """The content security policy: nothing inline, nothing from elsewhere but allowed pictures and the way to the provider."""
    targets = " ".join(("'self'", *openid.form_targets(current_app)))
    return (
        "default-src 'self'; script-src 'self'; style-src 'self'; "
        f"img-src 'self' {PICTURES} data:; connect-src 'self'; form-action {targets}; "
        "frame-ancestors 'none'; frame-src 'none'; base-uri 'none'; object-src 'none'"
    )


def _log(response: Response) -> Response:
    """One line a request: never a query, an address, a cookie or a body."""
    if log.isEnabledFor(logging.INFO) and request.endpoint not in STATIC:
        took_ms = clock.now_ms() - g.get("began_ms", clock.now_ms())
        log.info("%s %s %s in %s ms", request.method, quote(request.path), response.status_code, took_ms)
    return response


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


def start_logging(settings: Settings) -> None:
    """Log to standard error: JSON lines in production, plain lines in development."""
    handler = logging.StreamHandler()
    handler.addFilter(RequestNumber())
    handler.setFormatter(JsonLines() if settings.production else logging.Formatter("%(levelname)s %(name)s [%(request_id)s] %(message)s"))
    root = logging.getLogger("guessio")
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    root.propagate = False
