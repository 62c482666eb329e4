"""The order of turns within a round (R1.4, R1.5, R6.2, R7.4)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guessio.engine.machine import Rejected
from guessio.engine.match import events, seating
from guessio.rules import rounds as round_rules
from guessio.rules.terms import MatchPhase, RoundEnd, SeatNo, Skill
from tests.kit.actors import Play

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "turn_order.json").read_text())


class Script:
    """Plays one scripted round and notes which turns ended how."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.names: list[str] = case["players"]
        self.play = Play.holding(*[Skill.FREEZE] * len(self.names))
        self.turns: list[dict[str, Any]] = []
        self.bitten: list[str] = []
        self.refused: list[int] = []
        self._reach(case["round"], [self.names.index(name) for name in case["forfeited_before"]])

    def _reach(self, number: int, leaver_seats: list[int]) -> None:
        while len(self.play.state.rounds) < number:
            self.play.draw_round()
            if len(self.play.state.rounds) == number - 1:
                for seat in leaver_seats:
                    self.play.forfeit(seat)
            self.play.next_round()

    def run(self, index: int, entry: str) -> None:
        what, _, name = entry.partition(":")
        play, turn = self.play, self.play.turn
        before = play.state
        match what:
            case "guess":
                outcome: object = play.guess()
            case "correct_guess":
                outcome = play.crack()
            case "rejected_guess":
                outcome = play.guess("00")
                assert isinstance(outcome, Rejected)
                return
            case "timeout":
                outcome = play.time_out()
            case "forfeit":
                outcome = play.forfeit(self.names.index(name))
            case _:
                self._hold(Skill.EXTRA_TURN if what == "use_extra_turn" else Skill.FREEZE)
                before = play.state
                outcome = play.use(self.names.index(name) if name else None)
        if isinstance(outcome, Rejected) or play.state == before:
            self.refused.append(index)
            return
        self.bitten += [self.names[skip.seat] for skip in play.happened(events.TurnSkipped) if skip.frozen_by is not None]
        if play.state.turn is None or play.turn.number != turn.number:
            self._note(turn, play.happened(events.GuessMarked))

    def _hold(self, skill: Skill) -> None:
        """Decision T5: a player holds whichever skill the script uses, one skill a player."""
        if self.play.seat(self.play.on_turn).skill_turn is None:
            self.play.state = seating.with_seat(self.play.state, self.play.on_turn, skill=skill)

    def _note(self, turn: Any, marked: list[events.GuessMarked]) -> None:
        noted: dict[str, Any] = {"player": self.names[turn.seat], "kind": "extra" if turn.extra else "normal"}
        if marked:
            noted["guess_no"] = marked[0].number
        self.turns.append(noted)

    @property
    def over(self) -> str | None:
        if self.play.state.phase is MatchPhase.TURN:
            return None
        return {RoundEnd.CRACKED: "cracked", RoundEnd.LIMIT: "limit", RoundEnd.ABANDONED: "last player"}[self.play.round.end]  # type: ignore[index]


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_turns_follow_one_another_as_the_vectors_say(case: dict[str, Any]) -> None:
    script, expected = Script(case), case["expected"]
    for index, entry in enumerate(case["script"]):
        script.run(index, entry)
    assert script.turns == [{key: turn[key] for key in turn if key in ("player", "kind", "guess_no")} for turn in expected["turns"]]
    assert script.bitten == expected["skipped_by_freeze"]
    assert script.refused == expected["refused"]
    assert script.over == expected["over"]
    play = script.play
    assert (script.names[play.on_turn] if play.state.turn else None) == expected["next"]
    left = round_rules.limit(len(script.names)) - len(play.round.guesses)
    assert left == expected["guesses_left"]


def test_turn_numbers_count_over_the_whole_match() -> None:
    """R1.12: a number names one turn for good."""
    play = Play.in_round(2)
    play.guess()
    play.time_out()
    play.crack()
    play.next_round()
    assert play.turn.number == 4


def test_a_turn_ends_once_and_starts_exactly_one_other() -> None:
    play = Play.in_round(2)
    play.wait(30_000)
    assert play.happened(events.TurnSkipped) == [events.TurnSkipped(1, SeatNo(0))]
    assert len(play.happened(events.TurnStarted)) == 1


def test_an_expired_turn_is_counted_as_skipped() -> None:
    """R1.5"""
    play = Play.in_round(2)
    play.time_out()
    play.guess()
    play.time_out()
    assert [seat.turns_skipped for seat in play.state.seats] == [2, 0]
    assert [(skip.turn, skip.after) for skip in play.round.skips] == [(1, 0), (3, 1)]


def test_a_broken_state_is_refused_loudly() -> None:
    play = Play.in_round(2)
    play.state = replace(play.state, turn=None)
    with pytest.raises(ValueError, match="lacks what its phase requires"):
        play.time_out()
