"""Several workers of one gunicorn: what is asked about a table comes together at one of them, whoever took the connection first."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator

import psutil
import pytest
import requests

from guessio.web import homes
from tests.kit import table
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.watch import guess

pytestmark = [pytest.mark.live, pytest.mark.faults]

WORKERS = 2
LINES = 12
"""Connections enough: that chance alone brings them all to one of two workers happens once in 2,000."""
ALL_OPEN = bytes([1] * WORKERS)


@pytest.fixture(scope="module")
def standing_server(standing_site: Cluster) -> Iterator[Server]:
    """One gunicorn with several workers on the site's database."""
    standing_site.mend()
    server = Server(standing_site.url, speed=standing_site.speed, workers=WORKERS, settings=standing_site.settings, is_prepared=True)
    try:
        yield server.start()
    finally:
        server.forget()


@pytest.fixture
def server(site: Cluster, standing_server: Server) -> Server:
    """The same, with all workers taking in."""
    until(lambda: {home_of(standing_server, one) for one in away_from_each_other()} == set(workers(standing_server)), "both are at home")
    return standing_server


def workers(server: Server) -> list[int]:
    """The process ids of the workers."""
    return [worker.pid for worker in server.workers_now()]


def away_from_each_other() -> list[str]:
    """The names of tables, each at home at another place, so that all places are among them."""
    return [next(f"t{n}" for n in range(1000) if homes.home(f"t{n}", ALL_OPEN) == place) for place in range(WORKERS)]


def dial(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def holder(server: Server, line: socket.socket) -> int | None:
    """The process at the other end of a connection, None while there isn't one."""
    port = line.getsockname()[1]
    for pid in workers(server):
        if any(conn.raddr and conn.raddr.port == port for conn in psutil.Process(pid).net_connections("tcp4")):
            return pid
    return None


def ask(line: socket.socket, text: str) -> int:
    """Send a request; the answer's status."""
    line.sendall(text.encode())
    return read_status(line)


def read_status(line: socket.socket) -> int:
    """The status of the next answer, which is read to its end."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += receive(line, 1)
    status, *fields = got.decode("latin-1").split("\r\n")
    named = dict(field.lower().split(": ", 1) for field in fields if field)
    for _ in range(int(named.get("content-length", 0))):
        receive(line, 1)
    return int(status.split()[1])


def receive(line: socket.socket, size: int) -> bytes:
    got = line.recv(size)
    assert got, "the connection has ended"
    return got


def get(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def home_of(server: Server, name: str) -> int | None:
    """The worker at which connections about this table arrive."""
    with dial(server) as line:
        ask(line, get(f"/match/{name}"))
        return holder(server, line)


def reaches(person: Player) -> bool:
    """Whether the site answers on the connection that the person's commands take; one that broke with its worker is given up by this."""
    try:
        return person.wire.send("GET", "/healthz").ok
    except requests.ConnectionError:
        return False


def test_all_connections_about_a_table_come_to_one_worker_and_tables_to_all(server: Server) -> None:
    for name in away_from_each_other():
        lines = [dial(server) for _ in range(LINES)]
        for line in lines:
            assert ask(line, get(f"/match/{name}")) == 401
        assert len({holder(server, line) for line in lines}) == 1
        for line in lines:
            line.close()
    lines = [dial(server) for _ in range(LINES)]
    assert {ask(line, get("/healthz")) for line in lines} == {200}
    for line in lines:
        line.close()


def test_a_connection_moves_from_worker_to_worker_as_often_as_its_table_changes(server: Server) -> None:
    first, second = away_from_each_other()
    with dial(server) as line:
        held: list[int | None] = []
        for name in (first, second, first, second):
            assert ask(line, get(f"/match/{name}")) == 401
            held.append(holder(server, line))
        assert held == [held[0], held[1]] * 2
        assert held[0] != held[1]


def test_requests_that_were_sent_at_once_are_answered_in_order(server: Server) -> None:
    first, second = away_from_each_other()
    with dial(server) as line:
        line.sendall("".join(map(get, (f"/match/{first}", "/healthz", f"/match/{second}", "/nowhere", f"/match/{first}"))).encode())
        assert [read_status(line) for _ in range(5)] == [401, 200, 401, 404, 401]


@pytest.mark.parametrize("framing", ["Content-Length: 20", "Transfer-Encoding: chunked"])
def test_a_body_that_comes_later_goes_where_its_request_went(server: Server, framing: str) -> None:
    """Read by the wrong worker, or taken for a request, it would spoil the answers that follow."""
    body = "turn=1&guess=0123456" if "Length" in framing else "14\r\nturn=1&guess=0123456\r\n0\r\n\r\n"
    for name in away_from_each_other():
        with dial(server) as line:
            line.sendall(f"POST /match/{name}/guess HTTP/1.1\r\nHost: 127.0.0.1\r\n{framing}\r\n\r\n{body[:5]}".encode())
            line.sendall((body[5:] + get("/healthz")).encode())
            assert [400 <= read_status(line) < 500, read_status(line)] == [True, 200]


def test_a_worker_that_hangs_gets_no_more_connections_and_is_a_home_again_when_it_goes_on(server: Server) -> None:
    name = away_from_each_other()[0]
    home = home_of(server, name)
    assert home is not None
    os.kill(home, signal.SIGSTOP)
    try:
        until(lambda: answers_at_once(server, name), "its tables are served elsewhere")
    finally:
        os.kill(home, signal.SIGCONT)
    until(lambda: home_of(server, name) == home, "they come home")


def answers_at_once(server: Server, name: str) -> bool:
    """Whether a request about this table is answered; one that waits at the hanging worker is given up."""
    with dial(server) as line:
        line.settimeout(1)
        try:
            return ask(line, get(f"/match/{name}")) == 401
        except TimeoutError:
            return False


def test_a_match_goes_on_when_its_home_is_killed(server: Server) -> None:
    people = tuple(table.seat_together(server, "olga", "petr"))
    guess(people)
    home = home_of(server, people[0].match_id)
    assert home is not None
    before = set(workers(server))
    os.kill(home, signal.SIGKILL)
    for person in people:
        until(lambda person=person: reaches(person), "the site answers again")
        person.wait_until_streaming()
    guess(people)
    for person in people:
        assert not any(seat.has_left for seat in person.board.seats)
    until(lambda: len(set(workers(server)) - before) == 1, "a new worker")
    until(lambda: home_of(server, people[0].match_id) not in before, "the table's home is in its old place again")
    guess(people)
    for person in people:
        assert person.missed == []
        person.forfeit()
        person.close()
    assert "Traceback" not in server.log


def test_after_a_reload_new_workers_have_homes_of_their_own(server: Server) -> None:
    people = tuple(table.seat_together(server, "rosa", "sven"))
    guess(people)
    before = set(workers(server))
    assert server.process is not None
    server.process.send_signal(signal.SIGHUP)
    until(lambda: len(workers(server)) == WORKERS and not before & set(workers(server)), "other workers")
    for person in people:
        until(lambda person=person: reaches(person), "the site answers again")
        person.wait_until_streaming()
    guess(people)
    test_all_connections_about_a_table_come_to_one_worker_and_tables_to_all(server)
    for person in people:
        assert not any(seat.has_left for seat in person.board.seats)
        person.forfeit()
        person.close()
    assert "Traceback" not in server.log
