"""Fragments that are drawn once for each shape and then filled in."""

from __future__ import annotations

import html
import random
from dataclasses import replace

import pytest
from markupsafe import escape

from guessio.engine.match import view
from guessio.live import match_parts, match_screen, match_strip, match_turns, match_whole, painting, stencils
from guessio.live.match_strip import Strip
from guessio.live.stencils import HOLES, filled, plain, safe
from guessio.rules.terms import AccountId, MatchPhase, MatchType
from tests.kit.actors import Play
from tests.kit.builders import account
from tests.kit.wanderer import wander

pytestmark = pytest.mark.usefixtures("templates")
STRANGER = AccountId(999)


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


def test_names_of_any_script_say_the_same_in_plain_letters() -> None:
    """A message takes one byte a character; the page reads the same."""
    for name in ("Zoë", "李小龙", "👾 ok", "a & b"):
        assert safe(name).isascii()
        assert html.unescape(safe(name)) == name
        assert html.unescape(filled(("b", name), lambda name=name: f"<b>{escape(name)}</b>")) == f"<b>{name}</b>"


def test_a_stencil_with_more_holes_than_values_is_refused() -> None:
    with pytest.raises(ValueError, match="more holes"):
        filled("c", lambda: HOLES[0] + HOLES[1], ("one",))


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
            assert plain(match_strip.drawn(strip, seats)) == plain(painting.draw("match/seats", match_strip.context(strip, seats)))


@pytest.mark.parametrize("seed", range(12))
def test_the_filled_screen_is_the_drawn_one(seed: int) -> None:
    """Whatever happens in a match, every byte of a screen from a stencil is the one that its template would have given."""
    for play in wander(seed):
        for seat in range(len(play.state.seats)):
            shown = view.view_for(play.state, account(seat), play.now_ms)
            assert plain(match_whole.drawn(shown)) == plain(painting.draw("match/table", match_screen.context(shown)))


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


@pytest.mark.parametrize("seed", range(24))
def test_a_turn_from_a_card_is_the_drawn_one(seed: int) -> None:
    """Whatever happens in a match, every byte of a guess and the turn after it is the one that any other step is drawn with."""
    stencils.clear()
    cards, chance = match_turns.Cards(), random.Random(seed)
    for play in wander(seed):
        if not match_turns.is_one(play.state, play.events):
            continue
        now_ms = play.now_ms + chance.choice((0, 0, 700, 21_000))
        turned = match_turns.Turned(play.state, play.events, now_ms, cards)
        for viewer in (*map(account, range(len(play.state.seats))), STRANGER):
            assert turned.shown_to(viewer) == plain(match_parts.stepped(play.state, play.events, viewer, now_ms))


def test_a_card_is_made_once_for_each_viewer_and_turn_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table's cards are there until its seats change or its round ends."""
    cards = match_turns.Cards()
    made: list[int] = []
    real = stencils.of
    monkeypatch.setattr(stencils, "of", lambda shape, *how: (shape[0] == "match/turned" and made.append(1)) or real(shape, *how))

    def guessed(play: Play) -> int:
        play.guess()
        made.clear()
        turned = match_turns.Turned(play.state, play.events, play.now_ms, cards)
        assert all(turned.shown_to(account(seat)) for seat in range(2))
        return len(made)

    play = Play.in_round(2)
    assert [guessed(play) for _ in range(4)] == [2, 2, 0, 0]
    play.state = replace(play.state, seats=(replace(play.state.seats[0], rating=7), play.state.seats[1]))
    assert [guessed(play) for _ in range(3)] == [2, 2, 0]
    play.crack()
    play.to_deadline()
    assert [guessed(play) for _ in range(3)] == [2, 2, 0]
