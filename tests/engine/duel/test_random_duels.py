"""Thousands of duels played at random: each ends, and the clocks are right to the millisecond (issue "The Duel")."""

from __future__ import annotations

import random

import pytest

from guessio.engine import duel
from guessio.engine.duel.state import DuelState
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, Mark, SecretRule
from guessio.store import codec
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel
from tests.engine.duel.test_view import everything_in

PEOPLE = (ANN, BEN)
BATCHES, DUELS = 8, 250


class Bookkeeper:
    """Reckons both clocks on its own, from what the rules say should run when."""

    def __init__(self, table: Duel) -> None:
        self.table = table
        self.left = [table.state.agreement.clock_ms] * 2
        self.ran = [0, 0]
        self.at_ms = table.now_ms

    def pass_time(self, before: DuelState) -> None:
        """Count what ran in `before` since the last call, up to now or the end."""
        ended_ms = self.table.state.ended_ms
        until = self.table.now_ms if ended_ms is None else ended_ms
        for seat in (0, 1):
            if self.runs(before, seat):
                self.ran[seat] += until - self.at_ms
        self.at_ms = self.table.now_ms

    def shift(self, by_ms: int) -> None:
        """A downtime and its extra time are taken off what runs (R1.13)."""
        for seat in (0, 1):
            if self.runs(self.table.state, seat):
                self.ran[seat] -= by_ms

    def settle(self, before: DuelState) -> None:
        """Charge a clock that stands now with what it ran, less what lag gave back."""
        state = self.table.state
        for guess in state.guesses[len(before.guesses) :]:
            assert 0 <= guess.credited_ms <= 300
            self.left[guess.seat] += guess.credited_ms
        for seat in (0, 1):
            if not self.runs(state, seat) or state.on_move != before.on_move:
                self.left[seat] -= max(0, self.ran[seat])
                self.ran[seat] = 0

    def check(self) -> None:
        shown = [left - max(0, ran) for left, ran in zip(self.left, self.ran, strict=True)]
        assert list(self.table.clocks()) == shown

    @staticmethod
    def runs(state: DuelState, seat: int) -> bool:
        choosing = state.phase is DuelPhase.CHOOSING and state.seats[seat].secret is None
        return choosing or state.on_move == seat


def a_random_duel(chance: random.Random) -> Duel:
    return Duel(
        clock_ms=chance.choice([3_000, 20_000, 60_000]),
        length=chance.choice([4, 5]),
        rule=chance.choice(list(SecretRule)),
        form=chance.choice(list(DuelFormat)),
        first=chance.randrange(2),
        grace_ms=chance.choice([500, 10_000, 60_000]),
        at_ms=chance.randrange(10**12),
    )


def a_number(chance: random.Random, length: int) -> str:
    many = chance.choice([length, length, length, length, length - 1])
    return "".join(chance.choice("0123456789") for _ in range(many))


def act(table: Duel, chance: random.Random, actor: AccountId) -> None:
    """One random command, now."""
    state, now = table.state, table.now_ms
    mover = state.on_move
    match chance.choice(["secret", "secret", "guess", "guess", "guess", "hit", "leave", "back", "back", "resign"]):
        case "secret":
            table.secret(actor, a_number(chance, state.agreement.length), now)
        case "guess":
            turn = len(state.guesses) + chance.choice([0, 1, 1, 1, 2])
            table.guess(actor, a_number(chance, state.agreement.length), now, turn, chance.choice([0, 0, 80, 900]))
        case "hit" if mover is not None and chance.random() < 0.2:
            table.guess(PEOPLE[mover], state.seats[1 - mover].secret or "", now)
        case "leave":
            table.leaves(actor, now)
        case "back":
            table.returns(actor, now)
        case "resign" if chance.random() < 0.1:
            table.resign(actor, now)
        case _:
            pass


def check_views(table: Duel) -> None:
    state = table.state
    for viewer in (*PEOPLE, STRANGER):
        values = everything_in(table.view(viewer))
        guessed = {guess.digits for guess in state.guesses}
        for owner, seat in zip(PEOPLE, state.seats, strict=True):
            if state.phase is not DuelPhase.OVER and viewer != owner and seat.secret is not None:
                assert seat.secret in guessed or seat.secret not in values
        if state.agreement.format is DuelFormat.TOTALS_ONLY:
            assert not any(isinstance(value, Mark) for value in values)


def play(chance: random.Random) -> None:
    table = a_random_duel(chance)
    books = Bookkeeper(table)
    for _ in range(10_000):
        if duel.is_over(table.state):
            break
        before = table.state
        if chance.random() < 0.03:
            downtime = chance.randrange(100_000)
            table.state = duel.shift(before, downtime + 5_000)
            table.now_ms += downtime
            books.pass_time(before)
            books.shift(downtime + 5_000)
            books.check()
            continue
        table.wait(table.now_ms + chance.choice([0, 1, 7, 250, 1_000, 4_000]))
        books.pass_time(before)
        books.settle(before)
        books.check()
        if duel.is_over(table.state):
            break
        before = table.state
        act(table, chance, chance.choice(PEOPLE))
        books.settle(before)
        books.check()
        assert codec.decode(DuelState, codec.encode(table.state)) == table.state
    assert duel.is_over(table.state)
    check_views(table)
    books.check()
    assert all(0 <= left <= table.state.agreement.clock_ms for left in table.clocks())


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_duels_end_with_clocks_that_are_right(batch: int) -> None:
    for number in range(DUELS):
        play(random.Random(batch * DUELS + number))


def test_no_view_of_a_running_duel_shows_a_secret() -> None:
    chance = random.Random(5)
    for _ in range(100):
        table = a_random_duel(chance)
        for _ in range(30):
            table.wait(table.now_ms + 50)
            act(table, chance, chance.choice(PEOPLE))
            check_views(table)
