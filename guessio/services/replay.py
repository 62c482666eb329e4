"""The replay of a finished match, step by step (R11.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from guessio.engine.match.results import MatchResult, RoundResult
from guessio.engine.match.state import Guess
from guessio.rules import feedback
from guessio.rules.terms import LeaveReason, Mark, SeatNo
from guessio.services.seated import Seated


class ReplayKind(StrEnum):
    """What happens in one step of a replay."""

    ROUND = "round"
    GUESS = "guess"
    SKIP = "skip"
    FROZEN = "frozen"
    LEFT = "left"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step of the replay, in order. `at_ms` counts from the match's start.

    ROUND opens round `round`; GUESS has `digits` and `marks`; SKIP is a time-out and FROZEN one by `other_name`'s Freeze; LEFT has
    a `reason`; CODE closes the round with its code in `digits` and its winner in `name` (empty for a draw).
    """

    index: int
    kind: ReplayKind
    round: int
    at_ms: int
    seat: SeatNo | None = None
    name: str = ""
    is_own: bool = False
    number: int = 0
    digits: str = ""
    marks: tuple[Mark, ...] = ()
    other_name: str = ""
    reason: LeaveReason | None = None


_LATER = {ReplayKind.LEFT: 1, ReplayKind.CODE: 2}


def steps(result: MatchResult, seated: Seated, start_ms: int) -> tuple[ReplayStep, ...]:
    """The match move by move; that a seat was left comes before the round's end that followed from it in the same moment."""
    made = [step for one in result.rounds for step in _round_steps(result, seated, one)]
    last = len(result.rounds)
    for seat in result.seats:
        if seat.left_ms is not None:
            number = max((one.number for one in result.rounds if one.started_ms <= seat.left_ms), default=min(1, last))
            made.append(replace(_step(seated, ReplayKind.LEFT, number, seat.left_ms, seat.seat), reason=seat.left_reason))
    made.sort(key=lambda step: (step.at_ms, _LATER.get(step.kind, 0)))
    return tuple(replace(step, index=index, at_ms=max(0, step.at_ms - start_ms)) for index, step in enumerate(made))


def _round_steps(result: MatchResult, seated: Seated, one: RoundResult) -> Iterator[ReplayStep]:
    """A round's steps in the order of its turns, at absolute times; a passed turn has the time of the step before it."""
    yield _step(seated, ReplayKind.ROUND, one.number, one.started_ms, one.opener)
    at_ms = one.started_ms
    for move in sorted((*one.guesses, *one.skips), key=lambda move: move.turn):
        if isinstance(move, Guess):
            at_ms = move.at_ms
            marks = feedback.marks(one.code, move.digits, result.difficulty)
            step = _step(seated, ReplayKind.GUESS, one.number, at_ms, move.seat)
            yield replace(step, number=move.number, digits=move.digits, marks=marks)
        else:
            kind = ReplayKind.SKIP if move.frozen_by is None else ReplayKind.FROZEN
            yield replace(_step(seated, kind, one.number, at_ms, move.seat), other_name=seated.name(move.frozen_by))
    yield replace(_step(seated, ReplayKind.CODE, one.number, one.ended_ms, one.winner), digits=one.code)


def _step(seated: Seated, kind: ReplayKind, number_of_round: int, at_ms: int, seat: SeatNo | None) -> ReplayStep:
    return ReplayStep(0, kind, number_of_round, at_ms, seat, seated.name(seat), seated.is_own(seat))
