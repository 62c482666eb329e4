"""What the people were told: every acknowledged and every refused guess, what their boards showed, and whatever was wrong."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

from tests.kit.board import Board

STILL = "time without news on a page"
OUTLIVED = "time that a session outlived a sign-in elsewhere"
GOING = "time to go after SIGTERM"
PAGE_BACK = "time of a page without a stream after a worker was killed, told only"
PAGE_BACK_FROM_TWO = "time of a page without a stream after two workers were killed, told only"
STEP_OVERDUE = "time that a match waited for its step after workers were killed"
# Matches go on in time whoever is killed. Pages come back by themselves, each after a pause by lot, so that they don't come all at once.
BOUNDS_S = {GOING: 5.0, STEP_OVERDUE: 3.0}


@dataclass(frozen=True, slots=True)
class Sent:
    """A guess that somebody sent for a turn of a match."""

    match: str
    username: str
    turn: int
    digits: str


class Ledger:
    """Written by all players at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.acknowledged: set[Sent] = set()
        self.refused: set[Sent] = set()
        self.shown: dict[tuple[str, str, int], tuple[str, ...]] = {}
        """The longest board that each player saw of each round: by match, username and round."""
        self.totals: Counter[str] = Counter()
        self.wrongs: list[str] = []
        self.longest_s: dict[str, float] = {}

    def count(self, what: str, times: int = 1) -> None:
        """Add to one of the totals."""
        with self._lock:
            self.totals[what] += times

    def wrong(self, text: str) -> None:
        """Note something that must not happen."""
        with self._lock:
            self.wrongs.append(text)

    def acknowledge(self, sent: Sent) -> None:
        """The site said that the guess counts."""
        with self._lock:
            self.acknowledged.add(sent)

    def refuse(self, sent: Sent) -> None:
        """The site said that the guess does not count."""
        with self._lock:
            self.refused.add(sent)

    def took(self, what: str, seconds: float) -> None:
        """Something took so long; the longest time of its kind is kept."""
        with self._lock:
            self.longest_s[what] = max(self.longest_s.get(what, 0.0), seconds)

    def longest(self) -> dict[str, float]:
        """The longest time of each kind in seconds, by a name that says what it may be."""
        with self._lock:
            taken = sorted(self.longest_s.items())
        return {f"longest {what} (s{f', at most {BOUNDS_S[what]:g}' if what in BOUNDS_S else ''})": round(s, 1) for what, s in taken}

    def too_long(self) -> list[str]:
        """What took longer than it may, on a machine that does nothing else."""
        with self._lock:
            taken = {what: self.longest_s.get(what, 0.0) for what in BOUNDS_S}
        return [f"longest {what}: {seconds:.1f} s" for what, seconds in taken.items() if seconds > BOUNDS_S[what]]

    def see(self, match: str, username: str, board: Board) -> None:
        """Note what a board shows."""
        if not board.round_number or board.phase not in ("turn", "pause", "closing"):
            return
        rows = tuple(row.digits for row in board.rows if not row.is_skip)
        key = (match, username, board.round_number)
        with self._lock:
            if len(rows) >= len(self.shown.get(key, ())):
                self.shown[key] = rows
