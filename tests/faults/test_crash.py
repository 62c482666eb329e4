"""A server that dies in the middle loses nothing that it has acknowledged (R1.13)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.kit import solver, table
from tests.kit.books import Books
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.standing import stranger

pytestmark = [pytest.mark.db, pytest.mark.live]


@pytest.fixture
def speed() -> float:
    """Slow enough for a turn to outlast a restart on a busy machine, whatever the resume adds."""
    return 4


def seat(server: Server, *names: str) -> list[Player]:
    return table.seat_together(server, *map(stranger, names))


def rows_of(person: Player) -> list[tuple[int, str]]:
    return [(row.number, row.digits) for row in person.board.rows if not row.is_skip]


def test_sigkill_in_mid_turn_and_the_turn_goes_on(server: Server) -> None:
    people = seat(server, "mira", "nova")
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
    for _ in range(2):
        mover = table.on_turn(people)
        digits = solver.wasted_guess(mover.board, mover.chance)
        assert mover.guess(digits).done
        sent.append(digits)
        for person in people:
            person.wait_for(lambda person=person: rows_of(person) == list(enumerate(sent, start=1)), "the guess of either")
    assert not any("left" in person.page.text.split() for person in people)


def test_killed_again_and_again_a_match_still_ends(server: Server) -> None:
    people = seat(server, "mira", "nova", "juno")
    for _ in range(3):
        table.move(table.on_turn(people))
        server.restart()
    win(people, Books(server.database_url))
    assert len({person.match_id for person in people}) == 1


def win(people: Sequence[Player], books: Books) -> None:
    """Whoever is to guess guesses right, until everybody is shown the results."""

    def done() -> bool:
        for person in people:
            if person.board.can_guess:
                person.guess(books.code(person.match_id))
        return all(person.board.phase == "results" for person in people)

    until(done, "the results of the match")


def test_killed_in_the_countdown_the_match_begins(server: Server) -> None:
    people = seat(server, "mira", "nova")
    server.restart()
    mover = table.on_turn(people)
    assert mover.board.round_number == 1
    assert mover.guess(solver.wasted_guess(mover.board, mover.chance)).done


@pytest.mark.parametrize("speed", [1], ids=["unscaled"])
def test_a_search_outlives_a_crash(server: Server) -> None:
    """Who comes after it sits down with those who searched before: the first bot comes after five seconds, the next after ten (R3.2)."""
    mira, nova, juno = (server.player(stranger(name)) for name in ("mira", "nova", "juno"))
    for person in (mira, nova):
        assert person.search("casual", "standard", 4).done
    server.restart()
    assert juno.search("casual", "standard", 4).done
    for person in (mira, nova, juno):
        person.wait_for(lambda person=person: bool(person.match_id), "the match")
    assert len({person.match_id for person in (mira, nova, juno)}) == 1
    assert sum(seat.is_bot for seat in juno.board.seats) == 1
