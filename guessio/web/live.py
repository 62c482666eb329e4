"""The page's stream of server-sent events, and the hint that a page is closing (R5.1, R5.2)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import gevent
from flask import Blueprint, Flask, Response, current_app, request

from guessio.live import hub
from guessio.live.stream import Body
from guessio.services.sessions import Actor
from guessio.web import errors
from guessio.web.guards import signed_in

blueprint = Blueprint("live", __name__)

PATH = "/live"
VERSION_DIGITS = 9
# A phone that fell asleep answers nothing: after this long unanswered bytes end the connection.
UNANSWERED_MS = 15_000
# What an app server wants of a request when its answer ends: to send it, and to write it into an access log.
NEEDED_LAST = (
    "HTTP_REFERER",
    "HTTP_USER_AGENT",
    "PATH_INFO",
    "QUERY_STRING",
    "RAW_URI",
    "REMOTE_ADDR",
    "REQUEST_METHOD",
    "SERVER_PROTOCOL",
    "wsgi.file_wrapper",
)


@blueprint.get(PATH)
@signed_in
def stream(actor: Actor) -> Response:
    """One stream for as long as the page is open. It first sends what the page lacks since the version that it shows."""
    try:
        body = hub.new_stream(actor.account_id, actor.token_hash, dict(request.args), _version())
    except hub.Closing:
        return Response("", 503, {"Retry-After": "1"})
    if body is None:
        return errors.answer(404)
    answer = Response(body, mimetype="text/event-stream", direct_passthrough=True)
    answer.headers["Cache-Control"] = "no-cache, no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.headers["X-App-Version"] = current_app.config["APP_VERSION"]
    answer.headers["X-Beat-Ms"] = str(hub.BEAT_MS)
    return answer


def install(app: Flask) -> None:
    """Keep little of a request whose answer lasts as long as its page.

    The page's connection waits on a call stack of its own, and a stack stays as large as it ever was: so the view, far up on Flask's,
    is called on another one, which ends. What it left of the request is forgotten before the waiting begins.
    """
    application: WSGIApplication = app.wsgi_app

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] != PATH:
            return application(environ, start_response)
        writers: list[Callable[[bytes], object]] = []

        def started(*given: Any) -> Callable[[bytes], object]:
            writers.append(start_response(*given))
            return writers[-1]

        body = gevent.spawn(application, environ, started).get()
        if isinstance(body, Body) and (line := _line(environ)) is not None:
            body.stream.use(line, chunk_writer(line, writers[-1]))
        needed = {name: environ[name] for name in NEEDED_LAST if name in environ}
        environ.clear()
        environ.update(needed)
        return body

    app.wsgi_app = answer  # pyright: ignore[reportAttributeAccessIssue]


def chunk_writer(line: socket.socket, write: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """What puts more of an answer on its connection; `write` is what the app server gives for it.

    Where the server says that it sends the answer in chunks (RFC 9112, 7.1), one is written here, at half of what the server takes for
    it. An answer that it frames otherwise is left to it.

    Raises (when it is called):
        OSError: the connection is gone.
    """
    if getattr(getattr(write, "__self__", None), "chunked", None) is not True:
        return write

    def write_chunk(octets: bytes) -> None:
        chunk = b"%x\r\n%b\r\n" % (len(octets), octets)
        sent = line.send(chunk)
        if sent < len(chunk):
            line.sendall(chunk[sent:])

    return write_chunk


@blueprint.post("/live/left")
@signed_in
def left(actor: Actor) -> Response:
    """The page named by `tab` says that it closes."""
    hub.left(actor.account_id, request.form.get("tab") or request.form.get("page", ""))
    return Response("", 204)


def _version() -> int:
    """The version that the page shows: where the stream broke off, else the one it was drawn with; 0 for none."""
    given = request.headers.get("Last-Event-ID") or request.args.get("v", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= VERSION_DIGITS else 0


def _line(environ: WSGIEnvironment) -> socket.socket | None:
    """The connection, where the server lets it be had, told to give up on a page that answers nothing."""
    line = environ.get("gunicorn.socket")
    if isinstance(line, socket.socket) and hasattr(socket, "TCP_USER_TIMEOUT"):
        try:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)
        except OSError:
            return None
        return line
    return None
