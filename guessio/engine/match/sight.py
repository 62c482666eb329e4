"""Which marks a seat may know in a round: its own, and those that X-Ray Vision shows it (R1.7, R6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from guessio.engine.match import seating
from guessio.engine.match.state import Guess, MatchState, Round
from guessio.rules import feedback
from guessio.rules.terms import Mark, SeatNo


def by_xray(one: Round, seat: SeatNo | None, guess: Guess) -> bool:
    """Whether `seat` sees the marks of another's `guess` through X-Ray Vision."""
    # Asked for each guess of each drawing, and hardly ever is there any: to find that out alone is cheaper than to look through none.
    return bool(one.xrays) and any(
        xray.by == seat and xray.target == guess.seat and guess.number > xray.after and (xray.until is None or guess.number <= xray.until)
        for xray in one.xrays
    )


def marks(state: MatchState, one: Round, guess: Guess) -> tuple[Mark, ...]:
    """The marks of a guess, for whoever may see them."""
    return feedback.marks(seating.code_of(state, one.number), guess.digits, state.difficulty)


def seen(state: MatchState, one: Round, seat: SeatNo) -> Iterator[tuple[Guess, tuple[Mark, ...]]]:
    """The guesses of a round whose marks `seat` knows, in order."""
    code = seating.code_of(state, one.number)
    for guess in one.guesses:
        if guess.seat == seat or by_xray(one, seat, guess):
            yield guess, feedback.marks(code, guess.digits, state.difficulty)


def revealed(state: MatchState, one: Round, seat: SeatNo | None) -> tuple[tuple[int, str], ...]:
    """The places (0-based) and digits that Reveal Position showed `seat` in this round."""
    return tuple((reveal.position, seating.code_of(state, one.number)[reveal.position]) for reveal in one.reveals if reveal.seat == seat)
