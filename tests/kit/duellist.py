"""A person who plays duels, as a script: offers, takes, chooses a secret, guesses, resigns, plays again.

Usable on its own against a running development server:

    from tests.kit.duellist import Duellist
    mira, nova = Duellist("http://127.0.0.1:8000", "mira"), Duellist("http://127.0.0.1:8000", "nova")
    for person in (mira, nova):
        person.sign_in()
    mira.make_offer(clock=5)
    nova.take_offer("mira")
    mira.set_secret("6067")
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from guessio.rules.duel_candidates import Suspects, everything
from guessio.rules.terms import Mark, SecretRule
from tests.kit import page as pages
from tests.kit.page import Element
from tests.kit.player import Answer, Player


@dataclass(frozen=True)
class DuelRow:
    """A guess as it is shown: `marks` in per position, `counts` (exact, misplaced) in totals only."""

    digits: str
    marks: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class DuelBoard:
    """A duel as its page shows it. `phase` is empty on a page that holds no duel."""

    phase: str
    turn: int
    length: int
    can_act: bool
    own_rows: tuple[DuelRow, ...]
    their_rows: tuple[DuelRow, ...]
    keys: dict[str, str]
    rematch: str
    """The words of the rematch's place at the end."""
    sent: str
    """The stamp that came with one's turn, from which the delay is measured."""


class Duellist(Player):
    """A player of duels. What the page shows is in `duel`."""

    # --- the lobby ----------------------------------------------------------------------------------------------------

    def open_lobby(self, query: str = "") -> int:
        """Open the lobby, narrowed by a query string; gives the status."""
        return self.open(f"/duels?{query}" if query else "/duels")

    def make_offer(
        self, clock: int = 10, length: int = 4, repeats: str = "repeats", format: str = "per_position", visibility: str = "public"
    ) -> Answer:
        """Put up an offer; the page then is the lobby, which waits."""
        fields = {"clock": str(clock), "length": str(length), "repeats": repeats, "format": format, "visibility": visibility}
        return self._go("/duels", fields)

    @property
    def offers(self) -> dict[str, str]:
        """The offers that the lobby shows, by the name that stands on the button: where each is taken."""
        with self._changed:
            place = self.page.by_id("offers")
            forms = place.all("form") if place is not None else []
            return {_button(form).removeprefix("Take the offer by "): form.get("action") for form in forms if "/take" in form.get("action")}

    def take_offer(self, maker: str) -> Answer:
        """Take the offer of `maker` that the lobby shows; the page then is the duel."""
        return self._go(self.offers[maker], {})

    def withdraw_offer(self) -> Answer:
        """Take one's own offer back."""
        return self._go("/duels/withdraw", {})

    def play_computer(self, **fields: str) -> Answer:
        """Play the computer, on these terms or those of one's own offer."""
        return self._go("/duels/computer", fields)

    def _go(self, path: str, fields: dict[str, str]) -> Answer:
        """Send a form as a browser does that loads the page it leads to."""
        if not self._token():
            self.open("/duels")
        answer = self.wire.send("POST", path, {**self._token(), **fields})
        self._show(answer)
        return Answer(answer.status_code, answer.text)

    # --- the duel -----------------------------------------------------------------------------------------------------

    @property
    def duel_id(self) -> str:
        """The duel whose page is open, or an empty text."""
        parts = self.path.split("/")
        return parts[2] if len(parts) > 2 and parts[1] == "duel" else ""

    @property
    def duel(self) -> DuelBoard:
        """What the duel's page says now."""
        with self._changed:
            return read_duel(self.page)

    def set_secret(self, digits: str) -> Answer:
        """Choose one's secret and be ready."""
        return self._act("secret", {"secret": digits})

    def duel_guess(self, digits: str, *, turn: int | None = None, lag: str = "") -> Answer:
        """Guess in the turn that the page shows, or in another."""
        return self._act("guess", {"guess": digits, "turn": str(self.duel.turn if turn is None else turn), "lag": lag})

    def seen(self) -> Answer:
        """Tell that one's turn has come; the answer's body is the sealed delay, to be sent with the guess."""
        return self._act("seen", {"turn": str(self.duel.turn), "sent": self.duel.sent})

    def resign(self) -> Answer:
        """Give the duel up."""
        return self._act("resign", {})

    def rematch(self) -> Answer:
        """Offer a rematch, or agree to one."""
        return self._act("rematch", {})

    def sensible_guess(self, rule: SecretRule = SecretRule.REPEATS) -> str:
        """A number that fits everything on one's own board."""
        board = self.duel
        suspects: Suspects = everything(board.length, rule)
        for row in board.own_rows:
            if row.marks:
                suspects = suspects.learn(row.digits, tuple(Mark(mark) for mark in row.marks))
            else:
                suspects = suspects.learn_totals(row.digits, *row.counts)
        return suspects.choose(self.chance.randrange)

    def _act(self, verb: str, fields: dict[str, str]) -> Answer:
        place = "guess-message" if verb in ("secret", "guess") else ""
        answer = self.post(f"/duel/{self.duel_id}/{verb}", fields, target=place)
        if answer.body and place:
            with self._changed:
                pages.answer(self.page, answer.body, answer.target or f"#{place}")
                self._changed.notify_all()
        return answer


def read_duel(page: Element) -> DuelBoard:
    """The duel of a page."""
    table, pad, turn, lag, rematch = (page.by_id(name) for name in ("table", "pad", "pad-turn", "lag", "rematch"))
    lanes = list(page.all("section", cls="lane"))
    own = [row for lane in lanes if lane.has("data-own") for row in _rows(lane)]
    their = [row for lane in lanes if not lane.has("data-own") for row in _rows(lane)]
    return DuelBoard(
        phase=table.get("data-phase") if table else "",
        turn=int(turn.get("data-turn") or 0) if turn else 0,
        length=int(pad.get("data-length") or 0) if pad else 0,
        can_act=turn is not None and turn.has("data-can-guess"),
        own_rows=tuple(own),
        their_rows=tuple(their),
        keys={key.get("value"): key.get("data-mark") for key in page.all("button", cls="key") if key.get("value").isdigit()},
        rematch=rematch.text if rematch else "",
        sent=lag.get("data-sent") if lag else "",
    )


def _rows(lane: Element) -> list[DuelRow]:
    return [_row(item) for item in lane.all("li", cls="guess")]


def _row(item: Element) -> DuelRow:
    counts = tuple(int(re.sub(r"\D", "", cell.text)) for cell in item.all(cls="count"))
    cell = item.first(cls="digits")
    tiles = [] if counts else item.all(cls="tile")
    digits = "".join(tile.text for tile in tiles) or (cell.text if cell else "")
    return DuelRow(digits, tuple(tile.get("data-mark") for tile in tiles), counts)


def _button(form: Element) -> str:
    button = form.first("button")
    return button.get("aria-label") or button.text if button is not None else ""
