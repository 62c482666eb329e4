"""The board and the keypad as one viewer sees them (R1.7, R6.2)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from guessio.engine.match import seating, sight
from guessio.engine.match.state import Guess, MatchState, Round, Skip
from guessio.engine.match.views import KeyView, RowView
from guessio.rules import feedback
from guessio.rules.codes import DIGITS
from guessio.rules.terms import AccountId, Mark, SeatNo


def row_view(state: MatchState, viewer: SeatNo, number: int) -> RowView:
    """Guess `number` (from 1) of the last round, with its marks if the one in the seat `viewer` may see them."""
    one = state.rounds[-1]
    return _guess_row(state, one, viewer, one.guesses[number - 1])


def skip_view(state: MatchState, viewer: SeatNo, turn: int) -> RowView:
    """The row of turn number `turn` of the last round, which passed without a guess, for the one in the seat `viewer`."""
    one = state.rounds[-1]
    skip = next(skip for skip in one.skips if skip.turn == turn)
    return _skip_row(state, one, viewer, skip)


def rows(state: MatchState, viewer: AccountId) -> tuple[RowView, ...]:
    """The whole board of the last round, in the order in which it was played; empty before round 1."""
    if not state.rounds:
        return ()
    one, seat = state.rounds[-1], seating.seat_of(state, viewer)
    entries: list[tuple[int, RowView]] = [(guess.turn, _guess_row(state, one, seat, guess)) for guess in one.guesses] + [
        (skip.turn, _skip_row(state, one, seat, skip)) for skip in one.skips
    ]
    return tuple(row for _, row in sorted(entries, key=lambda entry: entry[0]))


def keys(state: MatchState, viewer: AccountId, digits: Iterable[str] = DIGITS) -> tuple[KeyView, ...]:
    """The ten digits in ascending order, or those asked for, each with the best that this viewer knows of it in the last round."""
    seat = seating.seat_of(state, viewer)
    known = marks_known(state, seat) if state.rounds and seat is not None else {}
    return tuple([key(digit, known.get(digit)) for digit in digits])


def changed_keys(state: MatchState, viewer: SeatNo, since: int) -> tuple[KeyView, ...]:
    """The keys, ascending, of which the last round's guesses from number `since` on told the one in the seat `viewer` something new."""
    before, now = marks_known(state, viewer, since), marks_known(state, viewer)
    return tuple([key(digit, now[digit]) for digit in sorted(now) if before.get(digit) is not now[digit]])


@cache
def key(digit: str, mark: Mark | None) -> KeyView:
    """A digit key with what is known of it."""
    return KeyView(digit, mark)


def marks_known(state: MatchState, seat: SeatNo, until: int | None = None) -> dict[str, Mark]:
    """The best that is known of each digit from all that tells of them: marked guesses (before number `until`), and places revealed."""
    one = state.rounds[-1]
    guesses = [(guess.digits, marks) for guess, marks in sight.seen(state, one, seat) if until is None or guess.number < until]
    return feedback.best(guesses + [(digit, (Mark.RIGHT,)) for _, digit in sight.revealed(state, one, seat)])


def _guess_row(state: MatchState, one: Round, viewer: SeatNo | None, guess: Guess) -> RowView:
    is_own = guess.seat == viewer
    is_xray = not is_own and sight.by_xray(one, viewer, guess)
    return RowView(
        f"r{one.number}-g{guess.number}",
        guess.number,
        guess.seat,
        state.seats[guess.seat].name,
        is_own,
        guess.digits,
        sight.marks(state, one, guess) if is_own or is_xray else None,
        is_xray,
    )


def _skip_row(state: MatchState, one: Round, viewer: SeatNo | None, skip: Skip) -> RowView:
    return RowView(
        key=f"r{one.number}-s{skip.turn}",
        number=0,
        seat=skip.seat,
        name=state.seats[skip.seat].name,
        is_own=skip.seat == viewer,
        digits="",
        marks=None,
        is_skip=True,
        frozen_by="" if skip.frozen_by is None else state.seats[skip.frozen_by].name,
    )
