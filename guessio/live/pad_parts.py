"""The parts of a pad that the stream pushes, in matches and in duels: a key, and the line about the running turn."""

from __future__ import annotations

from typing import Any

from guessio.engine.match.views import KeyView
from guessio.live.painting import draw, partial
from guessio.live.stencils import Holes, filled, fixed, safe
from guessio.rules.terms import Mark


@fixed
def key(digit: str, mark: Mark | None, can_guess: bool) -> str:
    """The key of a digit with the best that is known of it."""
    return partial(f"#key-{digit}", "outerMorph", draw("pad/key", {"key": KeyView(digit, mark), "can_guess": can_guess}))


def turn(words: dict[str, Any]) -> str:
    """The line about the running turn, from the words that fragments/pad/turn.html is given."""
    return filled(("pad/turn", words["can_guess"]), lambda: blank_turn(words, Holes()), turn_values(words))


def turn_values(words: dict[str, Any]) -> tuple[str, ...]:
    """The texts for the holes of `blank_turn`."""
    return str(words["turn"]), safe(words["why"]), safe(words["status"]), safe(words["turn_title"])


def blank_turn(words: dict[str, Any], holes: Holes) -> str:
    """The line with holes in the order of `turn_values`."""
    turn, why, status, title = [holes.take(value) for value in turn_values(words)]
    return drawn_turn({"turn": turn, "why": why, "status": status, "turn_title": title, "can_guess": words["can_guess"]})


def drawn_turn(words: dict[str, Any]) -> str:
    """The line as its template gives it."""
    return partial("#pad-turn", "outerHTML", draw("pad/turn", words))
