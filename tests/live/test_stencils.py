"""Fragments that are drawn once for each shape and then filled in."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from guessio.engine.match import view
from guessio.live import match_screen, match_strip, match_whole, painting, stencils
from guessio.live.match_strip import Strip
from guessio.live.stencils import HOLES, filled, safe
from guessio.rules.terms import MatchPhase, MatchType
from tests.kit.builders import account
from tests.kit.wanderer import wander

pytestmark = pytest.mark.usefixtures("templates")


def test_values_stand_where_their_holes_were_in_any_order_and_more_than_once() -> None:
    stencils.clear()
    text = filled("a", lambda: f"<b>{HOLES[1]}</b> 100% {HOLES[0]} {HOLES[1]}", ("one", "two"))
    assert text == "<b>two</b> 100% one two"


def test_a_shape_is_drawn_once_and_other_shapes_for_themselves() -> None:
    stencils.clear()
    drawn: list[str] = []

    def draw(what: str) -> str:
        drawn.append(what)
        return what + HOLES[0]

    assert [filled(shape, lambda shape=shape: draw(shape), ("!",)) for shape in "abab"] == ["a!", "b!", "a!", "b!"]
    assert drawn == ["a", "b"]


def test_a_value_is_never_taken_for_a_hole_or_a_format() -> None:
    stencils.clear()
    for value in (HOLES[0], "%s %(x)s %", "{0}"):
        assert filled("a", lambda: f"<i>{HOLES[0]}</i>", (value,)) == f"<i>{value}</i>"


def test_what_people_chose_is_made_safe() -> None:
    assert safe('<img onerror="x">') == "&lt;img onerror=&#34;x&#34;&gt;"


@pytest.mark.parametrize("seed", range(6))
def test_the_filled_strip_is_the_drawn_one(seed: int) -> None:
    """Whatever happens in a match, every byte of a strip from a stencil is the one that its template would have given."""
    stencils.clear()
    chance = random.Random(seed)
    for play in wander(seed):
        state = play.state
        remaining_ms, total_ms = view.clock(state, play.now_ms + chance.randrange(9_000))
        is_ranked = state.type is MatchType.RANKED or chance.random() < 0.5
        span = f"turn-{state.turns_taken}"
        strip = Strip(state.phase is MatchPhase.PICKING, state.turn is not None, is_ranked, remaining_ms, total_ms, span)
        for seat in range(len(state.seats)):
            seats = view.seats(state, account(seat), play.now_ms)
            assert match_strip.drawn(strip, seats) == painting.draw("match/seats", match_strip.context(strip, seats))


@pytest.mark.parametrize("seed", range(12))
def test_the_filled_screen_is_the_drawn_one(seed: int) -> None:
    """Whatever happens in a match, every byte of a screen from a stencil is the one that its template would have given."""
    for play in wander(seed):
        for seat in range(len(play.state.seats)):
            shown = view.view_for(play.state, account(seat), play.now_ms)
            assert match_whole.drawn(shown) == painting.draw("match/table", match_screen.context(shown))


def test_a_screen_is_drawn_anew_for_nobody_who_sees_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds begin and end alike in every match: names, codes and times are filled in."""
    stencils.clear()
    shown = [
        view.view_for(play.state, account(seat), play.now_ms)
        for seed in range(12)
        for play in wander(seed)
        for seat in range(len(play.state.seats))
        if play.state.phase is MatchPhase.PAUSE and all(one.away_since_ms is None for one in play.state.seats)
    ]
    assert shown, "one of these matches has a pause between rounds"
    first = [match_whole.drawn(one) for one in shown]

    def never(*_: object) -> str:
        raise AssertionError("drawn once more")

    monkeypatch.setattr(painting, "draw", never)
    others = [replace(one, results=(*one.results[:-1], replace(one.results[-1], nonce="0" * 32, duration_ms=61_000))) for one in shown]
    assert [match_whole.drawn(one) for one in others] != first
