"""What everyone sees of finished rounds (R1.2, R1.3, R1.9)."""

from __future__ import annotations

from guessio.engine.match import seating
from guessio.engine.match.state import MatchState, Round
from guessio.engine.match.views import RoundResultView
from guessio.rules import codes, turns
from guessio.rules.terms import AccountId, SeatNo


def commitment(state: MatchState, one: Round) -> str:
    """What was promised when the round started: it tells nothing of the code before its nonce is shown (R1.3)."""
    return codes.commitment(seating.code_of(state, one.number), state.deal.nonces[one.number - 1])


def round_results(state: MatchState, viewer: AccountId) -> tuple[RoundResultView, ...]:
    """Every finished round in order; a running one has no result yet."""
    return tuple(round_result(state, viewer, one.number) for one in state.rounds if one.end is not None)


def round_result(state: MatchState, viewer: AccountId, number: int) -> RoundResultView:
    """Finished round `number`: code and nonce, winner, score so far, duration, fastest guess.

    Raises:
        ValueError: the round is still running, and nothing of it may be shown.
    """
    one = state.rounds[number - 1]
    if one.end is None or one.ended_ms is None:
        raise ValueError("the round is still running")
    wins = seating.rounds_won(state.rounds[:number])
    fastest = min(one.guesses, key=lambda guess: guess.took_ms, default=None)
    is_last = state.end is not None and number == len(state.rounds)
    opener = None if is_last else _opener_after(state, number)
    return RoundResultView(
        number=number,
        end=one.end,
        code=seating.code_of(state, number),
        nonce=state.deal.nonces[number - 1],
        commitment=commitment(state, one),
        winner=one.winner,
        winner_name=name_of(state, one.winner),
        is_own_win=one.winner is not None and state.seats[one.winner].account == viewer,
        scores=tuple(wins.get(SeatNo(seat), 0) for seat in range(len(state.seats))),
        duration_ms=one.ended_ms - one.started_ms,
        guesses_used=len(one.guesses),
        fastest_ms=None if fastest is None else fastest.took_ms,
        fastest_name="" if fastest is None else state.seats[fastest.seat].name,
        fastest_is_own=fastest is not None and state.seats[fastest.seat].account == viewer,
        next_opener_name=name_of(state, opener),
        next_opener_is_own=opener is not None and state.seats[opener].account == viewer,
        is_last=is_last,
    )


def name_of(state: MatchState, seat: SeatNo | None) -> str:
    """The display name in a seat; empty for none."""
    return "" if seat is None else state.seats[seat].name


def _opener_after(state: MatchState, number: int) -> SeatNo:
    if number < len(state.rounds):
        return state.rounds[number].opener
    return turns.opener(number + 1, len(state.seats), seating.left(state))
