"""What stands around every request: its number, limits on its size and frequency, forms, cookies, and the headers of its answer."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache, partial

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import NotFound
from werkzeug.middleware.proxy_fix import ProxyFix

from guessio import clock
from guessio.adapters import openid
from guessio.config import Settings
from guessio.services import sessions
from guessio.web import forms, limits, logs, shortcut

BODY_MAX_BYTES = 16 * 1024
FORM_PARTS_MAX = 50
# Where a thing is named in the query.
NAMED_BY_QUERY = frozenset({"live.stream"})
PICTURES = "https://*.googleusercontent.com"
ALWAYS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
TRANSPORT = ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
# What only a document can do needs saying only with a document.
DOCUMENTS = {
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def install(app: Flask, settings: Settings) -> None:
    """Put all of it around the app."""
    _configure(app, settings)
    forms.install(app)
    shortcut.install(app, partial(_always, settings.production))
    if settings.proxies:
        # Not the host: proxies hand it on as it is, and many pass a client's own X-Forwarded-Host along.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0)
    app.before_request(_number)
    app.before_request(_refuse_nul)
    forms.check_all(app)
    limits.install(app, settings.limits)
    app.after_request(_finish)


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
    )


def _number() -> None:
    g.request_id = logs.new_number()
    g.began_ms = clock.now_ms()


def _refuse_nul() -> None:
    """No name of ours holds a NUL, and Postgres breaks off over one. Raises: NotFound."""
    if "\0" in request.path or (request.endpoint in NAMED_BY_QUERY and b"%00" in request.query_string):
        raise NotFound


def _finish(response: Response) -> Response:
    headers = response.headers
    headers.extend(_always(current_app.config["PRODUCTION"], g.get("request_id", "")))
    if response.mimetype == "text/html" and response.status_code not in (204, 304):
        headers.extend(DOCUMENTS)
        headers.add("Content-Security-Policy", policy(openid.form_targets(current_app)))
        response.vary.add("HX-Request")
        # Pages are made for one person at one moment.
        headers.setdefault("Cache-Control", "no-store")
    logs.answered(response)
    return response


def _always(production: bool, request_id: str) -> list[tuple[str, str]]:
    """The headers of every answer."""
    headers = [*ALWAYS.items(), ("X-Request-Id", request_id)]
    return [*headers, TRANSPORT] if production else headers


@lru_cache(maxsize=8)
def policy(form_targets: tuple[str, ...]) -> str:
    """The content security policy: nothing inline, nothing from elsewhere but allowed pictures and the way to the provider."""
    return (
        "default-src 'self'; script-src 'self'; style-src 'self'; "
        f"img-src 'self' {PICTURES} data:; connect-src 'self'; form-action 'self' {' '.join(form_targets)}; "
        "frame-ancestors 'none'; frame-src 'none'; base-uri 'none'; object-src 'none'"
    )
