"""Turns that run out one after another (R7.6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guessio.engine.machine import Rejected
from guessio.engine.match import events, seating
from guessio.engine.match.results import outcome_of, results
from guessio.engine.match.state import Freeze
from guessio.rules.terms import MatchEnd, MatchPhase, Outcome, RoundEnd, SeatNo
from tests.kit.actors import Play

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "inactivity.json").read_text())


class Story:
    """Plays the events of one vector, and notes after which of them the warning came.

    Time-outs and guesses are those of whoever is on turn: the count does not ask whose they are, and two vectors name
    another player than the order of turns gives.
    """

    def __init__(self, names: list[str], story: list[str]) -> None:
        self.names = names
        self.play = Play.in_round(len(names))
        self.story = story
        self.warnings: list[int] = []

    def run(self, index: int) -> None:
        what, _, who = self.story[index].partition(":")
        play, seat = self.play, self.names.index(who) if who else None
        self._freeze_who_comes_next(index)
        match what:
            case "timeout":
                play.time_out()
                if play.happened(events.InactivityWarned):
                    self.warnings.append(index)
            case "guess":
                play.guess()
            case "rejected":
                assert isinstance(play.guess("11"), Rejected)
            case "frozen":
                assert play.round.skips[-1].seat == seat
            case "forfeit":
                play.forfeit(self.names.index(who))
            case _:
                play.crack()
                play.next_round()

    def _freeze_who_comes_next(self, index: int) -> None:
        """A turn lost to Freeze follows at once on the turn before it, so the freeze has to stand by then."""
        following = self.story[index + 1 : index + 2]
        if following and following[0].startswith("frozen:"):
            target = self.names.index(following[0][-1])
            freeze = Freeze(SeatNo((target + 1) % len(self.names)), SeatNo(target))
            self.play.state = seating.with_round(self.play.state, freezes=(*self.play.round.freezes, freeze))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_warnings_and_cancellations_come_as_the_vectors_say(case: dict[str, Any]) -> None:
    """R7.6"""
    story, expected = Story([one["id"] for one in case["players"]], case["events"]), case["expected"]
    ended_by = None
    for index in range(len(case["events"])):
        story.run(index)
        if story.play.state.end is not None:
            ended_by = index
            break
    state = story.play.state
    assert story.warnings == expected["warnings"]
    assert ended_by == expected["match_over_by"]
    cancelled = ended_by if state.end is MatchEnd.INACTIVITY else None
    assert cancelled == expected["cancelled_by"]


def test_after_one_rotation_everyone_is_warned() -> None:
    play = Play.in_round(3)
    for _ in range(2):
        play.time_out()
    assert not play.view(0).inactivity_warned
    play.time_out()
    assert play.happened(events.InactivityWarned) == [events.InactivityWarned()]
    assert all(play.view(seat).inactivity_warned for seat in range(3))


def test_after_two_rotations_the_match_is_cancelled_and_over_at_once() -> None:
    play = Play.in_round(2)
    for _ in range(4):
        play.time_out()
    assert (play.state.phase, play.state.end, play.state.winner) == (MatchPhase.OVER, MatchEnd.INACTIVITY, None)
    assert play.round.end is RoundEnd.ABANDONED
    assert [type(event) for event in play.events] == [events.TurnSkipped, events.RoundEnded, events.MatchEnded]
    assert {outcome_of(play.state, MatchEnd.INACTIVITY, SeatNo(seat)) for seat in (0, 1)} == {Outcome.CANCELLED}
    assert not play.view(0).is_draw


def test_who_had_forfeited_before_a_cancellation_has_it_cancelled_too() -> None:
    play = Play.in_round(3)
    play.forfeit(2)
    for _ in range(4):
        play.time_out()
    result = results(play.state)
    assert [seat.outcome for seat in result.seats] == [Outcome.CANCELLED] * 3
    assert [seat.forfeited for seat in result.seats] == [False, False, True]


def test_a_bots_guesses_keep_a_match_going() -> None:
    play = Play.in_round(2, bots=(1,))
    while play.state.end is None:
        play.to_deadline()
    assert play.state.end is MatchEnd.PLAYED
    assert not any(isinstance(event, events.InactivityWarned) for event in play.log)
