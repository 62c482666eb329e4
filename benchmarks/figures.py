"""The figures: what is measured, and what it is held against."""

from __future__ import annotations

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import requests
from sqlalchemy import make_url

from tests.kit import ports, postgres, processes, server

SERVER_CORE, LOAD_CORE = 0, 1
MATCHES = 100
STREAMS = (2000, 5000)
WARMING = 100
"""People whose streams come and go first, so that what the process needs once is there."""
FEW, MANY = 10, 1000
RHYTHM_MATCHES, RHYTHM_S = 500, 2.0
SECRET = "a key for measurements alone, long enough 0123456789"
SPEED = 3.0
FLOOR_REQUESTS = 4000
TURNS = 9
GROWTH_TURNS = 15
WARMING_MATCHES = 30
"""Matches that are played to their end first where processes are compared, so that what each needs once isn't counted three times."""
BEGINNING_S = 60.0
"""Within this, matches whose moment has come have begun their first round."""


@dataclass(frozen=True)
class Figure:
    """One figure in words. `kept` says whether a bound holds, None without one."""

    name: str
    value: str
    wanted: str = ""
    kept: bool | None = None


@dataclass
class Bench:
    """Servers under load: one, or several between which a proxy would spread tables. `roots` are the processes whose time counts."""

    ports: list[int]
    roots: list[int]
    database_url: str = ""
    folder: Path = Path()
    seed: int = 0

    def crowd(self, matches: int, people: int = 0) -> str:
        """New people, two in each of so many matches, which begin soon; the file that tells of them."""
        self.seed += 1
        plan = {"seed": self.seed, "matches": matches, "people": people, "wait_ms": _wait_ms(matches)}
        environ = {**os.environ, "DATABASE_URL": self.database_url, "GUESSIO_INSTANCE": str(self.folder), "SECRET_KEY": SECRET}
        command = [sys.executable, "-m", "benchmarks.seeded", json.dumps(plan)]
        done = subprocess.run(
            command, cwd=server.PROJECT, env={**environ, "GUESSIO_SPEED": f"{SPEED:g}"}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"no crowd:\n{done.stderr[-3000:]}")
        path = self.folder / f"crowd-{self.seed}.json"
        path.write_text(done.stdout.splitlines()[-1])
        return str(path)

    def run(self, what: str, **plan: Any) -> dict[str, float]:
        """Carry out a plan from the other core."""
        core = LOAD_CORE if (psutil.cpu_count() or 1) > 1 else None
        whole = {"what": what, "ports": self.ports, "pids": self.roots, "core": core, **plan}
        done = subprocess.run([sys.executable, "-m", "benchmarks.load", json.dumps(whole)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the load for {what} failed:\n{done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1])


Fresh = Callable[[], AbstractContextManager[Bench]]
"""A site of its own for one run."""


@contextmanager
def floor() -> Iterator[Bench]:
    """The empty route behind the same app server."""
    port = ports.free()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:benchmarks", "--worker-class", "gevent", "--workers", "1"]
    command += ["--worker-connections", "20000", "--keep-alive", "75", "--no-control-socket", "--log-level", "warning"]
    command += ["--bind", f"127.0.0.1:{port}", "benchmarks.floor:app"]
    process = subprocess.Popen(command, cwd=server.PROJECT, preexec_fn=processes.dies_with_parent())
    psutil.Process(process.pid).cpu_affinity([SERVER_CORE])
    try:
        processes.until(lambda: _answers(port), "the floor answers")
        yield Bench([port], [process.pid])
    finally:
        processes.end(process)


@contextmanager
def site(database_url: str, also: tuple[int, ...] = (), workers: int = 1, processes: int = 1) -> Iterator[Bench]:
    """The real thing: so many gunicorns, on ports of their own, with so many workers each."""
    settings = {"SECRET_KEY": SECRET, "GUESSIO_LOG": "error"}
    with ExitStack() as stack:
        started = [
            stack.enter_context(server.running(database_url, speed=SPEED, workers=workers, core=SERVER_CORE, settings=settings))
            for _ in range(processes)
        ]
        roots = [one.process.pid for one in started if one.process is not None]
        yield Bench([one.port for one in started], [*roots, *also], database_url, started[0].instance)


def on_sqlite() -> list[Figure]:
    """Costs and throughput on SQLite, and how they grow with the number of live matches."""

    @contextmanager
    def fresh() -> Iterator[Bench]:
        with tempfile.TemporaryDirectory() as folder, site(server.sqlite_url(Path(folder))) as bench:
            yield bench

    with floor() as empty:
        taken = _costs("SQLite", empty, fresh, guess=2.0, moves=1000)
    with fresh() as bench:
        taken.append(_rhythm(bench))
    with fresh() as calm, fresh() as busy:
        return [*taken, _growth(calm, busy)]


def on_postgres() -> list[Figure]:
    """The same on Postgres, which is on the server's core and pays for every commit as in production; and by three workers."""
    database = postgres.Postgres(durable=True).start()

    @contextmanager
    def fresh(also: tuple[int, ...] = (), **many: int) -> Iterator[Bench]:
        with site(postgres.fresh(on=database.url), also, **many) as bench:
            yield bench

    try:
        psutil.Process(database.pid).cpu_affinity([SERVER_CORE])
        with floor() as empty:
            taken = _costs("Postgres", empty, lambda: fresh((database.pid,)), guess=3.0, moves=None)
        return [*taken, *_of_three(fresh)]
    finally:
        database.stop()


MANY_WORKERS = {
    "three processes, tables spread by a proxy": {"processes": 3},
    "three workers of one gunicorn": {"workers": 3},
}
"""As behind the proxy of `deploy/`, which sends a table's requests to one process; and without one: the workers hand connections on."""


def _of_three(fresh: Callable[..., AbstractContextManager[Bench]]) -> list[Figure]:
    """What a guess costs three workers, without the database, and what it costs one."""
    taken: list[Figure] = []
    for name, streams in (("a guess", False), ("a watched guess", True)):
        runs: dict[str, list[dict[str, float]]] = {}
        for _ in range(TURNS):  # by turns, as in `_costs`
            for how, many in {"one": {}, **MANY_WORKERS}.items():
                runs.setdefault(how, []).extend(_guesses(lambda many=many: fresh(**many), streams=streams, is_warm=True))
        taken += [
            Figure(f"Postgres: worker CPU of {name}, {how}, to one", *_times_by_turns(runs[how], runs["one"], 1.2)) for how in MANY_WORKERS
        ]
    return taken


def _guesses(fresh: Fresh, *, streams: bool, is_warm: bool = False) -> Iterator[dict[str, float]]:
    """Guesses at a site of their own: people who have gone leave matches that go on for a while."""
    with fresh() as bench:
        if is_warm:
            bench.run("moves", crowd=bench.crowd(WARMING_MATCHES))
        yield bench.run("guesses", crowd=bench.crowd(MATCHES), active=MATCHES, streams=streams)


def _growth(calm: Bench, busy: Bench) -> Figure:
    """Guesses in ten matches at once, at a site without others and at one with a thousand, by turns."""
    busy.crowd(MANY)
    # That a thousand matches begin at once is not what is measured.
    processes.until(lambda: _have_begun(busy), "all matches have begun", within_s=_wait_ms(MANY) / 1000 + BEGINNING_S)
    few: list[dict[str, float]] = []
    many: list[dict[str, float]] = []
    for _ in range(GROWTH_TURNS):
        for bench, runs in ((calm, few), (busy, many)):
            runs.append(bench.run("guesses", crowd=bench.crowd(FEW), active=FEW, streams=False))
    return Figure(f"SQLite: CPU of a guess with {MANY:,} live matches to that with {FEW}", *_times(_each(many), _each(few), 1.2))


def _have_begun(bench: Bench) -> bool:
    """Whether no match waits for its first round any more: it is made in its first version, and begins with its second."""
    with closing(sqlite3.connect(str(make_url(bench.database_url).database))) as database:
        return database.execute("SELECT count(*) FROM tables WHERE version = 1").fetchone() == (0,)


def _rhythm(bench: Bench) -> Figure:
    """W1: how long until both players have seen a move, at a rate at which people could play."""
    taken = bench.run("rhythm", crowd=bench.crowd(RHYTHM_MATCHES), every_s=RHYTHM_S)
    times = " ".join(f"{name} {taken[f'{name}_ms']:.0f} ms" for name in ("p50", "p95", "p99"))
    busy = taken["cpu_s"] / taken["wall_s"]
    name = f"SQLite: from a guess to both having seen it, {RHYTHM_MATCHES} matches with a move each per {RHYTHM_S:g} s"
    return Figure(name, f"{times} ({taken['count']:.0f} moves, {taken['late']:.0f} late, {100 * busy:.0f} % of a core)")


def _costs(name: str, empty: Bench, fresh: Fresh, *, guess: float, moves: int | None) -> list[Figure]:
    floors: list[dict[str, float]] = []
    alone: list[dict[str, float]] = []
    watched: list[dict[str, float]] = []
    for _ in range(TURNS):  # by turns, because the machine's speed changes: the update is a small difference of two larger figures
        floors.append(empty.run("empty", count=FLOOR_REQUESTS, connections=MATCHES))
        alone += _guesses(fresh, streams=False)
        watched += _guesses(fresh, streams=True)
    floor_s, alone_s = _each(floors), _each(alone)
    update_s = (_each(watched) - alone_s) * watched[0]["count"] / watched[0]["updates"]
    with fresh() as bench:
        played = bench.run("moves", crowd=bench.crowd(MATCHES))
    rate = played["count"] / played["cpu_s"]
    wanted = f"≥ {moves}" if moves else ""
    return [
        Figure(f"{name}: CPU of an empty route (the floor)", f"{1000 * floor_s:.3f} ms"),
        Figure(f"{name}: CPU of a guess", *_ratio(alone_s, floor_s, guess)),
        Figure(f"{name}: CPU per delivered update ({watched[0]['octets']:.0f} bytes)", *_ratio(update_s, floor_s, 0.15)),
        Figure(
            f"{name}: moves per server CPU-second ({MATCHES} matches, {played['count']:.0f} moves)",
            f"{rate:.0f} (p50 {played['p50_ms']:.0f} ms, p99 {played['p99_ms']:.0f} ms, {played['late']:.0f} late)",
            wanted,
            rate >= moves if moves else None,
        ),
    ]


def idle_streams() -> list[Figure]:
    """Memory that one more open stream takes, beyond what the process needs once."""
    with tempfile.TemporaryDirectory() as folder, site(server.sqlite_url(Path(folder))) as bench:
        taken = bench.run("streams", crowd=bench.crowd(0, WARMING + max(STREAMS)), warming=WARMING, counts=STREAMS)
    each = {count: taken[str(count)] / count for count in STREAMS}
    return [
        Figure(f"Memory per idle stream, {count:,} open", f"{size / 1000:.1f} kB", "≤ 30 kB", size <= 30_000)
        for count, size in each.items()
    ]


def _wait_ms(matches: int) -> int:
    """How long so many matches wait for the last of them to be seated."""
    return 2_000 + 12 * matches


def _each(runs: list[dict[str, float]]) -> float:
    """Processor seconds for one, the median of the runs."""
    return statistics.median(_cost_s(run) for run in runs)


def _cost_s(run: dict[str, float]) -> float:
    return run["cpu_s"] / run["count"]


def _times(cost_s: float, base_s: float, bound: float) -> tuple[str, str, bool]:
    ratio = cost_s / base_s
    return f"{1000 * cost_s:.3f} ms to {1000 * base_s:.3f} ms, {ratio:.2f} ×", f"≤ {bound} ×", ratio <= bound


def _times_by_turns(runs: list[dict[str, float]], bases: list[dict[str, float]], bound: float) -> tuple[str, str, bool]:
    """Each run is held against the one of its own turn, because the machine's speed changes from one to the next: the median, and all."""
    ratios = sorted(_cost_s(run) / _cost_s(base) for run, base in zip(runs, bases, strict=True))
    ratio = statistics.median(ratios)
    value = f"{1000 * _each(runs):.3f} ms to {1000 * _each(bases):.3f} ms, {ratio:.2f} × ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    return value, f"≤ {bound} ×", ratio <= bound


def _ratio(cost_s: float, floor_s: float, bound: float) -> tuple[str, str, bool]:
    ratio = cost_s / floor_s
    return f"{1000 * cost_s:.3f} ms, {ratio:.2f} × the floor", f"≤ {bound} ×", ratio <= bound


def _answers(port: int) -> bool:
    try:
        with requests.Session() as http:
            http.trust_env = False
            return http.get(f"http://127.0.0.1:{port}/readyz", timeout=5).ok
    except requests.RequestException:
        return False
