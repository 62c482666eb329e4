"""SPEC 10 beyond the vectors."""

from __future__ import annotations

import random

import pytest

from guessio.rules import achievements
from guessio.rules.achievements import Achievement, MatchFacts, Progress, RoundFacts, Totals
from guessio.rules.terms import Difficulty, Outcome


def match(
    outcome: Outcome = Outcome.WIN,
    difficulty: Difficulty = Difficulty.STANDARD,
    absent: bool = False,
    full: bool = True,
    rounds: tuple[RoundFacts, ...] = (),
) -> MatchFacts:
    return MatchFacts(outcome, difficulty, absent, full, 300_000, rounds)


def streak(newest_first: list[MatchFacts]) -> int:
    return achievements.progress(Achievement.FLAWLESS_20, newest_first, Totals(len(newest_first))).done


WON, LOST, DRAWN = match(), match(Outcome.LOSS), match(Outcome.DRAW)
CANCELLED = match(Outcome.CANCELLED, full=False)
OTHERS_LEFT = match(full=False)
LEFT = match(Outcome.LOSS, absent=True, full=False)
WON_WHILE_AWAY = match(absent=True, full=False)


def test_there_are_sixteen_and_each_has_its_words() -> None:
    assert len(Achievement) == 16
    assert set(achievements.TITLES) == set(achievements.HOW) == set(Achievement)
    assert len(set(achievements.TITLES.values())) == len(set(achievements.HOW.values())) == 16


@pytest.mark.parametrize(
    ("newest_first", "length"),
    [
        ([], 0),
        ([WON, WON, LOST, WON], 2),
        ([WON, DRAWN, WON], 1),
        ([WON, CANCELLED, WON], 2),
        ([WON, OTHERS_LEFT, WON], 2),
        ([WON, LEFT, WON], 1),
        ([WON, WON_WHILE_AWAY, WON], 2),
        ([WON, match(Outcome.LOSS, full=False), WON], 2),
        ([WON, match(Outcome.DRAW, full=False), WON], 1),
    ],
)
def test_what_breaks_a_run_of_wins(newest_first: list[MatchFacts], length: int) -> None:
    assert streak(newest_first) == length


def test_an_awarded_round_is_nobodys_feat() -> None:
    fast = (RoundFacts(won=True, own_guesses=0, duration_ms=5_000),)
    earned = achievements.earned([match(rounds=fast)], Totals(1))
    assert Achievement.SPEEDSTER not in earned
    assert Achievement.SHARP_GUESSER not in earned


def test_feats_of_a_broken_match_do_not_count() -> None:
    sharp = (RoundFacts(won=True, own_guesses=1, duration_ms=5_000),)
    assert achievements.earned([match(full=False, rounds=sharp)], Totals(1)) == (Achievement.WELCOME,)


def test_progress_is_counted_and_capped() -> None:
    totals = Totals(played=64, best_daily_streak=9)
    assert achievements.progress(Achievement.REGULAR, [], totals) == Progress(50, 50)
    assert achievements.progress(Achievement.CENTURION, [], totals) == Progress(64, 100)
    assert achievements.progress(Achievement.SEVEN_DAYS, [], totals) == Progress(7, 7)
    assert achievements.progress(Achievement.THIRTY_DAYS, [], totals) == Progress(9, 30)
    assert achievements.progress(Achievement.NEWBIE, [LOST], totals) == Progress(0, 1)
    assert achievements.progress(Achievement.TERRIBLE_GUESSER, [LOST, LOST], totals) == Progress(2, 3)


def test_hardcore_legend_passes_over_standard_matches() -> None:
    hard = match(difficulty=Difficulty.HARDCORE)
    assert Achievement.HARDCORE_LEGEND in achievements.earned([hard, LOST, hard, hard], Totals(4))


RUNS = (
    Achievement.FLAWLESS_5,
    Achievement.FLAWLESS_10,
    Achievement.FLAWLESS_20,
    Achievement.TERRIBLE_GUESSER,
    Achievement.HARDCORE_LEGEND,
)


def a_history(seed: int) -> list[MatchFacts]:
    """Matches of every kind in stretches of luck and of bad luck, newest first."""
    chance = random.Random(seed)
    kinds = [WON, LOST, DRAWN, CANCELLED, OTHERS_LEFT, LEFT, WON_WHILE_AWAY, match(difficulty=Difficulty.HARDCORE)]
    history: list[MatchFacts] = []
    for _ in range(12):
        luck = chance.choice(((40, 0, 0, 2, 2, 0, 2, 6), (2, 9, 1, 1, 1, 1, 0, 1), (1, 1, 1, 1, 1, 1, 1, 9)))
        history += chance.choices(kinds, luck, k=chance.randint(1, 30))
    return history


@pytest.mark.parametrize("seed", range(20))
def test_a_run_becomes_due_only_by_a_match_that_brought_it_within_reach(seed: int) -> None:
    history = a_history(seed)
    for cut in range(len(history), 0, -1):
        before, now = (set(achievements.earned(history[first:], Totals(0), RUNS)) for first in (cut, cut - 1))
        assert now - before <= achievements.within_reach(history[cut - 1], Totals(len(history) - cut + 1))


def test_no_run_is_within_reach_of_too_few_matches_or_by_one_that_is_not_in_it() -> None:
    assert achievements.within_reach(WON, Totals(4)) == set()
    assert achievements.within_reach(WON, Totals(5)) == {Achievement.FLAWLESS_5}
    assert achievements.within_reach(LOST, Totals(3)) == {Achievement.TERRIBLE_GUESSER}
    assert achievements.within_reach(OTHERS_LEFT, Totals(99)) == set()


@pytest.mark.parametrize("key", RUNS)
def test_what_lies_before_matters_just_as_long_as_a_run_goes_on(key: Achievement) -> None:
    went_on = 0
    for history in map(a_history, range(20)):
        whole = achievements.progress(key, history, Totals(0))
        for cut in range(len(history)):
            if achievements.goes_on(key, history[:cut]):
                went_on += 1
            else:
                assert achievements.progress(key, history[:cut], Totals(0)) == whole
    assert went_on
