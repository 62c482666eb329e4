"""Fixtures that every kind of test shares. Sockets lead nowhere but to this machine."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit import browser as browsers
from tests.kit import postgres
from tests.kit.fake_clock import FakeClock
from tests.kit.server import SPEED, Server
from tests.kit.standing import Standing

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser

    from guessio.config import Settings

HERE = ("127.0.0.1", "::1", "localhost", "")
NO_BROWSER = "no Chromium or Chrome on this machine"


# --- collection -----------------------------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that uses a database runs on SQLite, and when it is marked `db` on Postgres as well; when marked `postgres`, there alone."""
    if "database_kind" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker
        kinds = ["postgres"] if marked("postgres") else ["sqlite", "postgres"] if marked("db") else ["sqlite"]
        metafunc.parametrize("database_kind", kinds, scope="function")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests are marked by their folder and skipped without a browser; then everything is put in a good order."""
    for item in items:
        if "e2e" in Path(item.fspath).relative_to(item.config.rootpath).parts:
            item.add_marker("e2e")
            item.add_marker(pytest.mark.timeout(300))
            if browsers.find() is None:
                item.add_marker(pytest.mark.skip(reason=NO_BROWSER))
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    """What is quick comes first; of what is slow the longest, so that two workers at it end together: the screens of a stage come last."""
    marks = {mark.name for mark in item.iter_markers()}
    if not marks & {"live", "faults", "e2e"}:
        return int("db" in marks)
    if "faults" in marks:
        return 2
    if "e2e" not in marks:
        return 4
    return 3 if "server" in getattr(item, "fixturenames", ()) else 5


def _unrun(config: pytest.Config) -> int:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    return sum(NO_BROWSER in str(report.longrepr) for report in skipped)


def _unread(config: pytest.Config) -> bool:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    errors = reporter.stats.get("error", []) if reporter else []
    return any(isinstance(report, pytest.CollectReport) for report in errors)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true a machine without a browser fails: a green run there means that the browser tests ran.

    Nothing has run where a file could not be read, so that is no failure of single tests, which `make test` would run once more.
    """
    if _unread(session.config):
        session.exitstatus = pytest.ExitCode.INTERRUPTED
    in_ci = os.environ.get("CI", "").lower() in ("1", "true", "yes")
    if in_ci and _unrun(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say it in the last lines when the browser tests did not run."""
    unrun = _unrun(config)
    if unrun:
        terminalreporter.write_line(f"{unrun} browser tests SKIPPED: {NO_BROWSER}; set CHROMIUM to the path of one", yellow=True, bold=True)


# --- nothing leaves this machine ------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def no_way_out() -> Iterator[None]:
    """Refuse every connection that is not to this machine."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in HERE:
            raise PermissionError(f"a test tried to reach {address[0]}")
        real(self, address)

    socket.socket.connect = connect  # pyright: ignore[reportAttributeAccessIssue]
    yield
    socket.socket.connect = real


# --- databases ------------------------------------------------------------------------------------------------------------


def _migrated(url: str, folder: Path) -> str:
    """Bring a new database to the present schema."""
    from guessio import bootstrap, config
    from guessio.store import database

    app = bootstrap.create_app(config.read({"DATABASE_URL": url, "GUESSIO_INSTANCE": str(folder)}), testing=True)
    database.upgrade(app)
    database.close()
    return url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the schema, to be copied."""
    folder = tmp_path_factory.mktemp("schema")
    _migrated(f"sqlite:///{folder / 'guessio.sqlite3'}", folder)
    return folder / "guessio.sqlite3"


@pytest.fixture(scope="session")
def migrated_postgres(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a Postgres database with the schema, to be copied."""
    url = _migrated(postgres.fresh(), tmp_path_factory.mktemp("schema"))
    return url.rpartition("/")[2].partition("?")[0]


def _new_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database with the schema and nothing else; SQLite's file lies in `folder`."""
    if kind == "postgres":
        return postgres.fresh(request.getfixturevalue("migrated_postgres"))
    shutil.copy(request.getfixturevalue("migrated_sqlite"), folder / "guessio.sqlite3")
    return f"sqlite:///{folder / 'guessio.sqlite3'}"


def _drop(url: str) -> None:
    if not url.startswith("sqlite"):
        postgres.drop(url)


@pytest.fixture
def database_url(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database of this test's own, with the schema and nothing else."""
    url = _new_database(database_kind, tmp_path, request)
    yield url
    _drop(url)


# --- the app in this process ----------------------------------------------------------------------------------------------


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Development settings for this test's database."""
    from guessio import config

    return config.read({"DATABASE_URL": database_url, "GUESSIO_INSTANCE": str(tmp_path / "instance"), "GUESSIO_LIMITS": "off"})


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    """The application on a database of its own; nothing moves by itself, so a test lets time pass and runs what is due."""
    from guessio import bootstrap

    app = bootstrap.create_app(settings, testing=True)
    bootstrap.start(app)
    yield app
    bootstrap.stop(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without a screen, signed in as nobody."""
    return app.test_client()


@pytest.fixture
def fake_clock() -> Iterator[FakeClock]:
    """Time that stands still until the test moves it. Ask for it before `app`."""
    with FakeClock() as time:
        yield time


# --- servers and browsers -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Standing]:
    """The development servers of this module, each a process of its own on a database of its own."""
    servers = Standing(lambda kind: _new_database(kind, tmp_path_factory.mktemp("site"), request), _drop)
    yield servers
    servers.forget()


@pytest.fixture
def speed() -> float:
    """How many times shorter the durations are; a test that needs another chooses it by `@pytest.mark.parametrize`."""
    return SPEED


@pytest.fixture
def server(standing: Standing, database_kind: str, speed: float) -> Server:
    """A development server that other tests of the module have used before: come to it as a `stranger`."""
    return standing.server(database_kind, speed)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless browser for all tests; each test opens contexts of its own."""
    with browsers.launched() as browser:
        yield browser
