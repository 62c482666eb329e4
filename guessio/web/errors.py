"""Every answer that isn't what was asked for: a sentence in place for a piece of a page, else a page. Never a stack trace."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import Protocol
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from flask_wtf.csrf import CSRFError
from markupsafe import escape
from werkzeug.exceptions import HTTPException

from guessio import figures
from guessio.rules.terms import AccountState, Refusal
from guessio.web import guards, render, wording
from guessio.web.guards import MayNotPlay, NotSignedIn

log = logging.getLogger(__name__)

MESSAGE = "message"
REFUSAL_STATUS = {Refusal.STALE_TURN: 409, Refusal.NOT_SEATED: 404}
UNPROCESSABLE = 422
BARE_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} · guessIo</title>'
    '<h1>{title}</h1><p>{text}</p><p>{request_id}</p><p><a href="/">Home</a></p></html>'
)


class Refused(Protocol):
    """Anything that carries a refusal, such as `Rejected`."""

    @property
    def refusal(self) -> Refusal: ...

    @property
    def detail(self) -> str: ...


def install(app: Flask, unavailable: Iterable[type[Exception]] = ()) -> None:
    """Answer every failure; exceptions of `unavailable` mean that the database can't be reached for now."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CSRFError, _form_expired)
    app.register_error_handler(NotSignedIn, lambda _: sign_in_needed())
    app.register_error_handler(MayNotPlay, lambda error: account_state(error.actor))
    app.register_error_handler(Exception, _crash)
    for kind in unavailable:
        app.register_error_handler(kind, _unavailable)


def refuse(rejected: Refused) -> Response:
    """The answer to a refused command: 409 when it was meant for an earlier turn, 404 for somebody else's table, else 422."""
    status = count_refusal(rejected)
    if status == 404:
        return answer(404)
    return answer(status, wording.sentence(rejected.refusal, rejected.detail))


def count_refusal(rejected: Refused) -> int:
    """Count the refusal for whoever runs the site; gives the status that it is answered with."""
    figures.REFUSALS.labels(rejected.refusal.value).inc()
    return REFUSAL_STATUS.get(rejected.refusal, UNPROCESSABLE)


def answer(status: int, text: str = "", title: str = "", *, action: tuple[str, str] | None = None) -> Response:
    """Say what happened, in place or as a page. `action` is a label and a path that lead on."""
    usual_title, usual_text = wording.STATUS.get(status) or wording.STATUS[500 if status >= 500 else 400]
    text = text or usual_text
    if render.wants_fragment():
        return in_place(status, text, action)
    label, url = action or ("Home", "/")
    return render.page(
        "errors/error.html",
        status,
        title=title or usual_title,
        text=text,
        action_label=label,
        action_url=url,
        request_id=g.get("request_id", "") if status >= 500 else "",
    )


def in_place(status: int, text: str, action: tuple[str, str] | None = None) -> Response:
    """The sentence where the person is: in the request's own place for messages if it has one, else in the page's."""
    place = _message_place()
    label, url = action or ("", "")
    response = render.fragment(
        "fragments/errors/message.html" if place == MESSAGE else "fragments/errors/line.html",
        status,
        place=place,
        text=text,
        tone="bad",
        action_label=label,
        action_url=url,
    )
    response.headers["HX-Retarget"] = f"#{place}"
    response.headers["HX-Reswap"] = "outerHTML"
    return response


def _message_place() -> str:
    """The id of the element that the request would have replaced, when that is a place for messages (`guess-message`)."""
    named = re.fullmatch(r"[a-z]*#?((?:[a-z]+-)+message)", request.headers.get("HX-Target", ""))
    return named[1] if named else MESSAGE


def sign_in_needed() -> Response:
    """401: the sign-in page where the person is, which leads back there; told once why the session is no more."""
    ended = guards.ended_because()
    text = wording.SIGNED_OUT[ended] if ended else wording.STATUS[401][1]
    back = _way_back()
    g.guest_page = True
    if render.wants_fragment():
        return in_place(401, text, ("Sign in", f"/sign-in?next={back}" if back != "/" else "/sign-in"))
    return render.page("pages/accounts/sign_in.html", 401, next=back, problem=text)


def _way_back() -> str:
    """The page to return to after signing in: the one asked for, or the one a form was sent from."""
    if request.method == "GET" and not render.wants_fragment():
        return guards.own_path(request.full_path.rstrip("?"))
    came_from = urlsplit(request.headers.get("HX-Current-URL") or request.referrer or "")
    return guards.own_path(came_from.path) if came_from.netloc == request.host else "/"


def account_state(actor: guards.Actor) -> Response:
    """403: what a suspended or banned account sees instead of everything (R12.4)."""
    banned = actor.state is AccountState.BANNED
    if render.wants_fragment():
        return in_place(403, wording.sentence(Refusal.BANNED if banned else Refusal.SUSPENDED), ("Details", "/"))
    return render.page(
        "pages/accounts/suspended.html",
        403,
        is_banned=banned,
        reason=actor.state_reason,
        until_ms=actor.suspended_until_ms,
        username=actor.username,
    )


def _http(error: HTTPException) -> Response:
    response = answer(error.code or 500)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _form_expired(error: CSRFError) -> Response:
    log.info("form refused: %s", error.description)
    title, text = wording.FORM_EXPIRED
    if render.wants_fragment():
        return in_place(400, wording.FORM_EXPIRED_IN_PLACE, ("Load again", _way_back()))
    return answer(400, text, title, action=("Load again", _way_back()))


def _unavailable(error: Exception) -> Response:
    log.warning("the database can't be reached: %s", type(error).__name__)
    response = _last_resort(503)
    response.headers["Retry-After"] = "2"
    return response


def _crash(error: Exception) -> Response:
    log.error("request failed", exc_info=error)
    return _last_resort(500)


def _last_resort(status: int) -> Response:
    """The error page without an account on it; if even that fails, plain words."""
    g.guest_page = True
    try:
        return answer(status)
    except Exception:
        log.exception("the error page failed")
        title, text = wording.STATUS[status]
        return Response(BARE_PAGE.format(title=title, text=text, request_id=escape(g.get("request_id", ""))), status, mimetype="text/html")
