"""Turn order, rounds, leaving and inactivity (R1.1, R1.4, R1.11, R7.4 to R7.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessio.rules import inactivity, leaving, rounds, turns
from guessio.rules.inactivity import Inactivity
from guessio.rules.leaving import LeftAlone
from guessio.rules.rounds import Decided
from guessio.rules.terms import MatchEnd, Outcome, SeatNo

A, B, C, D = (SeatNo(number) for number in range(4))
NOBODY: frozenset[SeatNo] = frozenset()

TABLES = st.integers(2, 4).flatmap(
    lambda seats: st.tuples(st.just(seats), st.sets(st.sampled_from([SeatNo(number) for number in range(seats)])).map(frozenset))
)


@pytest.mark.parametrize(("round_number", "seat"), [(1, A), (2, B), (3, C)])
def test_the_opening_seat_moves_along(round_number: int, seat: SeatNo) -> None:
    """R1.4."""
    assert turns.opener(round_number, 4, NOBODY) == seat


def test_the_opening_seat_wraps_with_two_players() -> None:
    assert turns.opener(3, 2, NOBODY) == A


def test_the_next_seat_still_in_opens_for_one_who_left() -> None:
    assert turns.opener(3, 4, frozenset({C, D})) == A


def test_a_round_needs_somebody() -> None:
    with pytest.raises(ValueError, match="seated"):
        turns.opener(1, 2, frozenset({A, B}))


@given(TABLES)
def test_going_round_visits_everybody_still_in_once(table: tuple[int, frozenset[SeatNo]]) -> None:
    """R7.4: leavers drop out of the order, the rest keep theirs."""
    seats, left = table
    seated = [SeatNo(number) for number in range(seats) if number not in left]
    start = SeatNo(seats - 1)
    visited: list[SeatNo] = []
    seat: SeatNo | None = start
    for _ in seated:
        assert seat is not None
        seat = turns.following(seat, seats, left)
        assert seat is not None
        visited.append(seat)
    assert visited == seated


def test_nobody_follows_when_all_have_left() -> None:
    assert turns.following(A, 2, frozenset({A, B})) is None


@pytest.mark.parametrize(("players", "digits", "guesses"), [(2, 4, 10), (3, 5, 15), (4, 6, 20)])
def test_length_and_limit_follow_the_players(players: int, digits: int, guesses: int) -> None:
    """R1.1."""
    assert (rounds.code_length(players), rounds.limit(players)) == (digits, guesses)


@pytest.mark.parametrize(
    ("wins", "seated", "finished", "result"),
    [
        ({A: 1}, (A, B), 1, None),
        ({A: 2}, (A, B), 2, Decided(A)),
        ({A: 1}, (A, B), 2, Decided(A)),
        ({A: 1, B: 1}, (A, B), 2, None),
        ({}, (A, B), 2, None),
        ({}, (A, B), 3, Decided(None)),
        ({A: 1, B: 1, C: 1}, (A, B, C), 3, Decided(None)),
        ({A: 1, B: 2}, (A, B, C), 3, Decided(B)),
        ({A: 2}, (B, C), 2, None),
        ({A: 2, B: 1}, (B, C), 3, Decided(B)),
    ],
)
def test_what_rounds_decide(wins: dict[SeatNo, int], seated: tuple[SeatNo, ...], finished: int, result: Decided | None) -> None:
    """R1.11: round 1 never decides; only players still seated compete."""
    assert rounds.match_result(wins, seated, finished) == result


def test_the_last_of_two_gets_the_round_too() -> None:
    """R7.4."""
    assert leaving.after_forfeit([B], 2) == LeftAlone(B, gets_round=True)
    assert leaving.after_forfeit([B], 3) == LeftAlone(B, gets_round=False)
    assert leaving.after_forfeit([A, B], 3) is None


@pytest.mark.parametrize(
    ("end", "winner", "forfeited", "outcome"),
    [
        (MatchEnd.PLAYED, A, False, Outcome.WIN),
        (MatchEnd.PLAYED, B, False, Outcome.LOSS),
        (MatchEnd.PLAYED, None, False, Outcome.DRAW),
        (MatchEnd.PLAYED, None, True, Outcome.LOSS),
        (MatchEnd.FORFEIT, B, True, Outcome.LOSS),
        (MatchEnd.INACTIVITY, None, False, Outcome.CANCELLED),
        (MatchEnd.INACTIVITY, None, True, Outcome.CANCELLED),
    ],
)
def test_what_the_match_was_for_a_player(end: MatchEnd, winner: SeatNo | None, forfeited: bool, outcome: Outcome) -> None:
    """R7.5."""
    assert leaving.outcome_for(end, winner, A, forfeited) is outcome


def test_a_full_match_was_played_with_everybody_there() -> None:
    assert leaving.is_full(MatchEnd.PLAYED, [False, False])
    assert not leaving.is_full(MatchEnd.PLAYED, [False, True])
    assert not leaving.is_full(MatchEnd.FORFEIT, [False, False])


@pytest.mark.parametrize(
    ("timeouts", "seated", "warned", "verdict"),
    [
        (1, 2, False, Inactivity.NOTHING),
        (2, 2, False, Inactivity.WARN),
        (3, 2, True, Inactivity.NOTHING),
        (4, 2, True, Inactivity.CANCEL),
        (4, 3, False, Inactivity.WARN),
        (6, 3, True, Inactivity.CANCEL),
        (7, 4, True, Inactivity.NOTHING),
        (5, 2, True, Inactivity.CANCEL),
    ],
)
def test_rotations_without_a_guess(timeouts: int, seated: int, warned: bool, verdict: Inactivity) -> None:
    """R7.6."""
    assert inactivity.judge(timeouts, seated, warned) is verdict
