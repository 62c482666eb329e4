"""What a match's page says, read from its elements as a person reads the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.kit.page import Element


@dataclass(frozen=True)
class Row:
    """A line of the board. `marks` is None where this player is shown none; a skipped turn has no digits."""

    key: str
    number: int
    who: str
    digits: str
    marks: tuple[str, ...] | None
    is_own: bool
    is_skip: bool


@dataclass(frozen=True)
class Seat:
    """One place of the strip."""

    seat: int
    name: str
    is_own: bool
    is_bot: bool
    on_turn: bool
    is_away: bool
    has_left: bool
    rounds_won: int


@dataclass(frozen=True)
class Board:
    """The match as it is shown. `phase` is empty on a page that holds no match; on the results page it is `results`."""

    phase: str
    title: str
    round_number: int
    turn: int
    length: int
    can_guess: bool
    can_pick: bool
    rows: tuple[Row, ...]
    seats: tuple[Seat, ...]
    keys: dict[str, str]
    message: str
    code: str
    """The code of the round that has ended, while its result is shown."""
    skill: str
    """The words of one's own skill beside the entry."""
    go: str
    """Where the page wants to lead, once the match is over."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended for this player's page."""
        return self.phase in ("over", "results")

    @property
    def own_seat(self) -> int | None:
        """The player's own place, None when looking on."""
        return next((seat.seat for seat in self.seats if seat.is_own), None)

    @property
    def own_rows(self) -> tuple[Row, ...]:
        """The player's own guesses of this round."""
        return tuple(row for row in self.rows if row.is_own and not row.is_skip)


def read_board(page: Element, path: str) -> Board:
    """The board of a page."""
    table = page.by_id("table")
    if table is None:
        table = Element("div", {"data-phase": "results"} if re.fullmatch(r"/match/[^/]+/results", path) else {})
    pad, turn = page.by_id("pad"), page.by_id("pad-turn")
    heading = page.by_id("topbar")
    return Board(
        phase=table.get("data-phase"),
        title=table.get("data-title"),
        round_number=_number(heading.text if heading else table.text, r"Round (\d+) of"),
        turn=int(turn.get("data-turn") or 0) if turn else 0,
        length=int(pad.get("data-length") or 0) if pad else 0,
        can_guess=turn is not None and turn.has("data-can-guess"),
        can_pick=any(e.tag == "form" for e in _by_ids(page, "picking")),
        rows=_rows(page),
        seats=_seats(page),
        keys={e.get("value"): e.get("data-mark") for e in page.all("button", cls="key") if e.get("value").isdigit()},
        message=" ".join(e.text for e in _by_ids(page, "guess-message", "skill-message", "pick-message", "message") if not e.has("hidden")),
        code=_code(table),
        skill=" ".join(e.text for e in _by_ids(page, "pad-skill")),
        go=table.get("data-go"),
    )


def _by_ids(page: Element, *ids: str) -> list[Element]:
    return [found for found in map(page.by_id, ids) if found is not None]


def _number(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def _rows(page: Element) -> tuple[Row, ...]:
    board = page.by_id("board")
    return tuple(_row(item) for item in board.all("li", cls="guess")) if board else ()


def _row(item: Element) -> Row:
    tiles = item.all(cls="tile")
    cell = item.first(cls="digits")
    marks = tuple(tile.get("data-mark") for tile in tiles)
    who = item.first(cls="who")
    number = item.first(cls="no")
    return Row(
        key=item.id.removeprefix("row-"),
        number=_number(number.text if number else "", r"(\d+)"),
        who=who.text if who else "",
        digits="".join(tile.text for tile in tiles) or (cell.text if cell else ""),
        marks=marks if marks and all(marks) else None,
        is_own=item.has("data-own"),
        is_skip="skip" in item.classes,
    )


def _seats(page: Element) -> tuple[Seat, ...]:
    strip = page.by_id("seats")
    return tuple(_seat(item) for item in strip.all("li", cls="seat")) if strip else ()


def _seat(item: Element) -> Seat:
    name = item.first("bdi")
    return Seat(
        seat=int(item.id.removeprefix("seat-")),
        name=name.text if name else "",
        is_own=item.has("data-own"),
        is_bot=any(tag.get("data-kind") == "bot" for tag in item.all(cls="tag")),
        on_turn=item.has("data-turn"),
        is_away=item.has("data-away"),
        has_left=item.has("data-left"),
        rounds_won=sum(pip.has("data-on") for pip in item.all("i")),
    )


def _code(table: Element) -> str:
    shown = table.first(cls="reveal")
    return "".join(tile.text for tile in shown.all(cls="tile")) if shown else ""
