"""A worker dies, or is told to go: its matches, players and duties pass to the others (R1.13, R5.1, R7.7)."""

from __future__ import annotations

import itertools
import socket

import pytest

from guessio import clock
from tests.kit import solver, table
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.watch import guess, seconds_until

pytestmark = [pytest.mark.live, pytest.mark.faults]

GOES_ON_WITHIN_S = 3.0
BUSY_S = 2.0
"""What a busy machine may add."""


def row_of(site: Cluster, match: str) -> tuple[int, int]:
    """The version of the match, and how far away its next deadline is in milliseconds by this machine's clock."""
    version, deadline = site.query("SELECT version, next_deadline_ms FROM tables WHERE id = %s", match)[0]
    return version, deadline - clock.now_ms()


def test_deadlines_of_a_killed_worker_are_served_by_another(site: Cluster, seated: tuple[Player, Player]) -> None:
    match = seated[0].match_id
    mover = table.on_turn(seated)
    mover.wire.base_url = site.servers[0].url
    assert mover.guess(solver.wasted_guess(mover.board, mover.chance)).done
    site.servers[0].kill()
    version, left_ms = row_of(site, match)
    took = seconds_until(lambda: row_of(site, match)[0] > version, "the next step of the match")
    assert took <= left_ms / 1000 + GOES_ON_WITHIN_S + BUSY_S


def test_players_of_a_killed_worker_come_back_by_themselves_and_play_on(site: Cluster, seated: tuple[Player, Player]) -> None:
    mira, nova = seated
    digits = guess(seated)
    site.servers[0].kill()
    back = seconds_until(lambda: mira.wire.base_url == site.servers[1].url, "the page comes to the other worker")
    mira.wait_until_streaming()
    assert back <= GOES_ON_WITHIN_S + BUSY_S
    digits_after = guess(seated)
    for person in seated:
        assert {digits, digits_after} <= {row.digits for row in person.board.rows}
        assert not any(seat.has_left for seat in person.board.seats)
    table.play_out(seated)


def test_a_killed_worker_leaves_no_ghosts(site: Cluster, seated: tuple[Player, Player]) -> None:
    """The player who does not come back is away, and out of the match when the grace is over."""
    mira, nova = seated
    mira.close()
    site.servers[0].kill()
    until(lambda: site.query("SELECT count(*) FROM workers") == [(1,)], "the dead worker is forgotten", within_s=10)
    living = "SELECT username FROM accounts JOIN connections ON account_id = id WHERE username IN (%s, %s)"
    assert site.query(living, mira.username, nova.username) == [(nova.username,)], "and what it counted with it"
    nova.wait_for(lambda: any(seat.is_away for seat in nova.board.seats) or nova.board.is_over, "that the other is away", within_s=10)
    nova.wait_for(lambda: nova.board.phase == "results", "the win over a player who never came back")
    assert nova.missed == [], "nothing was pushed to a place that the page does not have"


def test_who_waits_for_a_match_keeps_the_place_when_the_worker_dies(site: Cluster) -> None:
    """The lines belong to the site, and so do the bots."""
    mira = site.player(0, "mira")
    mira.sign_in()
    assert mira.search("casual", "standard", 4).done
    mira.wait_until_streaming()
    site.servers[0].kill()
    mira.wait_for(lambda: bool(mira.match_id), "the match with three bots", within_s=30)
    mira.wait_until_streaming()
    assert mira.forfeit().done
    mira.close()


def test_the_work_of_one_passes_on_when_that_one_dies(site: Cluster) -> None:
    """Whoever seats the bots is killed, whichever of the two it is: the others go on."""
    for server in site.servers:
        mira = Player(next(url for url in site.urls(0) if url != server.url), "mira")
        mira.sign_in()
        server.kill()
        assert mira.search().done
        mira.wait_for(lambda mira=mira: bool(mira.match_id), "a bot on the open seat", within_s=30)
        mira.forfeit()
        mira.close()
        server.start()


def test_a_worker_that_must_go_ends_its_streams_with_a_hint(site: Cluster, seated: tuple[Player, Player]) -> None:
    mira, nova = seated
    digits = guess(seated)
    before = len(mira.shown)
    assert site.servers[0].stop() == 0
    mira.wait_for(lambda: mira.wire.base_url == site.servers[1].url, "the page comes to the other worker")
    mira.wait_until_streaming()
    last_words = itertools.takewhile(lambda shown: shown.what == "stream", mira.shown[before:])
    assert b"retry: " in b"".join(shown.body for shown in last_words)
    after = guess(seated)
    assert [{digits, after} <= {row.digits for row in person.board.rows} for person in seated] == [True, True]
    assert not any(seat.is_away or seat.has_left for seat in nova.board.seats)
    assert "Traceback" not in site.servers[0].log


def test_a_worker_that_must_go_closes_idle_connections_without_a_word(site: Cluster) -> None:
    """What it said there a browser, or a proxy, would take for the answer to whatever it sends next."""
    server = site.servers[0]
    with idle_line(server) as line:
        assert server.stop() == 0
        assert line.recv(65536) == b""


def idle_line(server: Server) -> socket.socket:
    """A connection that was asked once, has answered and waits for more."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += line.recv(65536)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65536)
    assert head.startswith(b"HTTP/1.1 200 ")
    return line
