"""Forms are taken only from pages of this site: Flask-WTF's tokens, and a memory of those that were found good.

A token and the session's secret belong together for as long as the session lasts, so a pair that was checked once stays good; that
spares the path of a guess two rounds of signatures.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, TypeVar

from flask import Flask, Request, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf import CSRFProtect

K = TypeVar("K")
V = TypeVar("V")

REMEMBERED = 20_000
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FIELD = "csrf_token"

csrf = CSRFProtect()
_good: OrderedDict[tuple[str, str], None] = OrderedDict()


def install(app: Flask) -> None:
    """Make tokens for forms, and remember the cookies of signed-in browsers."""
    # A form stays good as long as its session does.
    app.config.update(WTF_CSRF_TIME_LIMIT=None, WTF_CSRF_CHECK_DEFAULT=False)
    _good.clear()
    app.session_interface = RememberingSessions()
    csrf.init_app(app)


def check_all(app: Flask) -> None:
    """Check every form before its view is called."""
    app.before_request(_check)


def _check() -> None:
    """Let a form pass that carries this session's token. Raises: CSRFError (400)."""
    if request.method in SAFE:
        return
    pair = (request.headers.get("X-CSRFToken", ""), session.get(FIELD, ""))
    if is_known(*pair) and (not request.is_secure or is_own_page(request.referrer or "", request.host)):
        g.csrf_valid = True
        return
    csrf.protect(apply_exemptions=True)
    if pair[0] and g.get("csrf_valid") and not request.form.get(FIELD):
        _remember(_good, pair, None)


def is_known(token: str, secret: str) -> bool:
    """Whether this form token was found good before, with the secret of the same session."""
    return (token, secret) in _good


def is_own_page(referrer: str, host: str) -> bool:
    """Over TLS the page that sends the form must be named, and be one of this site."""
    return referrer.startswith(f"https://{host}/")


class RememberingSessions(SecureCookieSessionInterface):
    """Flask's signed cookies, with the signatures of signed-in browsers' cookies checked once. The server's record of a session
    decides alone whether it lasts."""

    def __init__(self) -> None:
        self._opened: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def known(self, value: str) -> dict[str, Any] | None:
        """What a cookie holds whose signature was found good before."""
        return self._opened.get(value)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of a request."""
        value = request.cookies.get(self.get_cookie_name(app), "")
        known = self._opened.get(value)
        if known is not None:
            return self.session_class(known)
        opened = super().open_session(app, request)
        if opened and opened.permanent:
            _remember(self._opened, value, dict(opened))
        return opened


def _remember(memory: OrderedDict[K, V], key: K, value: V) -> None:
    memory[key] = value
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
