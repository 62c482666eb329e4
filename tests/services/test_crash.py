"""A process killed while it settles a match: whatever moment it was, the match is booked once (R1.13, request 23)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from guessio.services import sweep
from tests.kit.actors import Play
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import counts, lines, played, seated

pytestmark = pytest.mark.db
PROJECT = Path(__file__).resolve().parents[2]
SETTLE_AND_DIE = """
import os, signal, sys
from guessio import bootstrap, config
from guessio.services import results

url, folder, where = sys.argv[1:]
module, _, name = where.rpartition(".")
setattr(sys.modules[module], name, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
bootstrap.create_app(config.read({"DATABASE_URL": url, "GUESSIO_INSTANCE": folder}), testing=True)
results.settle("m1")
"""


@pytest.mark.parametrize(
    ("killed_in", "was_booked"),
    [
        ("guessio.services.achievements.check", False),
        ("guessio.services.results._tell", True),
    ],
)
def test_a_kill_while_settling_books_once(time: FakeClock, database_url: str, tmp_path: Path, killed_in: str, was_booked: bool) -> None:
    ada, bo = seated()
    play = Play.in_round(2)
    play.win_round(0)
    play.next_round()
    table = played(play.win_round(0))
    command = [sys.executable, "-c", SETTLE_AND_DIE, database_url, str(tmp_path), killed_in]
    killed = subprocess.run(command, cwd=PROJECT, capture_output=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert bool(lines(table)) is was_booked
    time.advance(60_000)
    sweep.once()
    sweep.once()
    assert (counts(ada).played, counts(ada).points, counts(bo).lost) == (1, 3, 1)
    assert set(lines(table)) == {ada, bo}
