"""Several players at one match: seated together, and playing it to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.kit import solver
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import Server

FOREVER_S = 180.0
ATTEMPTS = 5


def seat_together(server: Server, *names: str, type: str = "casual", difficulty: str = "standard") -> list[Player]:
    """Sign people in and let them find each other; gives them with the match's page open and its stream running."""
    people = [server.player(name) for name in names]
    gather(people, lambda person: person.search(type, difficulty, len(names)))
    for person in people:
        person.wait_until_streaming()
    return people


def gather(people: Sequence[Player], search: Callable[[Player], object]) -> None:
    """Let all search at the same moment, and again when a bot was quicker than one of them on a busy machine."""
    for _ in range(ATTEMPTS):
        with ThreadPoolExecutor(len(people)) as pool:
            list(pool.map(search, people))
        for person in people:
            person.wait_for(lambda person=person: bool(person.match_id), "the match")
        if len({person.match_id for person in people}) == 1:
            return
        for person in people:
            person.forfeit()
            person.open("/play")
    raise AssertionError(f"{len(people)} people were not seated together in {ATTEMPTS} attempts")


def move(person: Player) -> bool:
    """Do what the page asks for now; whether there was anything to do."""
    board = person.board
    if board.can_pick:
        person.pick_skill("extra_turn")
        return True
    if board.can_guess:
        person.guess(solver.next_guess(board, person.chance))
        return True
    return False


def waste(person: Player) -> bool:
    """Guess something that is most likely wrong, to keep a round going; whether it was one's turn."""
    board = person.board
    if board.can_guess:
        return person.guess(solver.wasted_guess(board, person.chance)).done
    return False


def on_turn(people: Sequence[Player]) -> Player:
    """Who is to guess now, waiting until somebody is (skills are picked on the way)."""

    def somebody() -> bool:
        for person in people:
            if person.board.can_pick:
                move(person)
        return any(person.board.can_guess for person in people)

    until(somebody, "somebody's turn")
    return next(person for person in people if person.board.can_guess)


def play_out(people: Sequence[Player], *, within_s: float = FOREVER_S) -> None:
    """Let everybody play until each is shown the results."""

    def done() -> bool:
        for person in people:
            move(person)
        return all(person.board.phase == "results" for person in people)

    until(done, "the results of the match", within_s=within_s)
