"""A server that dies in the middle loses nothing that it has acknowledged (R1.13)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit import solver, table
from tests.kit.player import Player
from tests.kit.server import Server

pytestmark = [pytest.mark.db, pytest.mark.live]


@pytest.fixture
def server(database_url: str) -> Iterator[Server]:
    """Slow enough for a turn to outlast a restart on a busy machine, whatever the resume adds."""
    server = Server(database_url, speed=4)
    try:
        yield server.start()
    finally:
        server.forget()


def rows_of(person: Player) -> list[tuple[int, str]]:
    return [(row.number, row.digits) for row in person.board.rows if not row.is_skip]


def test_sigkill_in_mid_turn_and_play_on(server: Server) -> None:
    people = table.seat_together(server, "mira", "nova")
    sent: list[str] = []
    for _ in range(3):
        mover = table.on_turn(people)
        digits = solver.wasted_guess(mover.board, mover.chance)
        assert mover.guess(digits).done
        sent.append(digits)
        for person in people:
            person.wait_for(lambda person=person: len(rows_of(person)) == len(sent), "the row of the guess")
    before = people[0].match_id, people[0].board.round_number

    server.restart()

    mover = table.on_turn(people)
    for person in people:
        person.wait_until_streaming()
        assert (person.match_id, person.board.round_number) == before
        assert rows_of(person) == list(enumerate(sent, start=1)), "every acknowledged guess stands there, once"
        assert not any(seat.has_left for seat in person.board.seats), "nobody lost the seat because the server was away"
    assert mover.guess(solver.wasted_guess(mover.board, mover.chance)).done
    table.play_out(people)
    assert not any("left" in person.page.text.split() for person in people)


def test_killed_again_and_again_a_match_still_ends(server: Server) -> None:
    people = table.seat_together(server, "mira", "nova", "juno")
    for _ in range(3):
        table.move(table.on_turn(people))
        server.restart()
    table.play_out(people)
    assert len({person.match_id for person in people}) == 1


def test_killed_in_the_countdown_the_match_begins(server: Server) -> None:
    people = table.seat_together(server, "mira", "nova")
    server.restart()
    mover = table.on_turn(people)
    assert mover.board.round_number == 1
    assert mover.guess(solver.wasted_guess(mover.board, mover.chance)).done


def test_a_search_outlives_a_crash(server: Server) -> None:
    people = [server.player(name) for name in ("mira", "nova")]
    for person in people:
        assert person.search("casual", "standard", 4).done
    server.restart()
    for person in people:
        person.wait_for(lambda person=person: bool(person.match_id), "the match, bots on the open seats")
    assert len({person.match_id for person in people}) == 1
