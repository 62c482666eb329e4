"""The record of a finished duel for one of its two players: both secrets, and every guess with its time (R17.5, R17.6)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine import duel
from guessio.engine.duel import view
from guessio.engine.duel.result import PlayerResult
from guessio.engine.duel.state import DuelState, Guess
from guessio.rules.terms import AccountId, Mark, Outcome, SeatNo, TableId
from guessio.services import duel_history, history
from guessio.services.duel_history import DuelEntry
from guessio.services.people import Person
from guessio.store import codec, database, duels, people


@dataclass(frozen=True, slots=True)
class DuelSide:
    """One duellist of a finished duel. `secret` is the number that the other had to break, empty when none was chosen.

    `used_ms` of the clock, `credited_ms` given back for lag; neither they nor `guesses` decide anything. `went_first` had the first move.
    """

    seat: SeatNo
    person: Person
    is_own: bool
    outcome: Outcome
    is_winner: bool
    secret: str
    guesses: int
    used_ms: int
    left_ms: int
    credited_ms: int
    went_first: bool


@dataclass(frozen=True, slots=True)
class DuelMove:
    """One guess of the record, in the order of play: `marks` by position, or `exact` and `misplaced` in totals only; never both.

    `index` counts from 0 and is the step of the replay, `number` counts this duellist's guesses from 1. `at_ms` counts from the start of
    the duel, `took_ms` is what the move cost, `credited_ms` what lag gave back, `left_ms` what the clock showed after it.
    """

    index: int
    seat: SeatNo
    name: str
    is_own: bool
    number: int
    digits: str
    marks: tuple[Mark, ...] | None
    exact: int | None
    misplaced: int | None
    at_ms: int
    took_ms: int
    credited_ms: int
    left_ms: int


@dataclass(frozen=True, slots=True)
class DuelRecord:
    """All of a finished duel for one of its two duellists; `sides` has the viewer first.

    `started_at` is ISO 8601 and `date` the same moment as text in UTC. `winner_name` is empty for the draw.
    """

    entry: DuelEntry
    started_at: str
    date: str
    duration_ms: int
    sides: tuple[DuelSide, DuelSide]
    moves: tuple[DuelMove, ...]
    winner_name: str


def find(actor: AccountId, table: TableId) -> DuelRecord | None:
    """The record for somebody who played it; None for everybody else, as for an unknown duel."""
    with database.read() as conn:
        found = duels.find(conn, table)
        players = duels.players(conn, [table]).get(table, ())
        if found is None or all(player.account != actor for player in players):
            return None
        (entry,) = duel_history.entries_of(conn, actor, (found,))
        known = people.load(conn, [player.account for player in players])
    state = codec.decode(DuelState, found.record)
    sides = [_side(state, result, known[result.account], actor) for result in duel.results(state).players]
    own, other = sorted(sides, key=lambda side: not side.is_own)
    start = history.moment(found.started_ms)
    return DuelRecord(
        entry=entry,
        started_at=start.isoformat(timespec="seconds"),
        date=f"{start.day} {start:%B %Y, %H:%M} UTC",
        duration_ms=found.ended_ms - found.started_ms,
        sides=(own, other),
        moves=tuple(_move(state, index, guess, (own, other)) for index, guess in enumerate(state.guesses)),
        winner_name=next((side.person.name for side in sides if side.is_winner), ""),
    )


def _side(state: DuelState, result: PlayerResult, person: Person, viewer: AccountId) -> DuelSide:
    seat = state.seats[result.seat]
    return DuelSide(
        seat=result.seat,
        person=person,
        is_own=result.account == viewer,
        outcome=result.outcome,
        is_winner=result.outcome is Outcome.WIN,
        secret=seat.secret or "",
        guesses=result.guesses,
        used_ms=result.used_ms,
        left_ms=seat.clock.left_ms,
        credited_ms=result.credited_ms,
        went_first=state.deal.first == result.seat,
    )


def _move(state: DuelState, index: int, guess: Guess, sides: tuple[DuelSide, DuelSide]) -> DuelMove:
    side = next(side for side in sides if side.seat == guess.seat)
    row = view.row(state, guess)
    return DuelMove(
        index=index,
        seat=guess.seat,
        name=side.person.name,
        is_own=side.is_own,
        number=row.number,
        digits=row.digits,
        marks=row.marks,
        exact=row.exact,
        misplaced=row.misplaced,
        at_ms=max(0, guess.at_ms - state.created_ms),
        took_ms=row.took_ms,
        credited_ms=row.credited_ms,
        left_ms=_left_after(state, guess),
    )


def _left_after(state: DuelState, guess: Guess) -> int:
    """What the clock showed after a guess, counted back from the end: it only ran on this player's moves (R17.5)."""
    later = [one for one in state.guesses if one.seat == guess.seat and one.turn > guess.turn]
    spent = sum(one.took_ms - one.credited_ms for one in later)
    return state.seats[guess.seat].clock.left_ms + spent + _unanswered_ms(state, guess.seat)


def _unanswered_ms(state: DuelState, seat: SeatNo) -> int:
    """What the player spent on a last move that was never made."""
    if not state.guesses or state.guesses[-1].seat == seat or state.ended_ms is None:
        return 0
    return min(state.ended_ms - state.guesses[-1].at_ms, state.agreement.clock_ms)
