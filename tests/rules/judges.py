"""How each vector file is judged: what the product says to a case, to be compared with what the case expects."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from guessio.rules import achievements, codes, daily, feedback, points, rating
from guessio.rules.achievements import MatchFacts, RoundFacts, Totals
from guessio.rules.terms import Difficulty, Mark, MatchType, Outcome, Refusal

Case = dict[str, Any]

LETTERS = {Mark.RIGHT: "g", Mark.ELSEWHERE: "a", Mark.ABSENT: "x"}
HARDCORE_LETTERS = {Mark.PRESENT: "i", Mark.ABSENT: "o"}


def letters(marks: tuple[Mark, ...]) -> str:
    """Standard marks as the vectors write them."""
    return "".join(LETTERS[mark] for mark in marks)


def match_type(case: Case) -> MatchType:
    """The type of a case's match. Practice never reaches the server; like Custom it is worth nothing (SPEC 2)."""
    return MatchType.CUSTOM if case["match_type"] == "practice" else MatchType(case["match_type"])


def marking(case: Case) -> None:
    """R1.7, R17.3."""
    marks = feedback.marks(case["secret"], case["guess"])
    assert letters(marks) == case["marks"]
    assert feedback.totals(marks) == (case["exact"], case["misplaced"])
    if case["hardcore"] is not None:
        hardcore = feedback.marks(case["secret"], case["guess"], Difficulty.HARDCORE)
        assert "".join(HARDCORE_LETTERS[mark] for mark in hardcore) == case["hardcore"]


def guess_validation(case: Case) -> None:
    """R1.6, R17.2."""
    raw = case["raw"]
    if "raw_repeat" in case:
        raw = raw * case["raw_repeat"]
    distinct = case["mode"] == "guessio" or (case["mode"] == "duel_all_different" and case["kind"] == "secret")
    expected = None if case["reason"] is None else Refusal(case["reason"])
    assert codes.validate(raw, case["length"], distinct=distinct) is expected
    assert (expected is None) is case["valid"]


def points_after_match(case: Case) -> None:
    """SPEC 8, R7.5, R7.6."""
    for player, expected in zip(case["players"], case["expected"], strict=True):
        delta = points.after_match(
            match_type(case),
            Difficulty(case["difficulty"]),
            _outcome(case, player["id"]),
            player["points"],
            player["forfeited"],
        )
        assert player["id"] == expected["id"]
        assert (delta, player["points"] + delta) == (expected["delta"], expected["after"])


def rating_after_match(case: Case) -> None:
    """R9.1 to R9.4, R7.6."""
    players = [
        rating.Rated(one["rating"], one["rounds_won"], one["won_match"], one["connected"], one["forfeited"]) for one in case["players"]
    ]
    cancelled = case["ended"] == "cancelled"
    changes = rating.after_match(match_type(case), cancelled, case["lobby_size"], players)
    for player, change, expected in zip(case["players"], changes, case["expected"], strict=True):
        assert player["id"] == expected["id"]
        assert change.raw == pytest.approx(expected["raw"], abs=1e-4)
        assert (change.change, change.applied, change.after) == (
            expected["change"],
            expected["applied"],
            expected["after"],
        )


def achievements_over_history(case: Case) -> None:
    """SPEC 10: judged after every saved match, and once more for the daily streak, as the product does."""
    history = [_facts(one) for one in case["history"] for _ in range(one.get("times", 1))]
    unlocked_at: dict[achievements.Achievement, int | None] = {}
    for number in range(1, len(history) + 1):
        for key in achievements.earned(history[number - 1 :: -1], Totals(played=number)):
            unlocked_at.setdefault(key, number)
    streak = case["daily_streak_best"]
    for key in achievements.earned(history[::-1], Totals(played=len(history), best_daily_streak=streak)):
        unlocked_at.setdefault(key, None)
    ordered = [key for key in achievements.Achievement if key in unlocked_at]
    assert [achievements.TITLES[key] for key in ordered] == case["expected"]["unlocked"]
    assert {achievements.TITLES[key]: unlocked_at[key] for key in ordered} == case["expected"]["unlocked_at"]


def daily_diary(case: Case) -> None:
    """SPEC 14."""
    diary = daily.Diary(points=case["points"])
    refused: list[int] = []
    started_ms = 0
    for index, (time, action, *took) in enumerate(case["events"]):
        now_ms = _ms(time)
        if action == "start":
            started_ms = now_ms
            after = daily.start(diary, now_ms)
        else:
            after = daily.finish(diary, started_ms, now_ms, *took)
        if after is None:
            refused.append(index)
        else:
            diary = after
    summary = daily.summary(diary, _ms(case["now"]))
    assert {
        "time_to_beat_ms": summary.time_to_beat_ms,
        "streak_days": summary.streak_days,
        "calendar": {day.isoformat(): colour.value for day, colour in summary.calendar.items()},
        "passed_today": summary.passed_today,
        "retry_offered": summary.retry_offered,
        "retry_enabled": summary.retry_enabled,
        "points": diary.points,
        "refused": refused,
    } == case["expected"]


def retry(case: Case) -> None:
    """R14.3: what a retry of the Daily Challenge costs."""
    now_ms = _ms("2026-11-04T12:00:00Z")
    day_before, day = daily.Attempt(daily.day(now_ms - 86_400_000), 0, 1_000), daily.Attempt(daily.day(now_ms), 0, 2_000)
    after = daily.start(daily.Diary(case["points"], (day_before, day)), now_ms)
    assert (after is not None) is case["allowed"]
    assert (case["points"] if after is None else after.points) == case["after"]


def _outcome(case: Case, player: str) -> Outcome:
    if case["ended"] == "cancelled":
        return Outcome.CANCELLED
    if case["winner"] is None:
        return Outcome.DRAW
    return Outcome.WIN if case["winner"] == player else Outcome.LOSS


def _facts(match: Case) -> MatchFacts:
    absences = ("i_left", "other_left", "i_away_at_end", "other_away_at_end")
    cancelled = match["ended"] == "cancelled"
    return MatchFacts(
        outcome=Outcome.CANCELLED if cancelled else Outcome(match["result"]),
        difficulty=Difficulty(match["difficulty"]),
        absent=match["i_left"] or match["i_away_at_end"],
        full=not cancelled and not any(match[absence] for absence in absences),
        duration_ms=round(match["duration_s"] * 1000),
        rounds=tuple(RoundFacts(one["won_by_me"], one["my_guesses"], round(one["duration_s"] * 1000)) for one in match["rounds"]),
    )


def _ms(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1000)
