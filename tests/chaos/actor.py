"""One of the many: signs in, looks for matches and plays them, taps twice, answers too late, leaves, comes back, and never gives up."""

from __future__ import annotations

import random
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import requests

from guessio.rules.terms import Skill
from guessio.services import heartbeat
from tests.chaos.ledger import OUTLIVED, STILL, Ledger, Sent
from tests.kit import solver
from tests.kit.board import Board
from tests.kit.player import Answer, Player

STUCK_S = 60.0
INSIST_S = 90.0
PAUSE_S = 0.3
# One sweep, and what a worker lets a sweep be late before it asks the database at each request.
FORGOTTEN_S = (heartbeat.BEAT_MS + heartbeat.LATE_MS) / 1000


class SignedOut(Exception):
    """The session is no more."""


class Actor:
    """Plays until `closing` is set and the match at hand is over; from `hurry` on matches are left instead of played.

    With `code_of`, which looks a match's code up, the match at hand is won from `closing` on: bots alone would take long to end it.
    """

    def __init__(
        self,
        make: Callable[[], Player],
        ledger: Ledger,
        seed: int,
        closing: threading.Event,
        hurry: threading.Event,
        think_s: float,
        code_of: Callable[[str], str] | None = None,
    ) -> None:
        self._make = make
        self.person = make()
        self.ledger = ledger
        self.chance = random.Random(seed)
        self.closing, self.hurry = closing, hurry
        self.think_s = think_s
        self.code_of = code_of
        self.is_done = False
        self._has_entered = False
        self._answered: set[tuple[str, int]] = set()
        self._used: set[str] = set()
        self._previous = ("", 0)
        self._kind = ""
        self._last: Any = None
        self._last_at = time.monotonic()

    def run(self) -> None:
        """The whole stay."""
        while not self.is_done:
            try:
                self._next()
            except requests.RequestException:
                self.ledger.count("requests broken off")
                _pause()
            except SignedOut:
                self.ledger.wrong(f"{self.person.name} was signed out on {self.person.path}")
                self._has_entered = False
            except Exception:
                self.ledger.wrong(f"{self.person.name} on {self.person.path}: {traceback.format_exc(limit=-4)}")
                _pause()
        self._leave()

    # --- what to do next ------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        person = self.person
        if not self._has_entered:
            self._enter()
        elif person.page.by_id("stream") is None:
            self._recover()
        elif person.board.phase == "results":
            self._after_match()
        elif person.match_id:
            self._play(person.board)
        elif person.path == "/search":
            self._wait_in_line()
        elif self.closing.is_set():
            self.is_done = True
        else:
            self._search()

    def _enter(self) -> None:
        """Sign in, again when the site could not answer in between."""
        try:
            self.person.sign_in()
        except AssertionError:
            self.ledger.count("sign-ins begun again")
            _pause()
            return
        if self.person.open("/profile") == 200:
            self._has_entered = True
            self._check_identity()
            self._recover()

    def _recover(self) -> None:
        """Ask the site where one belongs: in a line, at a table, or nowhere."""
        status = self.person.open("/search")
        if status == 401:
            raise SignedOut
        if status == 403:
            self.ledger.count("suspended for quitting")
            self.is_done = True
        elif status >= 500:
            self._not_now(status)

    def _search(self) -> None:
        ranked = self.chance.random() < 0.3
        self._kind = "ranked" if ranked else "casual"
        difficulty = "hardcore" if self.chance.random() < 0.15 else "standard"
        answer = self.person.search(self._kind, difficulty, self.chance.choice((2, 2, 3, 4)))
        self.ledger.count("searches")
        if not answer.done:
            if answer.status >= 500:
                self._not_now(answer.status)
            self._recover()

    def _wait_in_line(self) -> None:
        if self.chance.random() < 0.02:
            self.person.leave_search()
            self.ledger.count("searches left")
            return
        self._wait(("search", self.person.page.text))

    def _after_match(self) -> None:
        self.ledger.count("matches seen to the end")
        self._check_identity()
        roll = self.chance.random()
        if not self.closing.is_set() and roll < 0.15:
            self._come_as_another_browser()
        elif not self.closing.is_set():
            self.person.open("/play")
        else:
            self.is_done = True

    def _come_as_another_browser(self) -> None:
        """Sign in with another device, at any server: the earlier session ends everywhere (R12.3)."""
        earlier, self.person = self.person, self._make()
        self._has_entered = False
        self.ledger.count("sign-ins elsewhere")
        while not self._has_entered and not self.is_done:
            try:
                self._enter()
            except requests.RequestException:
                self.ledger.count("requests broken off")
                _pause()
        self._see_end(earlier)
        earlier.close()

    def _see_end(self, earlier: Player) -> None:
        """The earlier session ends; where the notice of it was lost, because a worker died with it, with a worker's next sweep.

        What counts is when it was last let in, by the moment at which it asked: a worker that is stalled answers late.
        """
        began, asked_s = time.monotonic(), 0.0
        self.ledger.took(OUTLIVED, asked_s)
        while _status_of(earlier) == 200:
            self.ledger.took(OUTLIVED, asked_s)
            if asked_s > FORGOTTEN_S:
                self.ledger.wrong(f"{earlier.name} is still signed in {asked_s:.1f} s after signing in elsewhere")
                return
            _pause()
            asked_s = time.monotonic() - began
        self.ledger.count("earlier sessions seen to end")

    # --- at the table ---------------------------------------------------------------------------------------------------

    def _play(self, board: Board) -> None:
        match, person = self.person.match_id, self.person
        self.ledger.see(match, person.username, board)
        if any(seat.name == person.username and not seat.is_own for seat in board.seats):
            self.ledger.wrong(f"{person.name} is shown match {match} as somebody else")
        if self.hurry.is_set() and (match, -1) not in self._answered:
            self._answered.add((match, -1))
            self._insist(lambda: person.forfeit(match_id=match))
            self.ledger.count("matches left at the end")
        elif board.can_pick and (match, 0) not in self._answered:
            self._think()
            skill = self.chance.choice(list(Skill)).value
            if self._insist(lambda: person.pick_skill(skill, match_id=match)).done:
                self.ledger.count("skills picked")
            self._answered.add((match, 0))
        elif board.can_guess and (match, board.turn) not in self._answered:
            self._think()
            self._take_turn(match, person.board)
        else:
            self._wait((match, board.phase, board.turn, board.round_number, len(board.rows), board.can_pick))

    def _take_turn(self, match: str, board: Board) -> None:
        person, turn, roll = self.person, board.turn, self.chance.random()
        if not board.can_guess or person.match_id != match:
            return
        if roll < 0.01 and self._kind == "casual":
            self.ledger.count("matches left")
            self._insist(lambda: person.forfeit(match_id=match))
            return
        if match not in self._used and self.chance.random() < 0.4:
            self._used.add(match)
            self._use_skill(match, board)
        digits = self._digits(match, board, roll)
        answer = self._insist(lambda: person.guess(digits, turn=turn, match_id=match))
        sent = Sent(match, person.username, turn, digits)
        if answer.status in (409, 404):
            self.ledger.refuse(sent)
            self.ledger.count("guesses too late")
        if answer.done:
            self.ledger.acknowledge(sent)
            self._answered.add((match, turn))
            self._misbehave(sent)
            self._previous = (match, turn)

    def _digits(self, match: str, board: Board, roll: float) -> str:
        if self.code_of is not None and self.closing.is_set():
            return self.code_of(match)
        return solver.wasted_guess(board, self.chance) if roll < 0.3 else solver.next_guess(board, self.chance)

    def _use_skill(self, match: str, board: Board) -> None:
        others = [seat.seat for seat in board.seats if not seat.is_own and not seat.has_left]
        target = self.chance.choice([None, *others])
        if self._insist(lambda: self.person.use_skill(target, turn=board.turn, match_id=match)).done:
            self.ledger.count("skills used")

    def _misbehave(self, sent: Sent) -> None:
        """Tap twice; guess twice in a turn; answer a turn that is long over."""
        roll = self.chance.random()
        if roll < 0.1:
            self.ledger.count("guesses sent twice")
            if self._insist(lambda: self.person.guess(sent.digits, turn=sent.turn, match_id=sent.match)).status not in (204, 409):
                self.ledger.wrong(f"the same guess sent again was neither taken as the same nor late: {sent}")
        elif roll < 0.2:
            turn = sent.turn if roll < 0.15 or self._previous[0] != sent.match else self._previous[1]
            other = "".join(self.chance.sample("0123456789", len(sent.digits)))
            if other == sent.digits:
                return
            self.ledger.count("second and late guesses")
            answer = self._insist(lambda: self.person.guess(other, turn=turn, match_id=sent.match))
            late = Sent(sent.match, sent.username, turn, other)
            if answer.done and late not in self.ledger.acknowledged:
                self.ledger.wrong(f"a second guess for a turn was taken: {late}")
            elif not answer.done:
                self.ledger.refuse(late)

    # --- patience -------------------------------------------------------------------------------------------------------

    def _insist(self, send: Callable[[], Answer]) -> Answer:
        """Send until the site answers what became of it."""
        until = time.monotonic() + INSIST_S
        while time.monotonic() < until:
            try:
                answer = send()
            except requests.RequestException:
                self.ledger.count("requests broken off")
            else:
                if answer.status == 401:
                    raise SignedOut
                if answer.status < 500:
                    return answer
                self._not_now(answer.status)
            _pause()
        raise AssertionError(f"no answer for {INSIST_S:g} s")

    def _not_now(self, status: int) -> None:
        self.ledger.count("answers 503" if status == 503 else f"answers {status}")
        if status != 503:
            self.ledger.wrong(f"{self.person.name} was answered {status}: {self.person.page.text[:300]}")
        _pause()

    def _think(self) -> None:
        if not self.closing.is_set():
            self.closing.wait(self.chance.uniform(0.2, 2.0) * self.think_s)

    def _wait(self, state: Any) -> None:
        """Wait until the page shows something new; a page that never does again is loaded anew, and that is noted."""
        now = time.monotonic()
        if state != self._last:
            self._last, self._last_at = state, now
        still = now - self._last_at
        self.ledger.took(STILL, still)
        if still > STUCK_S:
            self.ledger.wrong(f"{self.person.name} has seen nothing new for {STUCK_S:g} s at {self.person.path}: {state}")
            self._last_at = now
            self._recover()
        self.person.wait_for_news(0.5)

    def _check_identity(self) -> None:
        if self.person.path != "/profile" and self.person.open("/profile") != 200:
            return
        if self.person.username not in self.person.page.text:
            self.ledger.wrong(f"{self.person.name} is shown the profile of somebody else: {self.person.page.text[:300]}")

    def _leave(self) -> None:
        self.ledger.count("pages loaded by the server's word", self.person.navigations)
        self.ledger.count("updates to places that are not there", len(self.person.missed))
        for place in self.person.missed:
            self.ledger.count(f"missing place {place}")
        self.person.close()


def _status_of(person: Player) -> int:
    for _ in range(100):
        try:
            status = person.wire.send("GET", "/profile").status_code
        except requests.RequestException:
            status = 503
        if status < 500:
            return status
        _pause()
    return 503


def _pause() -> None:
    threading.Event().wait(PAUSE_S)
