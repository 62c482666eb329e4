"""The processes that serve, each with the moment of its last beat: how downtime is measured (R1.13) and dead ones are found."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, select, update

from guessio.store import leases
from guessio.store.schema import workers
from guessio.store.upsert import insert


def enrol(conn: Connection, worker: str, now_ms: int) -> None:
    """Add this worker, or give it a beat when it is there."""
    statement = insert(conn, workers).values(id=worker, started_ms=now_ms, beat_ms=now_ms)
    conn.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"beat_ms": now_ms}))


def beat(conn: Connection, worker: str, now_ms: int) -> bool:
    """Note that the worker lives; False when it isn't known any more, because others took it for dead."""
    return conn.execute(update(workers).where(workers.c.id == worker).values(beat_ms=now_ms)).rowcount == 1


def beat_all(conn: Connection, now_ms: int) -> None:
    """Give every worker a beat: after an outage that nobody could beat in, each gets the chance to show itself."""
    conn.execute(update(workers).values(beat_ms=now_ms))


def last_beat(conn: Connection) -> int | None:
    """When any worker last beat, dead ones included; None when there never was one."""
    return conn.execute(select(func.max(workers.c.beat_ms))).scalar()


def others(conn: Connection, worker: str) -> dict[str, int]:
    """The last beat of each other worker."""
    rows = conn.execute(select(workers.c.id, workers.c.beat_ms).where(workers.c.id != worker).order_by(workers.c.id))
    return {row.id: row.beat_ms for row in rows}


def dead(conn: Connection, worker: str, late_since_ms: int, silent_since_ms: int) -> tuple[str, ...]:
    """The other workers that are gone: late with their beat and their lease free, or silent for so long that a lease means nothing."""
    return tuple(
        other
        for other, beat_ms in others(conn, worker).items()
        if beat_ms <= silent_since_ms or (beat_ms <= late_since_ms and leases.is_free(conn, lease_of(other)))
    )


def remove(conn: Connection, worker: str) -> None:
    """Forget a worker."""
    conn.execute(delete(workers).where(workers.c.id == worker))


def lease_of(worker: str) -> str:
    """The lease that a worker holds as long as it lives."""
    return f"worker:{worker}"
