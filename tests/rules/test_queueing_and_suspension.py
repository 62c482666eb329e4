"""R3.1, R3.2, R3.8: the queue; R7.7: quitting in a row."""

from __future__ import annotations

import pytest

from guessio.rules import queueing, suspension
from guessio.rules.suspension import QuitStep
from guessio.rules.terms import AccountId

ANN, BEN, CAT = (AccountId(number) for number in (1, 2, 3))
MINUTE = 60_000
DAY = 24 * 60 * MINUTE


@pytest.mark.parametrize(
    ("waiting", "bots", "players", "group"),
    [
        ((), 0, 2, None),
        ((ANN,), 0, 2, None),
        ((ANN, BEN), 0, 2, (ANN, BEN)),
        ((ANN, BEN, CAT), 0, 2, (ANN, BEN)),
        ((ANN,), 1, 2, (ANN,)),
        ((ANN, BEN, CAT), 1, 3, (ANN, BEN)),
        ((), 2, 2, None),
        ((ANN,), 2, 2, None),
    ],
)
def test_a_full_group_starts_first_come_first_served(
    waiting: tuple[AccountId, ...], bots: int, players: int, group: tuple[AccountId, ...] | None
) -> None:
    assert queueing.group(waiting, bots, players) == group


def test_bots_come_five_seconds_apart() -> None:
    assert queueing.fill_due(1_000, None) == 6_000
    assert queueing.fill_due(1_000, 6_000) == 11_000


def test_a_searcher_without_connection_is_dropped_after_ten_seconds() -> None:
    assert queueing.dropped_at(500) == 10_500


@pytest.mark.parametrize(
    ("quits", "step"), [(0, QuitStep.NOTHING), (1, QuitStep.NOTHING), (2, QuitStep.WARN), (3, QuitStep.SUSPEND), (4, QuitStep.SUSPEND)]
)
def test_the_second_warns_and_the_third_suspends(quits: int, step: QuitStep) -> None:
    assert suspension.after_quit(quits) is step


@pytest.mark.parametrize(("repeats", "minutes"), [(0, 30), (1, 120), (2, 1_440), (3, 4_320), (9, 4_320)])
def test_suspensions_grow(repeats: int, minutes: int) -> None:
    now = 100 * DAY
    assert suspension.length_ms([now - DAY] * repeats, now) == minutes * MINUTE


def test_what_is_thirty_days_old_is_forgotten() -> None:
    now = 100 * DAY
    assert suspension.length_ms([now - 30 * DAY, now - 30 * DAY + 1], now) == 120 * MINUTE


def test_nobody_is_blamed_for_the_server() -> None:
    started = 10 * DAY
    assert suspension.is_blameless(started - 1, started)
    assert suspension.is_blameless(started + 10 * MINUTE - 1, started)
    assert not suspension.is_blameless(started + 10 * MINUTE, started)
