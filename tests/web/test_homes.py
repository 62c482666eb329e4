"""Which worker a request goes to, and how its connection gets there."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Iterator

import pytest

from guessio import figures
from guessio.web import homes
from guessio.web.homes import Homes

TABLES = [f"table{number}" for number in range(300)]


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> Homes:
    """Homes for three workers, all of which take in at a moment that lasts."""
    now_s = figures.now_s()
    monkeypatch.setattr(figures, "now_s", lambda: now_s)
    made = Homes(3)
    for place in range(3):
        made.open(place)
    return made


@pytest.fixture
def line() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A page's end of a connection, and the server's."""
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


@pytest.mark.parametrize(
    ("path", "query", "table"),
    [
        ("/match/aB-_9/guess", "", "aB-_9"),
        ("/match/aB9", "", "aB9"),
        ("/match/aB9/results", "", "aB9"),
        ("/duel/aB9/secret", "", "aB9"),
        ("/live", "table=aB9&v=0&page=match", "aB9"),
        ("/live", "v=0&table=aB9", "aB9"),
        ("/live", "v=0&tables=aB9", None),
        ("/live", "table=", None),
        ("/live/left", "table=aB9", None),
        ("/", "table=aB9", None),
        ("/match/", "", None),
        ("/match/a%20b", "", None),
        ("/matches/aB9", "", None),
        ("/duels/history/aB9", "", None),
        ("/static/match/aB9", "", None),
        ("/match/" + "a" * 41, "", None),
    ],
)
def test_a_request_says_what_table_it_is_about(path: str, query: str, table: str | None) -> None:
    assert homes.table_of(path, query) == table


def test_every_place_is_home_to_about_as_many_tables(three: Homes) -> None:
    counts = [sum(three.elsewhere(table, None) == place for table in TABLES) for place in range(3)]
    assert min(counts) > len(TABLES) / 3 * 0.75


def test_when_a_place_closes_only_its_tables_move(three: Homes) -> None:
    before = {table: three.elsewhere(table, None) for table in TABLES}
    three.close(1)
    after = {table: three.elsewhere(table, None) for table in TABLES}
    assert {before[table] for table in TABLES if before[table] != after[table]} == {1}
    assert set(after.values()) == {0, 2}
    three.open(1)
    assert {table: three.elsewhere(table, None) for table in TABLES} == before


def test_a_place_whose_worker_says_nothing_for_a_while_closes_by_itself(three: Homes, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = figures.now_s()
    monkeypatch.setattr(figures, "now_s", lambda: now_s + homes.IS_OPEN_S * 0.75)
    assert {three.elsewhere(table, None) for table in TABLES} == {0, 1, 2}
    three.open(1)
    monkeypatch.setattr(figures, "now_s", lambda: now_s + homes.IS_OPEN_S * 1.5)
    assert {three.elsewhere(table, None) for table in TABLES} == {1}


def test_at_home_and_without_any_home_nothing_is_handed_on(three: Homes) -> None:
    for table, here in itertools.product(TABLES[:30], range(3)):
        assert three.elsewhere(table, here) != here
    for place in range(3):
        three.close(place)
    assert {three.elsewhere(table, 0) for table in TABLES} == {None}


def test_workers_get_different_places_while_there_are_any() -> None:
    made = Homes(2)
    assert [made.free(taken) for taken in (set(), {0}, {1, None}, {0, 1})] == [0, 1, 0, None]


def test_a_connection_arrives_with_what_was_read_of_it(three: Homes, line: tuple[socket.socket, socket.socket]) -> None:
    page, server = line
    page.sendall(b"the rest")
    assert three.hand_on(2, server, b"the beginning")
    server.close()
    fd, begun = next(three.arrivals(2))
    assert begun == b"the beginning"
    with socket.socket(fileno=fd) as taken:
        assert taken.recv(100) == b"the rest"
        taken.sendall(b"an answer")
    assert page.recv(100) == b"an answer"
    assert page.recv(100) == b"", "nobody holds it any more"


def test_what_waits_at_the_door_of_a_worker_that_died_is_dropped(three: Homes, line: tuple[socket.socket, socket.socket]) -> None:
    page, server = line
    assert three.hand_on(0, server, b"x")
    server.close()
    three.clear(0)
    assert page.recv(100) == b"", "the page sees the end and comes again"
    assert {three.elsewhere(table, None) for table in TABLES} == {1, 2}


def test_a_full_door_and_too_long_a_beginning_are_refused(three: Homes, line: tuple[socket.socket, socket.socket]) -> None:
    server = line[1]
    assert not three.hand_on(0, server, b"x" * (homes.MESSAGE_MOST + 1))
    assert three.hand_on(0, server, b"x" * homes.MESSAGE_MOST)
    sent = next(number for number in itertools.count() if not three.hand_on(0, server, b"x" * 1000))
    assert sent > 10, "a burst of connections finds room"
    three.clear(0)
    assert three.hand_on(0, server, b"x")
    fd, _ = next(three.arrivals(0))
    os.close(fd)
