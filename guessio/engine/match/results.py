"""The whole of a finished match, for settling and keeping it (R7.5, R7.6, R8 to R11)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.engine.match import outcome, seating
from guessio.engine.match.state import Guess, MatchState, Round, Skip
from guessio.rules.achievements import MatchFacts, RoundFacts
from guessio.rules.terms import (
    AccountId,
    Difficulty,
    LeaveReason,
    MatchEnd,
    MatchType,
    Outcome,
    RoundEnd,
    SeatNo,
    Skill,
    TableId,
)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What the match was for one player. `connected`: there at its end, so scored by Elo in Ranked (R9.3)."""

    seat: SeatNo
    account: AccountId
    username: str
    name: str
    avatar_url: str
    is_bot: bool
    rating: int
    outcome: Outcome
    rounds_won: int
    guesses: int
    turns_skipped: int
    forfeited: bool
    left_ms: int | None
    left_reason: LeaveReason | None
    connected: bool
    skill: Skill | None
    skill_used: bool


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One round that was begun, with everything played in it; `winner` None for a draw or one broken off."""

    number: int
    opener: SeatNo
    end: RoundEnd
    winner: SeatNo | None
    code: str
    nonce: str
    commitment: str
    started_ms: int
    ended_ms: int
    guesses: tuple[Guess, ...]
    skips: tuple[Skip, ...]

    @property
    def duration_ms(self) -> int:
        """How long the round took."""
        return self.ended_ms - self.started_ms


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One finished match. `full`: played to its end with everybody connected and nobody gone (R10).

    `duration_ms` runs from the start of round 1 to the match's end; 0 if no round was begun. `winner` is None for a draw
    and for a cancelled match.
    """

    id: TableId
    type: MatchType
    difficulty: Difficulty
    skills_on: bool
    players: int
    created_ms: int
    ended_ms: int
    duration_ms: int
    end: MatchEnd
    winner: SeatNo | None
    full: bool
    total_guesses: int
    seats: tuple[SeatResult, ...]
    rounds: tuple[RoundResult, ...]


def results(state: MatchState) -> MatchResult:
    """The result of a decided match.

    Raises:
        ValueError: the match is not decided yet.
    """
    if state.end is None or state.ended_ms is None:
        raise ValueError("the match is still going on")
    seats = tuple(_seat_result(state, state.end, SeatNo(number)) for number in range(len(state.seats)))
    return MatchResult(
        id=state.id,
        type=state.type,
        difficulty=state.difficulty,
        skills_on=state.skills_on,
        players=len(state.seats),
        created_ms=state.created_ms,
        ended_ms=state.ended_ms,
        duration_ms=state.ended_ms - state.rounds[0].started_ms if state.rounds else 0,
        end=state.end,
        winner=state.winner,
        full=state.end is MatchEnd.PLAYED and all(seat.connected for seat in seats),
        total_guesses=sum(len(one.guesses) for one in state.rounds),
        seats=seats,
        rounds=tuple(_round_result(state, one) for one in state.rounds),
    )


def facts(result: MatchResult, seat: SeatNo) -> MatchFacts:
    """What the achievements ask of this match for one player (R10)."""
    own = result.seats[seat]
    return MatchFacts(
        outcome=own.outcome,
        difficulty=result.difficulty,
        absent=not own.connected,
        full=result.full,
        duration_ms=result.duration_ms,
        rounds=tuple(_round_facts(one, seat) for one in result.rounds),
    )


def outcome_of(state: MatchState, end: MatchEnd, seat: SeatNo) -> Outcome:
    """Win, loss, draw or cancelled for one player; who forfeited loses even where the others draw (R7.5, R7.6)."""
    if end is MatchEnd.INACTIVITY:
        return Outcome.CANCELLED
    if state.winner == seat:
        return Outcome.WIN
    if state.winner is None and state.seats[seat].left_ms is None:
        return Outcome.DRAW
    return Outcome.LOSS


def _round_facts(one: RoundResult, seat: SeatNo) -> RoundFacts:
    """One round for one player; an awarded round counts none of the winner's guesses, for none of them won it."""
    own_guesses = sum(guess.seat == seat for guess in one.guesses)
    return RoundFacts(one.winner == seat, 0 if one.end is RoundEnd.AWARDED else own_guesses, one.duration_ms)


def _seat_result(state: MatchState, end: MatchEnd, number: SeatNo) -> SeatResult:
    seat = state.seats[number]
    return SeatResult(
        seat=number,
        account=seat.account,
        username=seat.username,
        name=seat.name,
        avatar_url=seat.avatar_url,
        is_bot=seat.is_bot,
        rating=seat.rating,
        outcome=outcome_of(state, end, number),
        rounds_won=seating.rounds_won(state.rounds).get(number, 0),
        guesses=sum(guess.seat == number for one in state.rounds for guess in one.guesses),
        turns_skipped=seat.turns_skipped,
        forfeited=seat.left_ms is not None,
        left_ms=seat.left_ms,
        left_reason=seat.left_reason,
        # A gap too short to be shown to anyone is no absence (R5.1).
        connected=seat.left_ms is None and not seat.away_shown,
        skill=seat.skill,
        skill_used=seat.skill_used,
    )


def _round_result(state: MatchState, one: Round) -> RoundResult:
    return RoundResult(
        number=one.number,
        opener=one.opener,
        end=seating.certain(one.end),
        winner=one.winner,
        code=seating.code_of(state, one.number),
        nonce=state.deal.nonces[one.number - 1],
        commitment=outcome.commitment(state, one),
        started_ms=one.started_ms,
        ended_ms=seating.certain(one.ended_ms),
        guesses=one.guesses,
        skips=one.skips,
    )
