"""All that a participant may see of a saved match, and its replay (R11.3, R11.4, R1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from guessio.engine.match.results import MatchResult, RoundResult, results
from guessio.engine.match.state import Guess, MatchState
from guessio.rules import feedback
from guessio.rules.terms import (
    AccountId,
    LeaveReason,
    Mark,
    MatchEnd,
    Outcome,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)
from guessio.services import history
from guessio.services.history import HistoryEntry
from guessio.services.people import Person
from guessio.store import codec, database, matches, people
from guessio.store.matches import Player


@dataclass(frozen=True, slots=True)
class Participant:
    """A seat of a saved match. Rating and points stand on the viewer's own seat only; rating is None where it played no part."""

    seat: SeatNo
    person: Person
    is_own: bool
    outcome: Outcome
    is_winner: bool
    forfeited: bool
    rounds_won: int
    guesses: int
    rating_before: int | None
    rating_after: int | None
    rating_change: int | None
    points_change: int | None


@dataclass(frozen=True, slots=True)
class GuessShown:
    """A guess of a finished round with its marks: everyone knows the code by now. `took_ms` counts from the turn's start."""

    number: int
    seat: SeatNo
    name: str
    is_own: bool
    digits: str
    marks: tuple[Mark, ...]
    took_ms: int


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A finished round with its code and the proof of fairness: SHA-256 of "code:nonce" is `commitment` (R1.3)."""

    number: int
    end: RoundEnd
    code: str
    nonce: str
    commitment: str
    winner: SeatNo | None
    winner_name: str
    is_own_win: bool
    duration_ms: int
    guesses: tuple[GuessShown, ...]


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


@dataclass(frozen=True, slots=True)
class SkillShown:
    """Which skill a seat had picked, and whether it took effect."""

    seat: SeatNo
    name: str
    skill: Skill
    used: bool


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """All that a participant may see of a saved match. `entry` is the line of the list; `end` says why it was over.

    `started_at` is ISO 8601 and `date` the same moment as text in UTC. `total_guesses` counts every seat's.
    """

    entry: HistoryEntry
    end: MatchEnd
    started_at: str
    date: str
    duration_ms: int
    participants: tuple[Participant, ...]
    rounds: tuple[RoundShown, ...]
    skills: tuple[SkillShown, ...]
    total_guesses: int
    replay: tuple[ReplayStep, ...]


def find(actor: AccountId, match: TableId) -> MatchDetails | None:
    """The details of a saved match for somebody who had a seat in it; None for everybody else, as for an unknown match."""
    with database.read() as conn:
        found = matches.find(conn, match)
        players = matches.players(conn, [match]).get(match, ())
        if found is None or all(player.account != actor for player in players):
            return None
        (entry,) = history.entries_of(conn, actor, (found,))
        known = people.load(conn, [player.account for player in players])
    result = results(codec.decode(MatchState, found.record))
    shown = _Shown(actor, result, {SeatNo(player.seat): known[player.account] for player in players})
    start = history.moment(found.started_ms)
    return MatchDetails(
        entry=entry,
        end=result.end,
        started_at=start.isoformat(timespec="seconds"),
        date=f"{start.day} {start:%B %Y, %H:%M} UTC",
        duration_ms=result.duration_ms,
        participants=tuple(_participant(shown, player) for player in players),
        rounds=tuple(_round(shown, one) for one in result.rounds),
        skills=_skills(shown),
        total_guesses=result.total_guesses,
        replay=_replay(shown, found.started_ms),
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """A result with its viewer and the people as they are called today: a deleted account's old name is gone everywhere."""

    viewer: AccountId
    result: MatchResult
    seated: dict[SeatNo, Person]

    def name(self, seat: SeatNo | None) -> str:
        return "" if seat is None else self.seated[seat].name

    def is_own(self, seat: SeatNo | None) -> bool:
        return seat is not None and self.seated[seat].account == self.viewer


def _participant(shown: _Shown, player: Player) -> Participant:
    own = player.account == shown.viewer
    before, after = (player.rating_before, player.rating_after) if own else (None, None)
    return Participant(
        seat=player.seat,
        person=shown.seated[player.seat],
        is_own=own,
        outcome=player.outcome,
        is_winner=player.outcome is Outcome.WIN,
        forfeited=player.forfeited,
        rounds_won=player.rounds_won,
        guesses=player.guesses,
        rating_before=before,
        rating_after=after,
        rating_change=None if before is None or after is None else after - before,
        points_change=player.points_change if own else None,
    )


def _round(shown: _Shown, one: RoundResult) -> RoundShown:
    return RoundShown(
        number=one.number,
        end=one.end,
        code=one.code,
        nonce=one.nonce,
        commitment=one.commitment,
        winner=one.winner,
        winner_name=shown.name(one.winner),
        is_own_win=shown.is_own(one.winner),
        duration_ms=one.duration_ms,
        guesses=tuple(
            GuessShown(
                number=guess.number,
                seat=guess.seat,
                name=shown.name(guess.seat),
                is_own=shown.is_own(guess.seat),
                digits=guess.digits,
                marks=feedback.marks(one.code, guess.digits, shown.result.difficulty),
                took_ms=guess.took_ms,
            )
            for guess in one.guesses
        ),
    )


def _skills(shown: _Shown) -> tuple[SkillShown, ...]:
    """What everybody had picked; it stays hidden where it was never used (R6.1), but for one's own."""
    return tuple(
        SkillShown(seat.seat, shown.name(seat.seat), seat.skill, seat.skill_used)
        for seat in shown.result.seats
        if seat.skill is not None and (seat.skill_used or shown.is_own(seat.seat))
    )


_LATER = {ReplayKind.LEFT: 1, ReplayKind.CODE: 2}


def _replay(shown: _Shown, start_ms: int) -> tuple[ReplayStep, ...]:
    """The match move by move; that a seat was left comes before the round's end that followed from it in the same moment."""
    steps = [step for one in shown.result.rounds for step in _round_steps(shown, one)]
    last = len(shown.result.rounds)
    for seat in shown.result.seats:
        if seat.left_ms is not None:
            number = max((one.number for one in shown.result.rounds if one.started_ms <= seat.left_ms), default=min(1, last))
            steps.append(_step(shown, ReplayKind.LEFT, number, seat.left_ms, seat.seat, reason=seat.left_reason))
    steps.sort(key=lambda step: (step.at_ms, _LATER.get(step.kind, 0)))
    return tuple(replace(step, index=index, at_ms=max(0, step.at_ms - start_ms)) for index, step in enumerate(steps))


def _round_steps(shown: _Shown, one: RoundResult) -> Iterator[ReplayStep]:
    """A round's steps in the order of its turns, at absolute times; a passed turn has the time of the step before it."""
    yield _step(shown, ReplayKind.ROUND, one.number, one.started_ms, one.opener)
    at_ms = one.started_ms
    for move in sorted((*one.guesses, *one.skips), key=lambda move: move.turn):
        if isinstance(move, Guess):
            at_ms = move.at_ms
            marks = feedback.marks(one.code, move.digits, shown.result.difficulty)
            yield _step(shown, ReplayKind.GUESS, one.number, at_ms, move.seat, number=move.number, digits=move.digits, marks=marks)
        else:
            kind = ReplayKind.SKIP if move.frozen_by is None else ReplayKind.FROZEN
            yield _step(shown, kind, one.number, at_ms, move.seat, other_name=shown.name(move.frozen_by))
    yield _step(shown, ReplayKind.CODE, one.number, one.ended_ms, one.winner, digits=one.code)


def _step(
    shown: _Shown,
    kind: ReplayKind,
    number_of_round: int,
    at_ms: int,
    seat: SeatNo | None,
    *,
    number: int = 0,
    digits: str = "",
    marks: tuple[Mark, ...] = (),
    other_name: str = "",
    reason: LeaveReason | None = None,
) -> ReplayStep:
    return ReplayStep(
        index=0,
        kind=kind,
        round=number_of_round,
        at_ms=at_ms,
        seat=seat,
        name=shown.name(seat),
        is_own=shown.is_own(seat),
        number=number,
        digits=digits,
        marks=marks,
        other_name=other_name,
        reason=reason,
    )
