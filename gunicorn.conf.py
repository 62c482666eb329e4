"""How gunicorn runs guessIo: gevent workers with room for many open streams, which end within seconds when a worker must go."""
# ruff: noqa: E402 - patching comes before every other import

from gevent import monkey

monkey.patch_all()

import errno
import gc
import sys

import gevent.socket
from gunicorn.workers.ggevent import GeventWorker

from guessio import bootstrap
from guessio.config import BadSettings, read

try:
    settings = read()
except BadSettings as error:
    sys.exit(str(error))


class Line(gevent.socket.socket):
    """A connection that is sent what it takes at once; gevent's own asks the kernel for the size of a buffer before every write."""

    __slots__ = ()

    def sendall(self, data, flags=0):
        """Send all of it."""
        sent = self.send(data, flags)
        if sent < len(data):
            super().sendall(memoryview(data)[sent:], flags)


class Worker(GeventWorker):
    """A gevent worker that writes in one go where it can, and closes idle connections without a word when it must go.

    gunicorn's own answers them 500, which a browser or a proxy takes for the answer to whatever it sends there next.
    """

    def handle(self, listener, client, addr):
        """Serve a connection."""
        if type(client) is gevent.socket.socket:
            client.__class__ = Line
        super().handle(listener, client, addr)

    def handle_error(self, req, client, addr, exc):
        """Answer a failure; that the worker goes is none."""
        if not isinstance(exc, gevent.GreenletExit):
            super().handle_error(req, client, addr, exc)


wsgi_app = "wsgi:app"
bind = f"{settings.host}:{settings.port}"
workers = settings.workers
worker_class = Worker
# Each open page holds one connection for as long as it is open; gunicorn's own 1000 would leave no room for requests.
worker_connections = 20_000
backlog = 4096
keepalive = 75
timeout = 60
# How long the master waits before it kills; the worker itself is done earlier, see below.
graceful_timeout = 4
preload_app = False
control_socket_disable = True
# Which headers of a proxy count is guessIo's own setting (GUESSIO_PROXIES); gunicorn would believe everything from this machine.
forwarded_allow_ips = ""
secure_scheme_headers = {}
forwarder_headers = ""
accesslog = None
errorlog = "-"
loglevel = "warning" if settings.log_level in ("warning", "error") else "info"

WATCH_S = 0.2
WORKER_WAITS_S = 1
YOUNG_OBJECTS = 20_000


def on_starting(server):
    """Refuse what the command line may have asked for and this database or the streams can't bear."""
    if settings.sqlite and server.cfg.workers > 1:
        sys.exit(f"{server.cfg.workers} workers on SQLite: it serves one worker only; use one or a Postgres DATABASE_URL")
    if server.cfg.worker_class is not Worker:
        sys.exit(f"worker class {server.cfg.worker_class_str}: open streams need the gevent worker of this configuration")
    _keep_for_good()


def post_worker_init(worker):
    """Start what runs beside the requests, and watch for the moment at which the worker must go."""
    # Streams end at once; what is left then are answers under way, and idle connections that browsers keep open for long.
    worker.cfg.set("graceful_timeout", WORKER_WAITS_S)
    worker.log.error_log.addFilter(_is_news)
    bootstrap.await_database()
    bootstrap.start(worker.wsgi)
    gevent.spawn(_end_streams_with, worker)
    bootstrap.read_templates(worker.wsgi)
    _keep_for_good()


def _keep_for_good():
    """Spare the garbage collector what is there now: its look at each object would copy all memory that a worker shares with the master."""
    gc.collect()
    gc.freeze()
    # Steps make and drop hundreds of objects, hardly ever in cycles: to look for some after every other step took a twentieth of all work.
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)


def _is_news(record):
    """Whether a log record tells something: a page that fell asleep does not."""
    return not record.exc_info or getattr(record.exc_info[1], "errno", None) != errno.ETIMEDOUT


def _end_streams_with(worker):
    """Open streams would hold the worker for the whole graceful timeout: end them as soon as it stops accepting."""
    while worker.alive:
        gevent.sleep(WATCH_S)
    bootstrap.end_streams()


def worker_exit(_server, worker):
    """Sign the worker off."""
    # A worker whose settings were refused has nothing to sign off.
    application = getattr(worker, "wsgi", None)
    if application is not None:
        bootstrap.stop(application)
