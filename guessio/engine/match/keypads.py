"""What a guess changes on its player's keypad, found from what is remembered of the keypads of one table (R1.7)."""

from __future__ import annotations

from guessio.engine.match import board, sight
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import KeyView
from guessio.rules import feedback
from guessio.rules.terms import Mark, SeatNo


class Keypads:
    """The keypads of one table from guess to guess: to look through all guesses of a round at each of them costs a fifth of drawing it."""

    __slots__ = ("_follows", "_known")

    def __init__(self) -> None:
        self._follows: tuple[object, ...] = ()
        self._known: list[dict[str, Mark]] = []

    def changed(self, state: MatchState) -> tuple[KeyView, ...]:
        """What the last guess of the last round changes on its player's keypad: the same as `board.changed_keys` since that guess.

        What is remembered holds as long as it is asked about each guess in turn and no skill tells anybody of digits.
        """
        one = state.rounds[-1]
        guess = one.guesses[-1]
        if one.xrays or self._follows != (one.number, guess.number, one.reveals):
            self._known = [board.marks_known(state, SeatNo(seat), guess.number) for seat in range(len(state.seats))]
        self._follows = (one.number, guess.number + 1, one.reveals)
        learnt = feedback.learn(self._known[guess.seat], guess.digits, sight.marks(state, one, guess))
        return tuple([board.key(digit, learnt[digit]) for digit in sorted(learnt)])
