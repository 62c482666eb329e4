"""Many people signed in and seated in twos, by plain HTTP. Runs under gevent."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import gevent
from gevent.pool import Pool

from benchmarks.lean import CAN_GUESS, TURN, Browser, Stream

LIVE = re.compile(rb'data-live="([^"]+)"')
STARTED_S = 120.0


@dataclass
class Guest:
    """One person with one page."""

    name: str
    browser: Browser
    stream: Stream | None = None
    match: str = ""

    def sign_in(self) -> None:
        """Through the demo provider, choosing a username the first time."""
        self.browser.follow("GET", "/sign-in")
        path, _ = self.browser.follow("POST", "/sign-in", {"csrf_token": self.browser.token})
        path, _ = self.browser.follow("POST", path, {"person": self.name})
        if path.startswith("/username"):
            path, _ = self.browser.follow("POST", "/username", {"csrf_token": self.browser.token, "username": self.name})
        assert path == "/", f"{self.name} ended at {path}"

    def search(self) -> None:
        """Look for a Casual match of two."""
        form = {"csrf_token": self.browser.token, "type": "casual", "difficulty": "standard", "players": "2"}
        path, _ = self.browser.follow("POST", "/search", form)
        self.match = path.split("/")[2] if path.startswith("/match/") else ""

    def load(self) -> bytes:
        """The match's page as it is now."""
        path, page = self.browser.follow("GET", f"/match/{self.match}" if self.match else "/search")
        self.match = path.split("/")[2] if path.startswith("/match/") else ""
        return page.body

    def sees(self) -> tuple[int, bool, bool]:
        """The turn that is shown, whether it is one's own, and whether the match is over."""
        if self.stream is not None:
            return self.stream.turn, self.stream.can_guess, self.stream.is_over
        page = self.load()
        found = TURN.search(page)
        return (int(found[1]), CAN_GUESS in found[2], False) if found else (0, False, not self.match)

    def open_stream(self) -> None:
        """Follow the page's stream."""
        page = self.load()
        found = LIVE.search(page)
        assert found, f"{self.name}'s page has no stream"
        self.stream = Stream(self.browser, found[1].decode().replace("&amp;", "&"))
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
            gevent.sleep(0.2)
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


def pairs(host: str, port: int, count: int, *, seed: int = 1, streams: bool = True) -> list[Pair]:
    """`count` matches of two, made one right after the other so that no bot takes a seat."""
    seats = [tuple(Guest(f"p{seed}_{number}_{side}", Browser(host, port)) for side in "ab") for number in range(count)]
    everybody = [guest for guests in seats for guest in guests]
    Pool(20).map(Guest.sign_in, everybody)
    for guest in everybody:
        guest.search()
    for guest in everybody:
        if not guest.match:
            guest.load()
    for guests in seats:
        assert guests[0].match == guests[1].match != "", "the two were not seated together"
    if streams:
        for guest in everybody:
            guest.open_stream()
    return [Pair((guests[0], guests[1]), random.Random(f"{seed} {number}")) for number, guests in enumerate(seats)]
