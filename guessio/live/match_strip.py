"""The strip of seats: what its template is given for the page and for the stream, and the strip itself as the stream pushes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from guessio.engine.match import seating, view
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import SeatView
from guessio.live import painting, spoken, stencils
from guessio.live.stencils import Holes, safe
from guessio.rules.terms import MatchType

CALM_SHARE = 3  # a clock is low in the last third of its time: 10 of 30 seconds


@dataclass(frozen=True, slots=True)
class Face:
    """How a player is shown, in words that are ready to be put out."""

    name: str
    initial: str
    hue: str
    avatar_url: str
    rating: str


class Strip(NamedTuple):
    """What is told of all seats together. `span` names the stretch of time that is counted down."""

    picking: bool
    in_turn: bool
    is_ranked: bool
    remaining_ms: int | None
    total_ms: int | None
    span: str

    @property
    def low_ms(self) -> int:
        """When the clock gets low."""
        return (self.total_ms or 0) // CALM_SHARE

    @property
    def is_low(self) -> bool:
        """Whether it is low already."""
        return is_low(self.remaining_ms, self.total_ms)


def is_low(remaining_ms: int | None, total_ms: int | None) -> bool:
    """Whether a clock, if one runs, is low."""
    return remaining_ms is not None and remaining_ms <= (total_ms or 0) // CALM_SHARE


def context(strip: Strip, seats: tuple[SeatView, ...]) -> dict[str, Any]:
    """What fragments/match/seats.html is given."""
    return {
        "seats": seats,
        "faces": [face(seat.name, seat.avatar_url, seat.rating) for seat in seats],
        "players": len(seats),
        "picking": strip.picking,
        "in_turn": strip.in_turn,
        "is_ranked": strip.is_ranked,
        "remaining_ms": strip.remaining_ms,
        "remaining_s": (strip.remaining_ms or 0) // 1000,
        "remaining": spoken.clock(strip.remaining_ms),
        "total_ms": strip.total_ms,
        "low_ms": strip.low_ms,
        "is_low": strip.is_low,
        "low_text": f"{spoken.seconds(strip.low_ms)} seconds.",
        "span": strip.span,
    }


def in_turn(state: MatchState, now_ms: int) -> Strip:
    """What is told of all seats together in a running turn."""
    remaining_ms, total_ms = view.clock(state, now_ms)
    return Strip(False, True, state.type is MatchType.RANKED, remaining_ms, total_ms, turn_span(seating.certain(state.turn).number))


def turn_span(turn: int) -> str:
    """The name of the stretch of time that turn number `turn` has."""
    return f"turn-{turn}"


def drawn(strip: Strip, seats: tuple[SeatView, ...]) -> str:
    """The strip as a text: only filled in, unless somebody is away, for whom a clock of their own runs."""
    if is_anyone_away(seats):
        return painting.draw("match/seats", context(strip, seats))
    return stencils.filled(("match/seats", *shape(strip, seats)), lambda: blank(strip, seats, Holes()), values(strip, seats))


def is_anyone_away(seats: tuple[SeatView, ...]) -> bool:
    """Whether a seat is kept for somebody."""
    return any(seat.away_ms is not None for seat in seats)


def shape(strip: Strip, seats: tuple[SeatView, ...]) -> tuple[object, ...]:
    """All that the template tests, when nobody is away."""
    return tested(strip), *seats_shape(seats)


def seats_shape(seats: tuple[SeatView, ...]) -> tuple[object, ...]:
    """All that the template tests of the single seats, when nobody is away."""
    return tuple([(seat.standing, seat.avatar_url != "") for seat in seats])


def values(strip: Strip, seats: tuple[SeatView, ...]) -> tuple[str, ...]:
    """The texts for the holes of `blank`."""
    return clock_values(strip.remaining_ms, strip.span) + face_values(seats)


def clock_values(remaining_ms: int | None, span: str) -> tuple[str, str, str, str]:
    """How much time is left, in all the forms that the strip shows it in, and of which stretch."""
    return str(remaining_ms), str((remaining_ms or 0) // 1000), spoken.clock(remaining_ms), span


def face_values(seats: tuple[SeatView, ...]) -> tuple[str, ...]:
    """How the players are shown."""
    texts: list[str] = []
    for seat in seats:
        texts += _face_values(seat.name, seat.avatar_url, seat.rating)
    return tuple(texts)


def blank(strip: Strip, seats: tuple[SeatView, ...], holes: Holes) -> str:
    """The strip with holes in the order of `values`."""
    return painting.draw("match/seats", blank_words(strip, seats, holes))


def tested(strip: Strip) -> tuple[object, ...]:
    """All that the template tests of the seats together."""
    return strip.picking, strip.in_turn, strip.is_ranked, strip.remaining_ms is None, strip.is_low, strip.total_ms


def blank_words(strip: Strip, seats: tuple[SeatView, ...], holes: Holes) -> dict[str, Any]:
    """What the template is given, with a hole for each text of `values`, in the same order."""
    return context(strip, seats) | clock_holes(strip, holes) | face_holes(seats, holes)


def clock_holes(strip: Strip, holes: Holes) -> dict[str, Any]:
    """What the template is given of the clock, with a hole for each text of `clock_values`, in the same order."""
    remaining_ms, remaining_s, remaining, span = [holes.take(value) for value in clock_values(strip.remaining_ms, strip.span)]
    words = {"remaining_s": remaining_s, "remaining": remaining, "span": span}
    return words if strip.remaining_ms is None else words | {"remaining_ms": remaining_ms}


def face_holes(seats: tuple[SeatView, ...], holes: Holes) -> dict[str, Any]:
    """What the template is given of the faces, with a hole for each text of `face_values`, in the same order."""
    return {"faces": [_blank_face(seat, holes) for seat in seats]}


def _blank_face(seat: SeatView, holes: Holes) -> Face:
    name, initial, hue, avatar_url, rating = [holes.take(value) for value in _face_values(seat.name, seat.avatar_url, seat.rating)]
    return Face(name, initial, hue, avatar_url if seat.avatar_url else "", rating)


@lru_cache(maxsize=8192)
def face(name: str, avatar_url: str, rating: int) -> Face:
    """The face of a player."""
    return Face(name, name[:1].upper(), str(painting.hue(name)), avatar_url, spoken.grouped(rating))


@lru_cache(maxsize=8192)
def _face_values(name: str, avatar_url: str, rating: int) -> tuple[str, ...]:
    one = face(name, avatar_url, rating)
    return safe(one.name), safe(one.initial), one.hue, safe(one.avatar_url), one.rating
