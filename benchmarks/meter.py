"""Processor time and memory of a server's processes, its database's included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True)
class Spent:
    """Processor seconds by process, user and system together."""

    seconds: dict[int, float]

    def since(self, earlier: Spent) -> float:
        """Processor seconds spent after `earlier`, by all processes together."""
        return sum(now - earlier.seconds.get(pid, 0.0) for pid, now in self.seconds.items())


def spent(roots: Iterable[int]) -> Spent:
    """What the processes and all that they have started have used so far."""
    seconds: dict[int, float] = {}
    for process in _families(roots):
        try:
            seconds[process.pid] = _seconds(process)
        except (psutil.NoSuchProcess, FileNotFoundError, ProcessLookupError):
            continue
    return Spent(seconds)


def resident_bytes(roots: Iterable[int]) -> int:
    """Memory that belongs to the processes alone (unique set size), so that shared pages don't count twice."""
    return sum(process.memory_full_info().uss for process in _families(roots))


def _seconds(process: psutil.Process) -> float:
    """User and system time of one process: to the nanosecond from the scheduler where it tells, else in its hundredths."""
    tasks = list(Path(f"/proc/{process.pid}/task").glob("*/schedstat"))
    if tasks:
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
    times = process.cpu_times()
    return times.user + times.system


def _families(roots: Iterable[int]) -> Iterator[psutil.Process]:
    for pid in roots:
        first = psutil.Process(pid)
        yield first
        yield from first.children(recursive=True)
