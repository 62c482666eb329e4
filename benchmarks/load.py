"""The load, in a process of its own so that it can stay on a core of its own: `python -m benchmarks.load PLAN` prints figures as JSON.

A plan is JSON: the servers' ports, what to do, how many, and the process ids whose processor time counts.
"""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
import psutil  # noqa: E402

from benchmarks import crowd, meter  # noqa: E402
from benchmarks.crowd import Guest, Pair  # noqa: E402
from benchmarks.lean import Browser, Stream  # noqa: E402

HOST = "127.0.0.1"
FIRST_ROUND = 9
"""Guesses of a round of two that leave it unfinished."""
WAIT_S = 20.0


def empty(plan: dict[str, Any]) -> dict[str, float]:
    """The floor: `count` empty requests over `connections` kept connections at once, each as large as a guess."""
    browsers = [Browser(HOST, plan["ports"][0], {"guessio": "x" * 230}, "y" * 91) for _ in range(plan["connections"])]
    each = plan["count"] // len(browsers)

    def run(browser: Browser) -> None:
        data = browser.encode("POST", "/", {"turn": "12", "guess": "0123"}, htmx=True)
        for _ in range(each):
            assert browser.exchange(data).status == 204

    for browser in browsers:
        browser.request("GET", "/readyz")
    return measured(plan, len(browsers) * each, lambda: gevent.joinall([gevent.spawn(run, b) for b in browsers], raise_error=True))


def guesses(plan: dict[str, Any]) -> dict[str, float]:
    """The guesses of a first round in `count` matches at once, with or without anybody at the streams."""
    made = crowd.pairs(HOST, plan["ports"], plan["crowd"], streams=plan["streams"])[: plan["active"]]
    each_pair(made, Pair.wait_for_turn)
    streams = [guest.stream for pair in made for guest in pair.guests if guest.stream]
    messages, octets = sum(stream.messages for stream in streams), sum(stream.octets for stream in streams)

    done = 0

    def run(pair: Pair) -> None:
        nonlocal done
        for _ in range(FIRST_ROUND):
            if not send(pair):
                return  # a lucky guess has ended the round
            done += 1

    figures = measured(plan, 1, lambda: each_pair(made, run))
    assert done > 0.9 * FIRST_ROUND * len(made), f"only {done} guesses were taken"
    figures["count"] = done
    figures["updates"] = sum(stream.messages for stream in streams) - messages
    figures["octets"] = (sum(stream.octets for stream in streams) - octets) / max(figures["updates"], 1)
    return figures


def moves(plan: dict[str, Any]) -> dict[str, float]:
    """Whole matches without think time: a move is done when it is answered and both players have their own update of it."""
    made = crowd.pairs(HOST, plan["ports"], plan["crowd"])
    each_pair(made, Pair.wait_for_turn)
    done = 0
    late = 0
    latencies: list[float] = []

    def run(pair: Pair) -> None:
        nonlocal done, late
        while True:
            for _ in range(FIRST_ROUND + 1):
                began = time.monotonic()
                shown = [(guest.stream, guest.stream.version) for guest in pair.guests]
                if not send(pair):
                    break
                done += 1
                for stream, version in shown:
                    late += not stream.wait_for(version + 1, WAIT_S)
                latencies.append(time.monotonic() - began)
            if not pair.wait_for_turn():
                return

    figures = measured(plan, 1, lambda: each_pair(made, run))
    latencies.sort()
    figures |= {"count": done, "late": late, "p50_ms": quantile(latencies, 0.5), "p99_ms": quantile(latencies, 0.99)}
    return figures


def rhythm(plan: dict[str, Any]) -> dict[str, float]:
    """A first round in all matches with one move each per `every_s`: how long from sending a guess until both have seen it."""
    made = crowd.pairs(HOST, plan["ports"], plan["crowd"])
    each_pair(made, Pair.wait_for_turn)
    latencies: list[float] = []
    late = 0

    def run(pair: Pair) -> None:
        nonlocal late
        gevent.sleep(pair.chance.random() * plan["every_s"])
        for _ in range(FIRST_ROUND):
            began = time.monotonic()
            shown = [(guest.stream, guest.stream.version) for guest in pair.guests]
            if not send(pair):
                late += 1
                return
            for stream, version in shown:
                late += not stream.wait_for(version + 1, WAIT_S)
            latencies.append(time.monotonic() - began)
            gevent.sleep(max(plan["every_s"] - (time.monotonic() - began), 0))

    figures = measured(plan, 1, lambda: each_pair(made, run))
    latencies.sort()
    shares = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
    return figures | {"count": len(latencies), "late": late} | {name: quantile(latencies, share) for name, share in shares.items()}


def quantile(latencies: list[float], share: float) -> float:
    """A quantile of sorted seconds, in milliseconds."""
    return 1000 * latencies[min(int(len(latencies) * share), len(latencies) - 1)]


BEAT_S = 6
"""Within this a beat goes through every stream."""
ARRIVING = 20
"""How many people open a page at the same moment: thousands at once would measure the rush, not the streams."""


def streams(plan: dict[str, Any]) -> dict[str, float]:
    """Bytes that idle streams of signed-in people who are in no match take, by how many of them (`counts`, ascending) are open."""
    people = crowd.guests(HOST, plan["ports"], plan["crowd"])
    warming, people = people[: plan["warming"]], people[plan["warming"] :]
    open_all(warming)
    gevent.sleep(BEAT_S)
    for person in warming:
        person.stream.close()
    gevent.sleep(BEAT_S)
    before = meter.resident_bytes(plan["pids"])
    taken: dict[str, float] = {}
    is_open = 0
    for count in plan["counts"]:
        open_all(people[is_open:count])
        gevent.sleep(BEAT_S)
        taken[str(count)] = meter.resident_bytes(plan["pids"]) - before
        is_open = count
    return taken


def open_all(people: list[Guest]) -> None:
    """Open a stream for each, a few at a time."""
    for first in range(0, len(people), ARRIVING):
        together = people[first : first + ARRIVING]
        for person in together:
            person.stream = Stream(person.browser, "/live")
            gevent.spawn(person.stream.run)
        for person in together:
            assert person.stream.is_open.wait(WAIT_S)


def send(pair: Pair) -> bool:
    """The next guess of a match; False when the turn was no longer there."""
    guest = pair.guests[pair.mover]
    answer = guest.browser.exchange(pair.guess_request())
    if answer.status != 204:
        return False
    pair.passed()
    return True


def each_pair(made: list[Pair], act: Callable[[Pair], object]) -> None:
    """Do it in all matches at once."""
    gevent.joinall([gevent.spawn(act, pair) for pair in made], raise_error=True)


def measured(plan: dict[str, Any], count: int, act: Callable[[], object]) -> dict[str, float]:
    """Processor seconds of the server and wall seconds while `act` runs."""
    gevent.sleep(0.5)  # what was begun before is over
    before, began = meter.spent(plan["pids"]), time.monotonic()
    act()
    wall_s = time.monotonic() - began
    gevent.sleep(0.2)
    return {"count": count, "cpu_s": meter.spent(plan["pids"]).since(before), "wall_s": wall_s}


def main() -> None:
    """Carry out one plan."""
    plan = json.loads(sys.argv[1])
    if plan.get("core") is not None:
        psutil.Process().cpu_affinity([plan["core"]])
    figures = {"empty": empty, "guesses": guesses, "moves": moves, "rhythm": rhythm, "streams": streams}[plan["what"]](plan)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
