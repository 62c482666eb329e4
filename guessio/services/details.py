"""All that a participant may see of a saved match, with its replay (R11.3, R11.4, R1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine.match.results import MatchResult, RoundResult, results
from guessio.engine.match.state import MatchState
from guessio.rules import feedback
from guessio.rules.terms import (
    AccountId,
    Difficulty,
    Mark,
    MatchEnd,
    Outcome,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)
from guessio.services import history, replay
from guessio.services.history import HistoryEntry
from guessio.services.people import Person
from guessio.services.replay import ReplayStep
from guessio.services.seated import Seated
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
    seated = Seated(actor, {SeatNo(player.seat): known[player.account] for player in players})
    start = history.moment(found.started_ms)
    return MatchDetails(
        entry=entry,
        end=result.end,
        started_at=start.isoformat(timespec="seconds"),
        date=f"{start.day} {start:%B %Y, %H:%M} UTC",
        duration_ms=result.duration_ms,
        participants=tuple(_participant(seated, player) for player in players),
        rounds=tuple(_round(one, seated, result.difficulty) for one in result.rounds),
        skills=_skills(result, seated),
        total_guesses=result.total_guesses,
        replay=replay.steps(result, seated, found.started_ms),
    )


def _participant(seated: Seated, player: Player) -> Participant:
    own = player.account == seated.viewer
    before, after = (player.rating_before, player.rating_after) if own else (None, None)
    return Participant(
        seat=player.seat,
        person=seated.people[player.seat],
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


def _round(one: RoundResult, seated: Seated, difficulty: Difficulty) -> RoundShown:
    return RoundShown(
        number=one.number,
        end=one.end,
        code=one.code,
        nonce=one.nonce,
        commitment=one.commitment,
        winner=one.winner,
        winner_name=seated.name(one.winner),
        is_own_win=seated.is_own(one.winner),
        duration_ms=one.duration_ms,
        guesses=tuple(
            GuessShown(
                number=guess.number,
                seat=guess.seat,
                name=seated.name(guess.seat),
                is_own=seated.is_own(guess.seat),
                digits=guess.digits,
                marks=feedback.marks(one.code, guess.digits, difficulty),
                took_ms=guess.took_ms,
            )
            for guess in one.guesses
        ),
    )


def _skills(result: MatchResult, seated: Seated) -> tuple[SkillShown, ...]:
    """What everybody had picked; it stays hidden where it was never used (R6.1), but for one's own."""
    return tuple(
        SkillShown(seat.seat, seated.name(seat.seat), seat.skill, seat.skill_used)
        for seat in result.seats
        if seat.skill is not None and (seat.skill_used or seated.is_own(seat.seat))
    )
