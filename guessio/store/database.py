"""The one database: SQLite for one process, Postgres for many; the same code on both.

Reads and writes are Core connections in a `with` block each. A block is short, never waits for another greenlet, and a write block
is never opened inside a write block of the same greenlet.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gevent
from flask import Flask
from flask_migrate import Migrate
from flask_migrate import upgrade as run_migrations
from flask_sqlalchemy import SQLAlchemy
from gevent.lock import BoundedSemaphore
from sqlalchemy import Connection, Engine, event, make_url, text
from sqlalchemy.exc import DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from guessio import clock, postgres
from guessio.store import schema

if TYPE_CHECKING:
    from guessio.config import Settings

BUSY_MS = 5_000
STATEMENT_MS = 10_000
UNANSWERED_MS = 12_000
POOL_SIZE = 20
POOL_WAIT_S = 10
IDLE_MS = 1_000
MIGRATIONS = "migrations"
AWAY = (OperationalError, InterfaceError, PoolTimeout)
"""What is raised when the database can't do it now, through no fault of what was asked."""

db = SQLAlchemy(metadata=schema.metadata)
migrate = Migrate(db=db)

_engine: Engine | None = None
_reading: Engine | None = None
_turn = BoundedSemaphore()
_writer: Any = None


def init(app: Flask, settings: Settings) -> None:
    """Open the database named by `settings.database_url` for `app`.

    Raises: ValueError for an SQLite database without a file, which two connections could not share.
    """
    global _engine, _reading
    url = make_url(settings.database_url)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite and url.database in (None, "", ":memory:"):
        raise ValueError("DATABASE_URL must name a file when it is SQLite")
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = _sqlite_options() if sqlite else _postgres_options()
    db.init_app(app)
    migrate.init_app(app, db, directory=str(_migrations()))
    with app.app_context():
        _engine = _reading = db.engine
    if sqlite:
        event.listen(_engine, "connect", _prepare_sqlite)
        event.listen(_engine, "begin", _begin_sqlite)
    else:
        event.listen(_engine, "do_connect", _connect_postgres)
        event.listen(_engine, "checkout", _check_idle)
        event.listen(_engine, "checkin", _note_return)
        # Without a transaction around it a question is one exchange instead of three; what it sees is the same (read committed).
        _reading = _engine.execution_options(isolation_level="AUTOCOMMIT")


def engine() -> Engine:
    """The engine of the open database. Raises: RuntimeError before `init`."""
    if _engine is None:
        raise RuntimeError("the database has not been opened: call database.init first")
    return _engine


def is_sqlite() -> bool:
    """Whether the open database is SQLite, which serves one process only."""
    return engine().dialect.name == "sqlite"


def upgrade(app: Flask) -> None:
    """Bring the schema up to date, as `flask db upgrade` does; two processes that do it at once take turns."""
    with app.app_context():
        run_migrations(directory=str(_migrations()))


@contextmanager
def read() -> Iterator[Connection]:
    """A connection for reading: one snapshot on SQLite, on Postgres one for each statement."""
    with (_reading or engine()).connect() as conn:
        yield conn


@contextmanager
def write() -> Iterator[Connection]:
    """A connection in a transaction that commits at the end of the block and rolls back when it raises.

    On SQLite the writers of this process take turns without blocking the others, and the transaction takes the write lock at once.
    """
    if not is_sqlite():
        with engine().begin() as conn:
            yield conn
        return
    with sqlite_turn(), engine().connect() as conn, conn.execution_options(begin="BEGIN IMMEDIATE").begin():
        yield conn


@contextmanager
def sqlite_turn() -> Iterator[None]:
    """The right to write to SQLite in this process. Raises: RuntimeError when this greenlet has it already."""
    global _writer
    if _writer is gevent.getcurrent():
        raise RuntimeError("a write inside a write block would wait for itself: use the block's connection")
    with _turn:
        _writer = gevent.getcurrent()
        try:
            yield
        finally:
            _writer = None


def ping() -> bool:
    """Whether the database answers."""
    with read() as conn:
        return conn.execute(text("SELECT 1")).scalar() == 1


def close() -> None:
    """Give up all pooled connections."""
    if _engine is not None:
        _engine.dispose()


def prepare_sqlite(raw: Any) -> None:
    """Settings of every SQLite connection: WAL, durable at commit, foreign keys, patience with other writers."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}", "temp_store=MEMORY"):
        raw.execute(f"PRAGMA {pragma}")


def _prepare_sqlite(raw: Any, _record: Any) -> None:
    # The driver's own transaction control would begin late and commit around DDL: transactions are begun here alone.
    raw.isolation_level = None
    prepare_sqlite(raw)


def _begin_sqlite(conn: Connection) -> None:
    conn.exec_driver_sql(conn.get_execution_options().get("begin", "BEGIN"))


def _sqlite_options() -> dict[str, Any]:
    return {"hide_parameters": True, "connect_args": {"check_same_thread": False}}


def connect_postgres(application: str, timeout_ms: int = STATEMENT_MS) -> Any:
    """A driver connection of one's own, outside the pool, where each statement is its own transaction."""
    url = engine().url.set(drivername="postgresql").render_as_string(hide_password=False)
    return postgres.connect(url, application_name=application, **_postgres_arguments(timeout_ms))


def _postgres_options() -> dict[str, Any]:
    return {
        "hide_parameters": True,
        "pool_size": POOL_SIZE,
        "max_overflow": 0,
        "pool_timeout": POOL_WAIT_S,
        # The one that was used last: it needs no asking whether its server is still there.
        "pool_use_lifo": True,
        "connect_args": _postgres_arguments(STATEMENT_MS),
    }


def _postgres_arguments(timeout_ms: int) -> dict[str, Any]:
    return {
        "connect_timeout": 5,
        "options": f"-c statement_timeout={timeout_ms} -c idle_in_transaction_session_timeout={STATEMENT_MS}"
        # A host that vanished must not keep its locks and leases for hours.
        " -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3",
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        # Keepalives rest while an answer is awaited: without this a host that vanished then is noticed after a quarter of an hour.
        "tcp_user_timeout": UNANSWERED_MS,
    }


def _connect_postgres(_dialect: Any, _record: Any, positional: Any, named: Any) -> Any:
    return postgres.Connection.connect(*positional, **named)


def _check_idle(raw: Any, record: Any, _proxy: Any) -> None:
    """A pooled connection that rested may have lost its server: ask before handing it out, and take another if so."""
    if clock.now_ms() - record.info.get("returned_ms", 0) < IDLE_MS:
        return
    try:
        raw.execute("SELECT 1")
        raw.rollback()
    except Exception as error:
        raise DisconnectionError from error


def _note_return(_raw: Any, record: Any) -> None:
    record.info["returned_ms"] = clock.now_ms()


def _migrations() -> Path:
    return Path(__file__).resolve().parents[2] / MIGRATIONS
