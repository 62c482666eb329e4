"""`python -m benchmarks [NAME ...]`: measure, print, and with no names write the figures of benchmarks/RESULTS.md anew."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import bots, figures
from benchmarks.figures import Figure

RESULTS = Path(__file__).with_name("RESULTS.md")
GROUPS: dict[str, Callable[[], list[Figure]]] = {
    "sqlite": figures.on_sqlite,
    "postgres": figures.on_postgres,
    "streams": figures.idle_streams,
    "bots": bots.six_digits,
}

HEAD = """# What things cost

Written by `make bench`. Every figure is taken in one run with the floor that it is compared with: an empty Flask route behind the same
app server (gunicorn, one gevent worker, requests over 100 kept connections). Server and database stay on one core, the load on the other.
Processor time counts user and system of all server processes, the database's included; every move is durable before its answer.

Conditions: {conditions}.

| figure | measured | wanted | |
|---|---|---|---|
"""


def conditions() -> str:
    """What kind of machine this is."""
    model = next((line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    return f"{model}, 2 cores used, {platform.system()}, Python {platform.python_version()}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def row(figure: Figure) -> str:
    """A figure as a line of the table."""
    verdict = "" if figure.kept is None else ("kept" if figure.kept else "**missed**")
    return f"| {figure.name} | {figure.value} | {figure.wanted} | {verdict} |"


def remarks() -> str:
    """What was written by hand below the figures, from its first heading on."""
    _, heading, rest = "\n".join(_lines(str(RESULTS))).partition("\n## ")
    return f"{heading}{rest}\n" if heading else ""


def main() -> int:
    """Measure what was asked for; exit code 1 when a bound is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure what things cost.")
    parser.add_argument("names", nargs="*", choices=[*GROUPS, []], help="groups to measure; all without names")
    names = parser.parse_args().names or list(GROUPS)
    taken: list[Figure] = []
    for name in names:
        print(f"-- {name}", flush=True)
        for figure in GROUPS[name]():
            print(row(figure), flush=True)
            taken.append(figure)
    if len(names) == len(GROUPS):
        RESULTS.write_text(HEAD.format(conditions=conditions()) + "\n".join(map(row, taken)) + "\n" + remarks())
        print(f"written to {RESULTS.relative_to(Path.cwd())}")
    return int(any(figure.kept is False for figure in taken))


if __name__ == "__main__":
    sys.exit(main())
