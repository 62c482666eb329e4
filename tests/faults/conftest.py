"""One site of two servers for all tests of faults; whatever a test broke is mended before the next one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.kit import cluster, table
from tests.kit.cluster import Cluster
from tests.kit.player import Player

SPEED = 6.0
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def standing_site() -> Iterator[Cluster]:
    """Two servers over one Postgres."""
    with cluster.running(2, speed=SPEED) as running:
        yield running


@pytest.fixture
def site(standing_site: Cluster) -> Cluster:
    """The site, whole."""
    standing_site.mend()
    return standing_site


@pytest.fixture
def people(site: Cluster) -> Iterator[tuple[Player, Player]]:
    """Two people whom nobody knows yet, each at a server of their own, signed in."""
    pair = (site.player(0, f"mira_{next(_numbers)}"), site.player(1, f"nova_{next(_numbers)}"))
    for one in pair:
        one.sign_in()
    yield pair
    for one in pair:
        one.close()


@pytest.fixture
def seated(people: tuple[Player, Player]) -> tuple[Player, Player]:
    """The two in the first round of a match with each other."""
    table.gather(people, lambda person: person.search())
    for one in people:
        one.wait_until_streaming()
    table.on_turn(people)
    return people
