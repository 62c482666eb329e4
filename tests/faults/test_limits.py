"""Requests of one address are counted over all workers together: whoever spreads them gains next to nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
import requests

from guessio import clock
from guessio.web import limits
from tests.kit.cluster import Cluster
from tests.kit.server import Server

pytestmark = [pytest.mark.live, pytest.mark.faults]

WORKERS = 2
MOST = limits.SIGNING_IN


@pytest.fixture
def limited(site: Cluster) -> Iterator[list[Server]]:
    """Two workers on the site's database that count."""
    settings = {**site.settings, "GUESSIO_LIMITS": "on"}
    workers = [Server(site.url, speed=site.speed, workers=1, settings=settings, is_prepared=True) for _ in range(WORKERS)]
    try:
        yield [worker.start() for worker in workers]
    finally:
        for worker in workers:
            worker.forget()


def test_attempts_to_sign_in_that_are_spread_over_the_workers_meet_the_common_limit(limited: Sequence[Server]) -> None:
    taken = next(filter(None, (taken_in_one_minute(limited) for _ in itertools.count())))
    # One may have been taken just after a minute that ended; each worker alone takes as many, and messages on their way add a few.
    assert MOST - 1 <= taken <= MOST * 3 // 2


def taken_in_one_minute(workers: Sequence[Server]) -> int:
    """How many attempts were taken before one was refused; 0 when a minute ended meanwhile."""
    began = clock.now_ms() // limits.WINDOW_MS
    with requests.Session() as browser:
        browser.trust_env = False
        for number, worker in enumerate(itertools.cycle(workers)):
            status = browser.get(f"{worker.url}/sign-in/callback", timeout=60).status_code
            if clock.now_ms() // limits.WINDOW_MS != began:
                return 0
            if status == 429:
                return number
            assert status == 400
    raise AssertionError("unreachable: every worker refuses in the end")
