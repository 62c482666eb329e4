"""Rounds, the pause between them, and what decides a match (R1.4, R1.9 to R1.11, R7.4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guessio.engine import match
from guessio.engine.match import events, seating
from guessio.engine.match.results import outcome_of
from guessio.rules.terms import MatchEnd, MatchPhase, Outcome, RoundEnd, SeatNo
from tests.kit.actors import Play

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "match_outcomes.json").read_text())


def test_a_pause_of_five_seconds_follows_a_round() -> None:
    """R1.10"""
    play = Play.in_round(2)
    play.crack()
    assert (play.state.phase, play.state.until_ms) == (MatchPhase.PAUSE, play.now_ms + 5_000)
    play.wait(4_999)
    assert play.state.phase is MatchPhase.PAUSE
    play.wait(1)
    assert play.events[0] == events.RoundStarted(2)


def test_the_opening_seat_moves_along_and_each_round_has_its_own_code() -> None:
    """R1.1, R1.4"""
    play = Play.in_round(2)
    codes = [play.code]
    for opener in (1, 0):
        play.draw_round().next_round()
        assert (play.on_turn, play.round.opener) == (opener, opener)
        codes.append(play.code)
    assert len(set(codes)) == 3


def test_the_last_result_shows_three_seconds_before_the_match_is_over() -> None:
    """R1.10: no countdown to a next round."""
    play = Play.in_round(2)
    play.win_round(0).next_round().win_round(0)
    decided_ms = play.now_ms
    assert play.happened(events.RoundEnded) == [events.RoundEnded(2, last=True)]
    assert not play.happened(events.MatchEnded)
    assert (play.state.phase, play.state.end, play.state.winner) == (MatchPhase.CLOSING, MatchEnd.PLAYED, 0)
    assert not match.is_over(play.state)
    play.wait(2_999)
    assert not match.is_over(play.state)
    play.wait(1)
    assert match.is_over(play.state)
    assert play.events == (events.MatchEnded(MatchEnd.PLAYED),)
    assert play.state.ended_ms == decided_ms
    assert match.next_deadline(play.state) is None


def test_a_match_of_which_all_rounds_are_drawn_is_a_draw() -> None:
    """R1.11"""
    play = Play.in_round(2)
    play.draw_round().next_round().draw_round().next_round().draw_round()
    assert (play.state.end, play.state.winner, len(play.state.rounds)) == (MatchEnd.PLAYED, None, 3)


class Story:
    """Plays the events of one outcome vector; those after the end must change nothing."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.play = Play.of(len(names))
        self.ended_by: int | None = None
        self.forfeited: list[str] = []

    def run(self, index: int, event: str) -> None:
        what, _, who = event.partition(":")
        play, decided = self.play, self.play.state.end is not None
        match what:
            case "start" if not decided:
                play.time_out()
            case "round" if not decided:
                play.draw_round() if who == "draw" else play.win_round(self.names.index(who))
            case "forfeit":
                before = play.state
                play.forfeit(self.names.index(who))
                if not decided and play.state != before:
                    self.forfeited.append(who)
                assert not decided or play.state == before
        if not decided and play.state.end is not None:
            self.ended_by = index


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_matches_end_as_the_vectors_say(case: dict[str, Any]) -> None:
    """R1.11, R7.4"""
    story, expected = Story(case["players"]), case["expected"]
    for index, event in enumerate(case["events"]):
        story.run(index, event)
    state, names = story.play.state, story.names
    assert story.ended_by == expected["ended_by"]
    assert (None if state.winner is None else names[state.winner]) == expected["winner"]
    wins = seating.rounds_won(state.rounds)
    assert {name: wins.get(SeatNo(seat), 0) for seat, name in enumerate(names)} == expected["rounds_won"]
    assert story.forfeited == expected["forfeited"]
    finished = [one for one in state.rounds if one.end in (RoundEnd.CRACKED, RoundEnd.LIMIT, RoundEnd.AWARDED)]
    assert len(finished) == expected["rounds_finished"]
    if state.end is not None:
        outcomes = {outcome_of(state, state.end, SeatNo(seat)) for seat in range(len(names))}
        assert (Outcome.WIN in outcomes) == (expected["result"] == "win")
        assert (Outcome.DRAW in outcomes) == (expected["result"] == "draw")
