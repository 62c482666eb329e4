"""R17.7: the computer as an opponent."""

from __future__ import annotations

import time

import pytest

from guessio.engine import duel
from guessio.engine.duel import computer
from guessio.rules import codes, feedback
from guessio.rules.terms import DuelEnd, DuelFormat, DuelPhase, SeatNo, SecretRule
from tests.engine.duel.table import ANN, BEN, Duel

EVERY_AGREEMENT = [(length, rule, form) for length in (4, 5) for rule in SecretRule for form in DuelFormat]


def run(table: Duel) -> None:
    """Let two computers play to the end, from deadline to deadline."""
    while (due := duel.next_deadline(table.state)) is not None:
        table.wait(due)


@pytest.mark.parametrize(("length", "rule", "form"), EVERY_AGREEMENT)
def test_it_plays_every_agreement_fairly_and_in_time(length: int, rule: SecretRule, form: DuelFormat) -> None:
    table = Duel(length=length, rule=rule, form=form, bots=[0, 1])
    run(table)
    assert table.state.end is DuelEnd.CRACKED
    for seat in table.state.seats:
        distinct = rule is SecretRule.ALL_DIFFERENT
        assert codes.validate(seat.secret, length, distinct=distinct) is None
        assert seat.clock.left_ms > 0


def test_every_guess_fits_all_that_it_was_shown() -> None:
    table = Duel(length=5, form=DuelFormat.TOTALS_ONLY, bots=[0, 1])
    run(table)
    for seat in (0, 1):
        secret = table.state.seats[1 - seat].secret or ""
        guesses = [guess.digits for guess in table.state.guesses if guess.seat == seat]
        for number, guess in enumerate(guesses):
            for earlier in guesses[:number]:
                answer = feedback.totals(feedback.marks(secret, earlier))
                assert feedback.totals(feedback.marks(guess, earlier)) == answer


def test_it_thinks_like_a_person_and_never_flags_on_purpose() -> None:
    """Against somebody who guesses nonsense at once, with a clock of one second."""
    table = Duel(clock_ms=1_000, bots=[1], seed="cd" * 32)
    table.secret(ANN, "1234", at_ms=1)
    while table.state.phase is not DuelPhase.OVER:
        if table.state.on_move == 0:
            table.guess(ANN, "0000", at_ms=table.now_ms)
        else:
            due = duel.next_deadline(table.state)
            assert due is not None
            table.wait(due)
    assert (table.state.end, table.state.winner) == (DuelEnd.CRACKED, 1)


def test_with_a_long_clock_it_takes_seconds() -> None:
    table = Duel(clock_ms=600_000, bots=[0, 1])
    run(table)
    took = [guess.took_ms for guess in table.state.guesses]
    assert min(took) >= 1_500
    assert max(took) <= 9_000
    assert len(set(took)) > 1


def test_the_same_seed_plays_the_same_duel() -> None:
    one, two, other = Duel(bots=[0, 1]), Duel(bots=[0, 1]), Duel(bots=[0, 1], seed="ef" * 32)
    for table in (one, two, other):
        run(table)
    assert one.state == two.state
    assert one.state.guesses != other.state.guesses


def test_people_are_not_thought_for() -> None:
    table = Duel().ready()
    assert [seat.acts_ms for seat in table.state.seats] == [None, None]


def test_a_move_costs_little() -> None:
    """Five milliseconds of CPU at the median is the limit; measured at a hundredth to a tenth of it."""
    table = Duel(length=5, form=DuelFormat.TOTALS_ONLY, clock_ms=600_000).ready("11234", "60671")
    for number in range(10):
        table.guess((ANN, BEN)[number % 2], f"{number}0123")
    costs: list[float] = []
    for _ in range(21):
        began = time.process_time()
        computer.guess_of(table.state, SeatNo(0))
        costs.append(time.process_time() - began)
    assert sorted(costs)[10] < 0.005
