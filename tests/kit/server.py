"""A guessIo server as a process of its own: started, killed and started again on the same port and database."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import requests

from tests.kit import ports, processes
from tests.kit.player import Player

PROJECT = Path(__file__).resolve().parents[2]
SPEED = 20.0
START_S = 90.0
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH")


@dataclass
class Server:
    """The development server (`app.py`), or gunicorn with `workers` processes when that is above 0."""

    database_url: str
    speed: float = SPEED
    workers: int = 0
    port: int = field(default_factory=ports.free)
    instance: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="guessio-server-")))
    settings: dict[str, str] = field(default_factory=dict)
    core: int | None = None
    """The processor core to stay on, for measurements."""
    process: subprocess.Popen[Any] | None = None
    is_prepared: bool = False
    """Whether the database has its schema and its bots already."""

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What the server has printed so far."""
        path = self.instance / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def start(self) -> Server:
        """Start the process and wait until it says that it is ready."""
        self.launch()
        return self.await_ready()

    def launch(self) -> None:
        """Start the process, without waiting for what it says."""
        self.instance.mkdir(parents=True, exist_ok=True)
        if self.workers and not self.is_prepared:
            command = [sys.executable, "-m", "flask", "--app", "wsgi", "prepare"]
            subprocess.run(command, cwd=PROJECT, env=self._environment(), check=True, capture_output=True)
            self.is_prepared = True
        with (self.instance / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command(), cwd=PROJECT, env=self._environment(), stdout=log, stderr=log, preexec_fn=processes.dies_with_parent()
            )
        if self.core is not None:
            psutil.Process(self.process.pid).cpu_affinity([self.core])

    def await_ready(self) -> Server:
        """Wait until it serves."""
        processes.until(self.is_ready, f"the server on {self.url} is ready", within_s=START_S)
        return self

    def is_ready(self) -> bool:
        """Whether it serves. Raises: RuntimeError with its last words when it has ended instead."""
        if self.process is None or self.process.poll() is not None:
            raise RuntimeError(f"the server has ended:\n{self.log[-3000:]}")
        try:
            with requests.Session() as http:
                http.trust_env = False
                return http.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def family(self) -> list[psutil.Process]:
        """The process and those that it has started."""
        assert self.process is not None
        first = psutil.Process(self.process.pid)
        return [first, *first.children(recursive=True)]

    def workers_now(self) -> list[psutil.Process]:
        """The workers that gunicorn has at the moment."""
        return self.family()[1:]

    def kill(self) -> None:
        """End it and its workers with SIGKILL, as a crash does."""
        if self.process is None:
            return
        if self.process.poll() is None:
            for member in reversed(self.family()):
                _kill(member)
        self.process.wait()
        processes.until(lambda: not _listens(self.port), "the port is free again")

    def stop(self, patience_s: float = 20.0) -> int:
        """Ask it to end (SIGTERM), and give its exit code."""
        assert self.process is not None
        return processes.end(self.process, patience_s)

    def restart(self) -> Server:
        """Kill it and start it again on the same port and database."""
        self.kill()
        return self.start()

    def forget(self) -> None:
        """Kill it and remove what it kept."""
        self.kill()
        shutil.rmtree(self.instance, ignore_errors=True)

    def player(self, name: str, **options: Any) -> Player:
        """A person at this server, signed in."""
        person = Player(self.url, name, **options)
        person.sign_in()
        return person

    def _command(self) -> list[str]:
        if not self.workers:
            return [sys.executable, str(PROJECT / "app.py")]
        bind = ["--bind", f"127.0.0.1:{self.port}", "--workers", str(self.workers)]
        return [sys.executable, "-m", "gunicorn", "--config", str(PROJECT / "gunicorn.conf.py"), *bind, "wsgi:app"]

    def _environment(self) -> dict[str, str]:
        """Nothing but what is said here: a developer's own settings don't reach a server under test."""
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        return {
            **kept,
            "PYTHONUNBUFFERED": "1",
            "PORT": str(self.port),
            "GUESSIO_URL": self.url,
            "DATABASE_URL": self.database_url,
            "GUESSIO_INSTANCE": str(self.instance),
            "GUESSIO_SPEED": f"{self.speed:g}",
            "GUESSIO_LIMITS": "off",
            **({"WEB_CONCURRENCY": str(self.workers)} if self.workers else {}),
            **self.settings,
        }


@contextmanager
def running(database_url: str, **options: Any) -> Iterator[Server]:
    """A server for the length of a `with` block."""
    server = Server(database_url, **options)
    try:
        yield server.start()
    finally:
        server.forget()


def sqlite_url(folder: Path) -> str:
    """The address of a SQLite file in `folder`."""
    return f"sqlite:///{folder / 'guessio.sqlite3'}"


def _kill(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGKILL)


def _listens(port: int) -> bool:
    try:
        return any(c.laddr.port == port and c.status == psutil.CONN_LISTEN for c in psutil.net_connections("tcp4") if c.laddr)
    except psutil.AccessDenied:
        return False
