"""What a guess changes on a keypad (R1.7, R6.2)."""

from __future__ import annotations

import random

import pytest

from guessio.engine.match import view
from guessio.engine.match.keypads import Keypads
from guessio.rules.terms import Mark, SeatNo
from tests.kit.actors import Play
from tests.kit.wanderer import wander


def changed(play: Play, seat: int, since: int) -> dict[str, Mark | None]:
    return {key.digit: key.mark for key in view.changed_keys(play.state, SeatNo(seat), since)}


def test_a_guess_changes_the_keys_of_which_it_tells_more() -> None:
    """The code is 1234."""
    play = Play.in_round(2)
    play.guess("2156")
    assert changed(play, 0, 1) == {"1": Mark.ELSEWHERE, "2": Mark.ELSEWHERE, "5": Mark.ABSENT, "6": Mark.ABSENT}
    play.guess("1357")
    play.guess("1529")
    assert changed(play, 0, 3) == {"1": Mark.RIGHT, "9": Mark.ABSENT}
    assert changed(play, 0, 2) == changed(play, 0, 3)
    assert changed(play, 1, 3) == {}


@pytest.mark.parametrize("seed", range(24))
def test_what_is_remembered_leads_to_the_same_keys(seed: int) -> None:
    """Whatever happens in a match, skills and steps that were not asked about too."""
    keypads, chance, last = Keypads(), random.Random(seed), (0, 0)
    for play in wander(seed):
        if not play.state.rounds or not play.state.rounds[-1].guesses:
            continue
        one = play.state.rounds[-1]
        guess = one.guesses[-1]
        if (one.number, guess.number) != last and chance.random() < 0.9:
            assert keypads.changed(play.state) == view.changed_keys(play.state, guess.seat, guess.number)
        last = (one.number, guess.number)
