"""One command has one outcome, however and whenever it is sent (R1.5, R1.12)."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from guessio.rules import tunables
from tests.kit import solver, table
from tests.kit.player import Answer, Player
from tests.kit.processes import until
from tests.kit.server import Server
from tests.kit.standing import stranger

pytestmark = [pytest.mark.db, pytest.mark.live]

OFFSETS_MS = (-20, -5, 0, 5, 20)


def own_guesses(person: Player) -> list[str]:
    return [row.digits for row in person.board.own_rows]


def at_once(*calls: Callable[[], Answer]) -> list[Answer]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


@pytest.fixture
def speed() -> float:
    """Slow enough for two people to meet before a bot sits down, on a busy machine too."""
    return 8


@pytest.fixture
def people(server: Server) -> list[Player]:
    return seat_two(server)


def seat_two(server: Server) -> list[Player]:
    return table.seat_together(server, stranger("mira"), stranger("nova"))


def test_double_tap_is_one_guess(people: list[Player]) -> None:
    mover = table.on_turn(people)
    turn, digits = mover.board.turn, solver.wasted_guess(mover.board, mover.chance)
    answers = at_once(*[lambda: mover.guess(digits, turn=turn)] * 6)
    assert [answer.status for answer in answers] == [204] * 6
    for person in people:
        person.wait_for(lambda person=person: any(row.digits == digits for row in person.board.rows), "the row")
        assert [row.digits for row in person.board.rows if not row.is_skip] == [digits]


def test_two_different_guesses_in_one_turn_are_one(people: list[Player]) -> None:
    mover = table.on_turn(people)
    turn = mover.board.turn
    first, second = "0123", "4567"
    answers = at_once(lambda: mover.guess(first, turn=turn), lambda: mover.guess(second, turn=turn))
    assert sorted(answer.status for answer in answers) in ([204, 409], [204, 422]), [answer.text for answer in answers]
    taken = first if answers[0].status == 204 else second
    mover.wait_for(lambda: own_guesses(mover) == [taken], "the one guess that was accepted")


def test_a_guess_at_the_deadline_counts_or_the_turn_is_skipped(server: Server) -> None:
    """Whoever wins the race between the guess and the clock: there is one row, and it says what the answer said."""
    with ThreadPoolExecutor(len(OFFSETS_MS)) as pool:
        races = [pool.submit(race_the_clock, seat_two(server), server.speed, offset_ms) for offset_ms in OFFSETS_MS]
        for race in races:
            race.result()


def race_the_clock(people: list[Player], speed: float, offset_ms: int) -> None:
    mover = table.on_turn(people)
    seen_at, turn, before = time.monotonic(), mover.board.turn, len(mover.board.rows)
    moment = seen_at + (tunables.TURN_MS / speed + offset_ms) / 1000
    until(lambda: time.monotonic() >= moment, "the turn's last moment", every_s=0.001)
    digits = solver.wasted_guess(mover.board, mover.chance) if mover.board.length else "0123"
    answer = mover.guess(digits, turn=turn)

    mover.wait_for(lambda: len(mover.board.rows) > before, "the end of the turn on the board")
    row = mover.board.rows[before]
    assert answer.status in (204, 409, 422)
    assert row.is_skip is not answer.done
    assert [other.digits for other in mover.board.own_rows] == ([digits] if answer.done else [])


def test_the_other_player_cannot_guess(people: list[Player]) -> None:
    mover = table.on_turn(people)
    other = next(person for person in people if person is not mover)
    answer = other.guess("0123", turn=mover.board.turn)
    assert answer.status == 422
    assert answer.text
    assert all(row.digits != "0123" for row in mover.board.rows)


def test_two_forfeits_are_one(people: list[Player]) -> None:
    table.on_turn(people)
    match = people[0].match_id
    answers = at_once(*[lambda: people[0].forfeit(match_id=match)] * 4)
    assert all(answer.status in (204, 422) for answer in answers)
    assert any(answer.done for answer in answers)
    for person in people:
        person.wait_for(lambda person=person: person.board.phase == "results", "the results")
