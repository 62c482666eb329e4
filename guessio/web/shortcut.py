"""The short way of a guess: the one request that everybody sends all the time, answered without building all that a page needs.

It takes a guess only when nothing about the request is doubtful: sent by the page's script, by a session and with a form token that
were found good before, in a small plain body. Each check is the same function as on the long way. Whatever else comes takes
the long way with its body untouched: a refusal to be worded, a failure to be repeated, which changes nothing (R1.12).
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterable
from enum import Enum, auto
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import get_host

from guessio import clock
from guessio.rules.terms import TableId
from guessio.services import matches, sessions
from guessio.services.sessions import Actor
from guessio.services.tables import Accepted
from guessio.web import asked, forms, guards, limits, logs, render
from guessio.web.asked import Asked
from guessio.web.matches import number

log = logging.getLogger(__name__)

GUESS = re.compile(r"/match/([\w-]{1,40})/guess", re.ASCII)
PLAIN = re.compile(rb"[\w=&.-]{1,400}", re.ASCII)
LENGTH_DIGITS = 3
FORM = "application/x-www-form-urlencoded"
PIECES = tuple([f"HTTP_{name.upper().replace('-', '_')}" for name in render.PIECE_HEADERS])
DONE = "204 NO CONTENT"


class Way(Enum):
    """Where a guess goes: it counted and is answered, or takes the long way as it came; the third is the long way with what was `Asked`."""

    ANSWERED = auto()
    LONG = auto()


def install(app: Flask, headers: Callable[[str], list[tuple[str, str]]]) -> None:
    """Put the short way before the application. `headers(request_id)` are those of every answer."""
    long_way: WSGIApplication = app.wsgi_app
    remembered: forms.RememberingSessions = app.session_interface  # pyright: ignore[reportAssignmentType]
    cookie_name = remembered.get_cookie_name(app)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "POST" or (found := GUESS.fullmatch(environ["PATH_INFO"])) is None:
            return long_way(environ, start_response)
        began_ms, request_id = clock.now_ms(), logs.new_number()
        numbered = logs.number.set(request_id)
        try:
            actor = _actor(environ, remembered, cookie_name)
            way = Way.LONG if actor is None else _guessed(environ, actor, TableId(found[1]))
            if way is not Way.ANSWERED:
                if isinstance(way, Asked):
                    asked.hand_on(environ, way)
                return long_way(environ, start_response)
        finally:
            logs.number.reset(numbered)
        start_response(DONE, headers(request_id))
        logs.note("POST", environ["PATH_INFO"], 204, clock.now_ms() - began_ms)
        return ()

    app.wsgi_app = answer  # pyright: ignore[reportAttributeAccessIssue]


def _actor(environ: WSGIEnvironment, remembered: forms.RememberingSessions, cookie_name: str) -> Actor | None:
    """Who sends this, when session, form token, account and number of requests are all good; None for any doubt."""
    session = remembered.known(_cookie(environ.get("HTTP_COOKIE", ""), cookie_name))
    if session is None or not forms.is_known(environ.get("HTTP_X_CSRFTOKEN", ""), session.get(forms.FIELD, "")):
        return None
    try:
        is_secure = environ["wsgi.url_scheme"] == "https"
        if is_secure and not forms.is_own_page(environ.get("HTTP_REFERER", ""), get_host(environ)):
            return None
        actor = sessions.find(session.get(guards.TOKEN_KEY, ""))
        if actor is None or not actor.may_play(clock.now_ms()):
            return None
        limits.count_account(actor.account_id)
    except HTTPException:
        return None
    except Exception as error:
        log.debug("not the short way: %s", error)
        return None
    environ[limits.COUNTED] = True
    return actor


def _guessed(environ: WSGIEnvironment, actor: Actor, match: TableId) -> Way | Asked:
    """Which way the guess takes. Unless it is answered, its body can be read again."""
    length = environ.get("CONTENT_LENGTH", "")
    if environ.get("CONTENT_TYPE") != FORM or not (length.isascii() and length.isdigit() and 0 < len(length) <= LENGTH_DIGITS):
        return Way.LONG
    if not render.replaces_piece(map(environ.get, PIECES)):
        return Way.LONG
    body = environ["wsgi.input"].read(int(length))
    environ["wsgi.input"] = io.BytesIO(body)
    if len(body) != int(length) or PLAIN.fullmatch(body) is None:
        return Way.LONG
    fields: dict[str, str] = {}
    for pair in body.decode("ascii").split("&"):
        name, _, value = pair.partition("=")
        fields.setdefault(name, value)
    try:
        outcome = matches.guess(actor.account_id, match, number(fields.get("turn", "")), fields.get("guess", ""))
    except Exception as error:
        # Whether it counted is not known: the same command once more finds out, and says what is the matter.
        log.debug("a guess takes the long way: %s", error)
        return Way.LONG
    return Way.ANSWERED if isinstance(outcome, Accepted) else Asked(outcome)


def _cookie(header: str, name: str) -> str:
    """The first cookie of that name."""
    for pair in header.split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            return value
    return ""
