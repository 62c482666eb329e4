"""Many people seated in twos, by plain HTTP. Runs under gevent."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import gevent
from gevent.pool import Pool

from benchmarks.lean import CAN_GUESS, TURN, Browser, Stream

STARTED_S = 120.0


@dataclass
class Guest:
    """One person with one page."""

    name: str
    browser: Browser
    stream: Stream | None = None
    match: str = ""

    def load(self) -> bytes:
        """The match's page as it is now."""
        # Not `follow`, which would take the page's new form token: the first guess with one is checked at length.
        page = self.browser.request("GET", f"/match/{self.match}")
        return page.body if page.status == 200 else b""

    def warm_up(self) -> None:
        """Send a form that is refused: from then on this browser is known, as it is after anybody's first guess."""
        data = self.browser.encode("POST", f"/match/{self.match}/guess", {"turn": "999999", "guess": "0123"}, htmx=True)
        assert self.browser.exchange(data).status in (409, 422)

    def sees(self) -> tuple[int, bool, bool]:
        """The turn that is shown, whether it is one's own, and whether the match is over."""
        if self.stream is not None:
            return self.stream.turn, self.stream.can_guess, self.stream.is_over
        page = self.load()
        found = TURN.search(page)
        return (int(found[1]), CAN_GUESS in found[2], False) if found else (0, False, not self.match)

    def open_stream(self) -> None:
        """Follow the stream of the match's page, which begins with the whole of it."""
        self.stream = Stream(self.browser, f"/live?table={self.match}&v=0&page=match&tab={self.name}")
        gevent.spawn(self.stream.run)
        assert self.stream.is_open.wait(30), f"{self.name}'s stream does not open"


@dataclass
class Pair:
    """Two people at one match; `turn` is the number of the running turn and `mover` who has it."""

    guests: tuple[Guest, Guest]
    chance: random.Random
    turn: int = 0
    mover: int = 0
    tried: set[str] = field(default_factory=set)

    def wait_for_turn(self) -> bool:
        """Wait until a turn runs; False when the match is over. Without streams the pages are loaded again and again."""
        with gevent.Timeout(STARTED_S):
            while True:
                for seat, guest in enumerate(self.guests):
                    turn, can_guess, is_over = guest.sees()
                    if is_over:
                        return False
                    if can_guess and turn > self.turn - 1:
                        self.turn, self.mover = turn, seat
                        return True
                self._wait_for_news()

    def _wait_for_news(self) -> None:
        streams = [guest.stream for guest in self.guests if guest.stream]
        if not streams:
            gevent.sleep(3.0)  # a page costs the server far more than what is measured
            return
        for stream in streams:
            stream.arrived.clear()
        gevent.wait([stream.arrived for stream in streams], timeout=1.0, count=1)

    def guess_request(self) -> bytes:
        """The bytes of the mover's next guess: well formed, new in this round, most likely wrong."""
        while True:
            digits = "".join(self.chance.sample("0123456789", 4))
            if digits not in self.tried:
                break
        self.tried.add(digits)
        guest = self.guests[self.mover]
        return guest.browser.encode("POST", f"/match/{guest.match}/guess", {"turn": str(self.turn), "guess": digits}, htmx=True)

    def passed(self) -> None:
        """The guess was accepted: it is the other's turn."""
        self.turn += 1
        self.mover = 1 - self.mover


def guests(host: str, ports: list[int], crowd: str) -> list[Guest]:
    """The people that `benchmarks.seeded` made, each with a browser; `crowd` is a file of what it printed.

    All of a match go to the same one of several ports, as a proxy sends them that hashes its id.
    """
    known = json.loads(Path(crowd).read_text())
    return [
        Guest(
            one["name"],
            Browser(host, ports[zlib.crc32(one["match"].encode()) % len(ports)], {"guessio": one["cookie"]}, one["token"]),
            match=one["match"],
        )
        for one in known
    ]


def pairs(host: str, ports: list[int], crowd: str, *, streams: bool = True) -> list[Pair]:
    """The matches of two that these people are seated in."""
    people = guests(host, ports, crowd)
    Pool(20).map(Guest.warm_up, people)
    if streams:
        Pool(20).map(Guest.open_stream, people)
    return [Pair((people[at], people[at + 1]), random.Random(people[at].name)) for at in range(0, len(people), 2)]
