"""The development server, as `make run` starts it: SQLite, demo people to sign in as, one process on this machine."""
# ruff: noqa: E402 - patching comes before every other import

from gevent import monkey

monkey.patch_all()

import signal
import socket
import sys
from typing import Any

import gevent
from flask import Flask
from gevent.event import Event
from gevent.pywsgi import WSGIHandler, WSGIServer

from guessio import bootstrap, config

PORTS_TRIED = 20
STOP_WITHIN_S = 3


def main() -> int:
    """Prepare everything, serve until told to stop, and give the exit code."""
    try:
        settings = config.read()
    except config.BadSettings as error:
        return _refuse(str(error))
    if settings.production:
        return _refuse("app.py is for development. In production start: gunicorn wsgi:app")
    try:
        listener = listen(settings)
    except OSError as error:
        return _refuse(f"Port {settings.port} can't be had ({error.strerror}). Choose another: PORT=8080 make run")
    settings = settings.on_port(listener.getsockname()[1])
    app = bootstrap.create_app(settings)
    bootstrap.prepare(app)
    bootstrap.start(app)
    serve(app, listener, settings.url)
    return 0


def listen(settings: config.Settings) -> socket.socket:
    """A listening socket on the port asked for; on the next free one when none was. Raises: OSError."""
    tried = 1 if settings.port_fixed else PORTS_TRIED
    for port in range(settings.port, settings.port + tried):
        try:
            return _bound(settings.host, port)
        except OSError:
            if port == settings.port + tried - 1:
                raise
    raise AssertionError("unreachable")


def _bound(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener


class Handler(WSGIHandler):
    """Gives a request its connection, as gunicorn does, so that a stream to a page that answers nothing can be given up."""

    def get_environ(self) -> dict[str, Any]:
        return {**super().get_environ(), "gunicorn.socket": self.socket}


def serve(app: Flask, listener: socket.socket, url: str) -> None:
    """Answer requests until SIGTERM or SIGINT; streams are ended first, so that stopping takes no longer than a few seconds."""
    server = WSGIServer(listener, app, log=None, error_log=sys.stderr, handler_class=Handler)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, stopping.set)
    server.start()
    print(f"guessIo is ready: open {url}", flush=True)
    stopping.wait()
    server.stop_accepting()
    bootstrap.end_streams()
    server.stop(timeout=STOP_WITHIN_S)
    bootstrap.stop(app)


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
