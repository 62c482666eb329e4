"""What one process of many holds alone, as long as it lives: advisory locks on a connection of their own.

Postgres gives a lock back the moment its holder's connection ends, also when the holder was killed. SQLite serves one process, which
holds everything as soon as it has locked a file beside the database.
"""

from __future__ import annotations

import fcntl
import logging
import os
import zlib
from typing import Any

from gevent.lock import BoundedSemaphore
from sqlalchemy import Connection, text

from guessio.store import database

log = logging.getLogger(__name__)

SPACE = 0x67756573
_raw: Any = None
_held: set[str] = set()
_file: int | None = None
_turn = BoundedSemaphore()


def hold(name: str) -> bool:
    """Whether this process holds the lease from now on, taking it when it is free; ask again before each piece of work."""
    if database.is_sqlite():
        return _hold_file()
    # One at a time: a second connection would take the first one's place, whose locks end unnoticed.
    with _turn:
        try:
            return _hold(name)
        except Exception as error:
            log.warning("the connection that holds leases was lost: %s", error)
            close()
            return False


def is_free(conn: Connection, name: str) -> bool:
    """Whether nobody holds the lease; then nobody can take it before this transaction ends."""
    if database.is_sqlite():
        return True
    return bool(conn.execute(text("SELECT pg_try_advisory_xact_lock(:space, :key)"), {"space": SPACE, "key": _key(name)}).scalar())


def take_turn(conn: Connection, name: str) -> None:
    """Wait until no other transaction has this turn, and have it until the end of this one. SQLite's writers do so anyway."""
    if not database.is_sqlite():
        conn.execute(text("SELECT pg_advisory_xact_lock(:space, :key)"), {"space": SPACE, "key": _key("turn:" + name)})


def close() -> None:
    """Give every lease back."""
    global _raw, _file
    raw, _raw = _raw, None
    file, _file = _file, None
    _held.clear()
    if file is not None:
        os.close(file)
    if raw is not None:
        try:
            raw.close()
        except Exception as error:
            log.debug("closing the lease connection: %s", error)


def _hold(name: str) -> bool:
    global _raw
    if _raw is None:
        _held.clear()
        _raw = database.connect_postgres(application="guessio leases")
    if name in _held:
        _raw.execute("SELECT 1")
        return True
    if _raw.execute("SELECT pg_try_advisory_lock(%s, %s)", (SPACE, _key(name))).fetchone()[0]:
        _held.add(name)
    return name in _held


def _hold_file() -> bool:
    """The kernel gives this lock back when its holder ends, however it ends."""
    global _file
    if _file is None:
        file = os.open(f"{database.engine().url.database}-serving", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        _file = file
    return True


def _key(name: str) -> int:
    return zlib.crc32(name.encode()) - 2**31
