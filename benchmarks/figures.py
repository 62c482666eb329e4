"""The figures: what is measured, and what it is held against."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import requests

from tests.kit import ports, postgres, processes, server

SERVER_CORE, LOAD_CORE = 0, 1
MATCHES = 100
STREAMS = 2000
SPEED = 3.0
FLOOR_REQUESTS = 4000
REPEATS = 3


@dataclass(frozen=True)
class Figure:
    """One figure in words. `kept` says whether a bound holds, None without one."""

    name: str
    value: str
    wanted: str = ""
    kept: bool | None = None


@dataclass
class Bench:
    """A server under load. `roots` are the processes whose time counts."""

    port: int
    roots: list[int]
    seed: int = 0

    def run(self, what: str, **plan: Any) -> dict[str, float]:
        """Carry out a plan from the other core."""
        self.seed += 1
        core = LOAD_CORE if (psutil.cpu_count() or 1) > 1 else None
        whole = {"what": what, "port": self.port, "pids": self.roots, "core": core, "seed": self.seed, **plan}
        done = subprocess.run([sys.executable, "-m", "benchmarks.load", json.dumps(whole)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the load for {what} failed:\n{done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1])


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
        yield Bench(port, [process.pid])
    finally:
        processes.end(process)


@contextmanager
def site(database_url: str, also: tuple[int, ...] = ()) -> Iterator[Bench]:
    """The real thing: gunicorn with one worker."""
    with server.running(database_url, speed=SPEED, workers=1, core=SERVER_CORE) as running:
        assert running.process is not None
        yield Bench(running.port, [running.process.pid, *also])


def on_sqlite() -> list[Figure]:
    """Costs and throughput on SQLite."""
    with tempfile.TemporaryDirectory() as folder, floor() as empty, site(server.sqlite_url(Path(folder))) as bench:
        return _costs("SQLite", empty, bench, guess=2.0, moves=1000)


def on_postgres() -> list[Figure]:
    """The same on Postgres, which is on the server's core and pays for every commit as in production."""
    database = postgres.Postgres(durable=True).start()
    try:
        psutil.Process(database.pid).cpu_affinity([SERVER_CORE])
        url = postgres.fresh(on=database.url)
        with floor() as empty, site(url, also=(database.pid,)) as bench:
            return _costs("Postgres", empty, bench, guess=3.0, moves=None)
    finally:
        database.stop()


def _costs(name: str, empty: Bench, bench: Bench, *, guess: float, moves: int | None) -> list[Figure]:
    floor_s = _each([empty.run("empty", count=FLOOR_REQUESTS, connections=MATCHES) for _ in range(REPEATS)])
    alone_s = _each([bench.run("guesses", count=MATCHES, streams=False) for _ in range(REPEATS)])
    watched = [bench.run("guesses", count=MATCHES, streams=True) for _ in range(REPEATS)]
    watched_s = _each(watched)
    update_s = (watched_s - alone_s) * watched[0]["count"] / watched[0]["updates"]
    played = bench.run("moves", count=MATCHES)
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
    """Memory that one more open stream takes."""
    with tempfile.TemporaryDirectory() as folder, site(server.sqlite_url(Path(folder))) as bench:
        taken = bench.run("streams", count=STREAMS)
    each = taken["bytes"] / taken["count"]
    return [Figure(f"RSS per idle stream, {STREAMS} open", f"{each / 1000:.1f} kB", "≤ 30 kB", each <= 30_000)]


def _each(runs: list[dict[str, float]]) -> float:
    """Processor seconds for one, the median of the runs."""
    return statistics.median(run["cpu_s"] / run["count"] for run in runs)


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
