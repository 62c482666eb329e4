"""Starting and stopping the real thing: bad settings are refused by name, and open streams don't hold a stop."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit import ports
from tests.kit.player import Player
from tests.kit.processes import until
from tests.kit.server import PROJECT, Server

pytestmark = pytest.mark.live

GUNICORN = (sys.executable, "-m", "gunicorn")


def refusal(folder: Path, *command: str, **environ: str) -> str:
    """What a start that is refused says."""
    around = {"PATH": "/usr/bin:/bin", "GUESSIO_INSTANCE": str(folder), "PORT": str(ports.free()), **environ}
    ended = subprocess.run(command, cwd=PROJECT, env=around, capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize("command", [(sys.executable, "app.py"), GUNICORN])
def test_production_without_its_settings_is_refused_naming_each(tmp_path: Path, command: tuple[str, ...]) -> None:
    said = refusal(tmp_path, *command, GUESSIO_ENV="production", GUESSIO_SPEED="20")
    for name in ("SECRET_KEY", "DATABASE_URL", "GUESSIO_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "GUESSIO_SPEED"):
        assert name in said


@pytest.mark.parametrize("asked", [{"WEB_CONCURRENCY": "2"}, {}])
def test_two_workers_on_sqlite_are_refused(tmp_path: Path, asked: dict[str, str]) -> None:
    command = GUNICORN if asked else (*GUNICORN, "--workers", "2")
    assert "SQLite" in refusal(tmp_path, *command, **asked)


def test_a_worker_that_would_block_on_streams_is_refused(tmp_path: Path) -> None:
    assert "gevent" in refusal(tmp_path, *GUNICORN, "--worker-class", "sync")


def test_late_patching_is_refused(tmp_path: Path) -> None:
    late = subprocess.run([sys.executable, "-c", "import psycopg, wsgi"], cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert "psycopg came before gevent" in late.stderr


def test_a_port_that_was_asked_for_and_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", ports.free())) as taken:
        port = str(taken.getsockname()[1])
        assert f"Port {port}" in refusal(tmp_path, sys.executable, "app.py", PORT=port)


def hints(person: Player) -> int:
    """How often the player's stream was told when to reconnect: once as it opens, once as the server ends it."""
    return b"".join(shown.body for shown in person.shown).count(b"retry: ")


@pytest.mark.parametrize("workers", [0, 1])
def test_open_streams_end_when_the_server_is_told_to_stop(database_url: str, workers: int) -> None:
    server = Server(database_url, workers=workers)
    try:
        server.start()
        people = [server.player(name) for name in ("player_1", "player_2")]
        for person in people:
            until(lambda person=person: hints(person) == 1, "an open stream")
        assert server.stop() == 0
        assert "Traceback" not in server.log
        for person in people:
            until(lambda person=person: hints(person) == 2, "the hint to reconnect, which an ended stream says last")
            person.close()
    finally:
        server.forget()
