"""Postgres is away for a while: pages stay and say so, nothing acknowledged is lost, deadlines are moved on (R1.13)."""

from __future__ import annotations

import pytest

from guessio import clock
from tests.kit import solver, table
from tests.kit.cluster import Cluster
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.watch import guess, has_row

pytestmark = [pytest.mark.live, pytest.mark.faults]


def test_a_restart_of_postgres_loses_nothing(site: Cluster, seated: tuple[Player, Player]) -> None:
    sent = [guess(seated) for _ in range(2)]
    site.database.halt()
    site.database.start()
    sent += [play_on(seated) for _ in range(2)]
    for person in seated:
        assert [row.digits for row in person.board.rows if not row.is_skip] == sent
        assert not any(seat.has_left for seat in person.board.seats)
    table.play_out(seated)
    bound = "SELECT count(*) FROM engagements JOIN accounts ON account_id = id WHERE username IN (%s, %s)"
    until(lambda: site.query(bound, *(person.username for person in seated)) == [(0,)], "it is booked, and both are free")


def play_on(people: tuple[Player, Player]) -> str:
    """A guess that counts, sent again as long as the site says that it can't answer."""
    mover = table.on_turn(people)
    digits, turn = solver.wasted_guess(mover.board, mover.chance), mover.board.turn
    until(lambda: mover.guess(digits, turn=turn).status != 503, "an answer")
    for person in people:
        person.wait_for(lambda person=person: has_row(person, digits), "the guess")
    return digits


def test_while_postgres_is_away_commands_say_so_in_place_and_streams_stay(site: Cluster, seated: tuple[Player, Player]) -> None:
    mover = table.on_turn(seated)
    digits, turn = solver.wasted_guess(mover.board, mover.chance), mover.board.turn
    streams = [person._stream for person in seated]
    site.database.halt()
    refused = mover.guess(digits, turn=turn)
    assert refused.status == 503
    assert "try again" in refused.text
    assert refused.target == "#guess-message"
    assert not has_row(mover, digits)
    for server in site.servers:
        assert mover.wire.http.get(f"{server.url}/readyz", timeout=10).status_code == 503
        assert mover.wire.http.get(f"{server.url}/healthz", timeout=10).status_code == 200
    site.database.start()
    until(lambda: mover.guess(digits, turn=turn).done, "the same guess counts")
    for person in seated:
        person.wait_for(lambda person=person: has_row(person, digits), "the guess")
        assert [row.digits for row in person.board.rows if not row.is_skip].count(digits) == 1
    assert [person._stream for person in seated] == streams
    assert all(stream is not None and stream.is_open for stream in streams)


def test_a_turn_outlasts_an_outage_that_is_longer_than_the_turn(site: Cluster, seated: tuple[Player, Player]) -> None:
    mover = table.on_turn(seated)
    turn = mover.board.turn
    deadline = site.query("SELECT next_deadline_ms FROM tables WHERE id = %s", mover.match_id)[0][0]
    site.database.halt()
    until(lambda: clock.now_ms() > deadline + 1_000, "the turn's end passes", within_s=30)
    site.database.start()
    until(lambda: site.query("SELECT next_deadline_ms FROM tables WHERE id = %s", mover.match_id)[0][0] > deadline + 1_000, "moved on")
    mover.wait_for(lambda: mover.board.can_guess, "the turn, still there")
    assert mover.board.turn == turn
    digits = solver.wasted_guess(mover.board, mover.chance)
    until(lambda: mover.guess(digits, turn=turn).done, "a guess in that very turn")
    for person in seated:
        person.wait_for(lambda person=person: has_row(person, digits), "the guess")
        assert not any(row.is_skip for row in person.board.rows)


def test_a_worker_that_must_start_while_postgres_is_away_waits_for_it(site: Cluster) -> None:
    """Its master would give up otherwise, and take its other workers along."""
    server = site.servers[0]
    master, worker, *_ = server.family()
    site.database.halt()
    worker.kill()
    until(lambda: "waiting for the database" in server.log or not master.is_running(), "the next worker waits")
    site.database.start()
    until(server.is_ready, "it serves")
    assert server.family()[0] == master
