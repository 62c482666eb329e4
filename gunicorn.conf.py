"""How gunicorn runs guessIo: gevent workers with room for many open streams, which end within seconds when a worker must go."""
# ruff: noqa: E402 - patching comes before every other import

from gevent import monkey

monkey.patch_all()

import errno
import gc
import os
import sys
from contextlib import suppress

import gevent.socket
from gevent.pool import Pool
from gunicorn.workers.ggevent import GeventWorker

from guessio import bootstrap, figures
from guessio.config import BadSettings, read
from guessio.web.homes import Homes, table_of

# gevent takes it away from those who would block on it.
epoll = monkey.get_original("select", "epoll")

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

    def leave(self):
        """Wait for nothing here any more: closed here while another process has it open, it would still wake this one (epoll(7), Q6)."""
        loop = self.hub.loop
        if loop.backend == "epoll":
            with suppress(OSError), epoll.fromfd(os.dup(loop.fileno())) as polled:
                polled.unregister(self.fileno())  # unless it never waited


class HandedLine(Line):
    """A connection of which another worker has read the beginning."""

    __slots__ = ("_begun",)

    def __init__(self, fd, begun):
        super().__init__(fileno=fd)
        self._begun = begun

    def recv(self, bufsize, flags=0):
        """First what was read before, then what comes."""
        if not self._begun:
            return super().recv(bufsize, flags)
        begun, self._begun = self._begun[:bufsize], self._begun[bufsize:]
        return begun


class Worker(GeventWorker):
    """A gevent worker that writes in one go where it can, and closes idle connections without a word when it must go.

    gunicorn's own answers them 500, which a browser or a proxy takes for the answer to whatever it sends there next.

    One of several keeps `homes` with the others (`guessio/web/homes.py`), and has a `place` there unless all were taken.
    """

    homes = None
    place = None

    def run(self):
        """Serve until told to go, also what the other workers hand on."""
        watching = gevent.spawn(self._watch, Pool(self.worker_connections))
        super().run()
        watching.join()

    def _watch(self, handed):
        """Keep the place open while the worker lives. Then end the streams at once, which would hold it for the whole graceful timeout."""
        taking_in = None
        while self.alive:
            if self.place is not None:
                # Begun anew should it ever have failed: behind an open door somebody must be.
                taking_in = taking_in or gevent.spawn(self._take_in, handed)
                self.homes.open(self.place)
            gevent.sleep(WATCH_S)
        if self.place is not None:
            self.homes.close(self.place)
        bootstrap.end_streams()
        # The worker's own are waited for by gunicorn meanwhile.
        handed.join(WORKER_WAITS_S)

    def _take_in(self, handed):
        for fd, begun in self.homes.arrivals(self.place):
            handed.spawn(self._serve_handed, HandedLine(fd, begun))

    def _serve_handed(self, line):
        try:
            address = line.getpeername()
        except OSError:
            line.close()  # gone meanwhile
            return
        # It knows by which address it was reached; the worker's own listener may be closed already.
        self.handle(line, line, address)

    def handle(self, listener, client, addr):
        """Serve a connection."""
        if type(client) is gevent.socket.socket:
            client.__class__ = Line
        super().handle(listener, client, addr)

    def handle_request(self, listener_name, req, sock, addr):
        """Answer a request, or hand its connection on to the worker at which the request's table is at home."""
        if self.homes is not None and self._hands_on(req, sock):
            raise StopIteration  # gunicorn then closes this worker's end of it
        super().handle_request(listener_name, req, sock, addr)

    def _hands_on(self, req, sock):
        table = table_of(req.path, req.query) if self.alive and isinstance(sock, Line) else None
        place = None if table is None else self.homes.elsewhere(table, self.place)
        if place is None or any(name in NOT_PLAIN for name, _ in req.headers):
            return False
        head = [f"{req.method} {req.uri} HTTP/{req.version[0]}.{req.version[1]}", *(f"{name}: {value}" for name, value in req.headers)]
        rest = req.unreader.take_buffered()
        if self.homes.hand_on(place, sock, "\r\n".join((*head, "", "")).encode("latin-1") + rest):
            sock.leave()
            figures.HANDED_ON.inc()
            return True
        req.unreader.unread(rest)
        return False

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
# What changes how a request's body is sent, or when: such a request is answered by the worker that has read its head.
NOT_PLAIN = frozenset(("EXPECT", "TRANSFER-ENCODING", "UPGRADE"))
YOUNG_OBJECTS = 20_000


def on_starting(server):
    """Refuse what the command line may have asked for and this database or the streams can't bear."""
    if settings.sqlite and server.cfg.workers > 1:
        sys.exit(f"{server.cfg.workers} workers on SQLite: it serves one worker only; use one or a Postgres DATABASE_URL")
    if server.cfg.worker_class is not Worker:
        sys.exit(f"worker class {server.cfg.worker_class_str}: open streams need the gevent worker of this configuration")
    on_reload(server)
    _keep_for_good()


def on_reload(server):
    """Make homes for the workers that are started from now on; those of before keep theirs until they are gone."""
    Worker.homes = Homes(server.cfg.workers) if server.cfg.workers > 1 else None


def pre_fork(server, worker):
    """Give a worker its place."""
    if worker.homes is not None:
        worker.place = worker.homes.free({other.place for other in server.WORKERS.values() if other.homes is worker.homes})


def child_exit(_server, worker):
    """Nobody takes what waits at the door of a worker that is gone."""
    if worker.place is not None:
        worker.homes.clear(worker.place)


def post_worker_init(worker):
    """Start what runs beside the requests."""
    # Streams end at once; what is left then are answers under way, and idle connections that browsers keep open for long.
    worker.cfg.set("graceful_timeout", WORKER_WAITS_S)
    worker.log.error_log.addFilter(_is_news)
    bootstrap.await_database()
    bootstrap.start(worker.wsgi)
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


def worker_exit(_server, worker):
    """Sign the worker off."""
    # A worker whose settings were refused has nothing to sign off.
    application = getattr(worker, "wsgi", None)
    if application is not None:
        bootstrap.stop(application)
