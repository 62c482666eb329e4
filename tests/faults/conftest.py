"""Servers of one site for tests of what happens when a part of it fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit import cluster
from tests.kit.cluster import Cluster

SPEED = 6.0


@pytest.fixture(scope="module")
def site() -> Iterator[Cluster]:
    """Two servers that every test of a module leaves running."""
    with cluster.running(2, speed=SPEED) as running:
        yield running


@pytest.fixture
def doomed() -> Iterator[Cluster]:
    """Two servers of a test's own, to do harm to."""
    with cluster.running(2, speed=SPEED) as running:
        yield running
