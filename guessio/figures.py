"""What this process counts while it works, for whoever looks after the site. Every layer may add; `web/metrics` alone reads.

Names say what is counted, never who: no label may hold an account, an address, a table or anything that a person typed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

# When a series began tells an operator nothing, and would double what is kept of each.
disable_created_metrics()
REGISTRY = CollectorRegistry()

_TIMES_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

ANSWERS = Counter("guessio_http_answers", "Answers by the class of their status", ["status"], registry=REGISTRY)
HANDED_ON = Counter("guessio_handed_on", "Connections handed on to the worker at which their table is at home", registry=REGISTRY)
REFUSALS = Counter("guessio_refusals", "Commands that a rule refused, by reason", ["reason"], registry=REGISTRY)
COMMANDS = Histogram(
    "guessio_command_seconds",
    "From a command's arrival at its table until it was durable or refused",
    ["kind", "outcome"],
    buckets=_TIMES_S,
    registry=REGISTRY,
)
SAVES = Histogram("guessio_save_batch", "Saves that shared a transaction", buckets=_SIZES, registry=REGISTRY)
SWEEPS = Counter("guessio_sweeps", "Looks for deadlines that nobody served", registry=REGISTRY)
OVERDUE = Counter("guessio_overdue", "Tables whose passed deadline was taken over by a sweep", registry=REGISTRY)
SETTLEMENTS = Counter("guessio_settlements", "Matches whose result was booked", registry=REGISTRY)
BUS_LAG = Histogram(
    "guessio_bus_lag_seconds", "From sending a notification to hearing it oneself over Postgres", buckets=_TIMES_S, registry=REGISTRY
)
BUS_GAPS = Counter("guessio_bus_gaps", "Times at which messages of other processes may have been missed", registry=REGISTRY)
MISSED_STEPS = Counter("guessio_missed_steps", "Steps of watched tables found in the database before any message", registry=REGISTRY)

TABLES = Gauge("guessio_tables_armed", "Live tables that this process is going to wake", registry=REGISTRY)
KEPT = Gauge("guessio_tables_kept", "Tables in this process's memory", registry=REGISTRY)
STREAMS = Gauge("guessio_streams", "Open streams", registry=REGISTRY)
PRESENT = Gauge("guessio_accounts_present", "Accounts with a stream here", registry=REGISTRY)
BUS_WAITING = Gauge("guessio_bus_waiting", "Messages that wait to be sent to other processes", registry=REGISTRY)


@cache
def command(kind: str, outcome: str) -> Histogram:
    """The times of one kind of command that ended in one way: found once, because each guess counts here."""
    return COMMANDS.labels(kind, outcome)


@cache
def answers(status: int) -> Counter:
    """The answers of a status's class."""
    return ANSWERS.labels(f"{status // 100}xx")


def now_s() -> float:
    """Seconds on a clock that only runs forward: for measuring how long work takes, never for what the rules call time."""
    return time.perf_counter()


def follow(gauge: Gauge, read: Callable[[], int]) -> None:
    """Let the gauge show what `read` gives at the moment at which somebody looks."""
    gauge.set_function(lambda: float(read()))


Sample = tuple[str, dict[str, str], float]


@dataclass(frozen=True, slots=True)
class Family:
    """All samples of one name, as they can be handed to another process: what they mean, their kind, and their values with labels."""

    name: str
    meaning: str
    kind: str
    samples: list[Sample]


def taken() -> list[Family]:
    """Everything as it is now."""
    return [
        Family(family.name, family.documentation, family.type, [(one.name, dict(one.labels), one.value) for one in family.samples])
        for family in REGISTRY.collect()
    ]
