"""Several processes over one Postgres: each serves anybody, and one that dies leaves its matches to the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tests.kit import postgres
from tests.kit.player import Player
from tests.kit.server import Server

pytestmark = [pytest.mark.db, pytest.mark.live]


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    url = postgres.fresh()
    pair = (Server(url, speed=10), Server(url, speed=10))
    try:
        for one in pair:
            one.start()
        yield pair
    finally:
        for one in pair:
            one.forget()
        postgres.drop(url)


@pytest.fixture
def players(servers: tuple[Server, Server]) -> Iterator[tuple[Player, Player]]:
    """Two people who were matched although each is at a server of their own."""
    pair = (servers[0].player("mira_k"), servers[1].player("juno"))
    for one in pair:
        one.search()
    for one in pair:
        one.wait_for(lambda one=one: bool(one.match_id), "a match")
        one.wait_for(lambda one=one: one.board.phase == "turn", "the first turn")
    yield pair
    for one in pair:
        one.close()


def has_row(player: Player, digits: str) -> bool:
    return any(row.digits == digits for row in player.board.rows)


def test_a_move_made_at_one_is_seen_at_the_other(players: tuple[Player, Player]) -> None:
    assert players[0].match_id == players[1].match_id
    for digits in ("0123", "4567", "8901"):
        while not any(one.board.can_guess and one.guess(digits).status == 204 for one in players):
            players[0].wait_for(lambda: any(one.board.can_guess for one in players), "a turn")
        for one in players:
            one.wait_for(partial(has_row, one, digits), "the guess")


def test_a_match_goes_on_when_the_process_that_served_it_is_killed(servers: tuple[Server, Server], players: tuple[Player, Player]) -> None:
    gone, stays = players
    gone.close()
    servers[0].kill()
    stays.wait_for(lambda: stays.board.is_over, "the win over a player whose process died and who never came back", within_s=60)
    assert stays.missed == []
