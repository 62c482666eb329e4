"""A server on which every screen can be seen: time stands still, people are signed in, matches stand where `scenes` has put them.

`python -m tests.kit.stage FOLDER` serves on a free port and prints one line of JSON: the address and everybody's cookie. `open_stage()`
does that in a process of its own.
"""
# ruff: noqa: E402 - patching comes before every other import

from __future__ import annotations

from gevent import monkey

if __name__ == "__main__":
    monkey.patch_all()

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import gevent
from flask import Flask, abort
from flask.sessions import SecureCookieSessionInterface
from gevent.pywsgi import WSGIServer
from sqlalchemy import update

from guessio import bootstrap, clock, config
from guessio.live import hub
from guessio.rules.terms import Difficulty, EngagementKind, MatchType, TableKind
from guessio.services import results, sessions, tables
from guessio.services.accounts import SignUp
from guessio.store import database, engagements, schema
from guessio.web.accounts import SIGN_UP_KEY
from guessio.web.guards import ACCOUNT_KEY, TOKEN_KEY
from tests.kit import duel_scenes, ports, processes, scenes, stage_people
from tests.kit.scenes import Scene
from tests.kit.stage_people import DAY_MS, HOUR_MS, NEWCOMER, PEOPLE

NOW_MS = 1_796_292_000_000  # a Thursday, 10:00 UTC
GUEST = "a guest"
SIGNING_UP = "somebody without a username"
BEAT_S = 4
MINUTE_MS = 60_000

PAST = (
    ("ranked-won", 12 * MINUTE_MS, scenes.TWO, scenes.finished(0, 1, 0, type=MatchType.RANKED)),
    ("ranked-four", HOUR_MS, scenes.FOUR, scenes.finished(2, 2, players=4, type=MatchType.RANKED)),
    ("ranked-left", 3 * HOUR_MS, scenes.FOUR, scenes.finished(0, 2, players=4, leaves=0, type=MatchType.RANKED)),
    ("casual-drawn", 26 * HOUR_MS, scenes.WITH_BOT, scenes.finished(None, None, None, difficulty=Difficulty.HARDCORE)),
    ("cancelled", 2 * DAY_MS, scenes.TWO, scenes.cancelled),
    ("casual-won", 3 * DAY_MS, scenes.THREE, scenes.finished(0, 0, players=3, difficulty=Difficulty.HARDCORE)),
    ("casual-lost", 5 * DAY_MS, scenes.LONGEST, scenes.finished(1, 1)),
    ("given-up", 6 * DAY_MS, scenes.WITH_BOT, scenes.finished(0, None, leaves=1)),
)
MORE_PAST = 18


@dataclass(frozen=True, slots=True)
class Stage:
    """A running stage: its address, and the value of the cookie of each who is signed in."""

    url: str
    cookie_name: str
    cookies: dict[str, str]


@contextmanager
def open_stage() -> Iterator[Stage]:
    """A stage in a process of its own, for the length of a `with` block."""
    with tempfile.TemporaryDirectory(prefix="guessio-stage-") as folder:
        command = [sys.executable, "-m", "tests.kit.stage", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=processes.dies_with_parent()) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise RuntimeError("the stage has not come up; its reason stands above")
            try:
                yield Stage(**json.loads(line))
            finally:
                processes.end(process)


def build(folder: Path, port: int) -> Flask:
    """The application with everything on it; the clock stands from now on."""
    clock.install(lambda: NOW_MS)
    environ = {"GUESSIO_INSTANCE": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'stage.sqlite3'}", "GUESSIO_LIMITS": "off"}
    settings = config.read({**environ, "PORT": str(port)})
    app = bootstrap.create_app(settings, testing=True)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    _add_doors(app)
    with app.app_context():
        schema.metadata.create_all(database.engine())
    bootstrap.start(app)
    stage_people.enter(NOW_MS)
    for scene in scenes.LIVE:
        tables.create(TableKind.MATCH, scenes.make(scene, NOW_MS, PEOPLE))
    for duel in duel_scenes.LIVE:
        tables.create(TableKind.DUEL, duel_scenes.make(duel, NOW_MS, PEOPLE))
    _play_the_past()
    _bind(PEOPLE["nova_7"].username, "own-turn")
    return app


def _add_doors(app: Flask) -> None:
    """Ways to what no link leads to."""

    @app.get("/stage/<int:status>")
    def fail(status: int) -> str:
        if status == 500:
            raise RuntimeError("a crash, to see what its page looks like")
        abort(status)

    @app.before_request
    def forget_tips() -> None:
        # The newcomer sees everything for the first time, every time.
        with database.write() as conn:
            fresh = update(schema.accounts).where(schema.accounts.c.username == NEWCOMER)
            conn.execute(fresh.values(tips_seen=""))


def _play_the_past() -> None:
    """Finished matches, settled as ever, the oldest first."""
    for name, ago_ms, cast, play in reversed(PAST):
        _settle(Scene(name, cast, play), NOW_MS - ago_ms)
    for number in range(MORE_PAST):
        winners = (0, 0) if number % 3 else (1, 1)
        _settle(Scene(f"earlier-{number}", scenes.WITH_BOT, scenes.finished(*winners)), NOW_MS - (8 + number) * DAY_MS)


def _settle(scene: Scene, at_ms: int) -> None:
    state = scenes.make(scene, at_ms, PEOPLE)
    while not tables.machine(TableKind.MATCH).is_over(state):
        state = tables.machine(TableKind.MATCH).tick(state, state.until_ms).state
    tables.create(TableKind.MATCH, state)
    with database.write() as conn:
        conn.execute(update(schema.tables).where(schema.tables.c.id == scene.name).values(over_ms=state.ended_ms))
    if not results.settle(state.id):
        raise RuntimeError(f"{scene.name} was not settled")


def _bind(username: str, match: str) -> None:
    """Let Home offer the way back to a match."""
    with database.write() as conn:
        engagements.bind(conn, PEOPLE[username].account, EngagementKind.MATCH, match)


def cookies(app: Flask) -> dict[str, str]:
    """A signed session for everybody who is not a bot, and for somebody who is about to choose a username."""
    made: dict[str, dict[str, object]] = {
        name: {ACCOUNT_KEY: one.account, TOKEN_KEY: sessions.start(one.account)} for name, one in PEOPLE.items() if not one.is_bot
    }
    person = SignUp(
        subject="https://issuer.example s",
        email="new@example.org",
        name="New Person",
        avatar_url="",
        suggestion="new_person",
        began_ms=NOW_MS,
    )
    made[SIGNING_UP] = {SIGN_UP_KEY: asdict(person)}
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert serializer is not None
    return {name: str(serializer.dumps({"_permanent": True, **content})) for name, content in made.items()}


def main() -> None:
    """Serve until told to stop."""
    port = ports.free()
    app = build(Path(sys.argv[1]), port)
    server = WSGIServer(("127.0.0.1", port), app, log=None, error_log=None)
    gevent.spawn(_beat)
    server.start()
    stage = {"url": f"http://127.0.0.1:{port}", "cookie_name": app.config["SESSION_COOKIE_NAME"], "cookies": cookies(app)}
    print(json.dumps(stage), flush=True)
    server.serve_forever()


def _beat() -> None:
    while True:
        gevent.sleep(BEAT_S)
        hub.beat(hub.all_streams())


if __name__ == "__main__":
    main()
