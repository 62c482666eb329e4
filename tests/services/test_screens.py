"""What Home, profiles and achievements are given (R9.6, R9.8, R10, R11.1, R11.2, R7.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guessio.rules import tunables, week
from guessio.rules.achievements import Achievement
from guessio.rules.terms import EngagementKind, MatchType
from guessio.services import achievements, home, matchmaking, profiles
from guessio.store import achievements as unlocked
from guessio.store import database, ratings, statistics
from guessio.store.ratings import Standing
from guessio.store.statistics import Statistics
from tests.kit.actors import Play
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import DUO, an_account, seated, settled

pytestmark = pytest.mark.db


def rate(one: int, value: int, played: int, at_ms: int) -> None:
    with database.write() as conn:
        ratings.save(conn, week.key(at_ms), {one: Standing(value, played)})  # pyright: ignore[reportArgumentType]


def count(one: int, counts: Statistics) -> None:
    with database.write() as conn:
        statistics.save(conn, {one: counts})  # pyright: ignore[reportArgumentType]


def test_home_of_a_newcomer(time: FakeClock) -> None:
    page = home.page(an_account("ada"))
    assert (page.rating, page.rank, page.ranked_missing) == (0, None, tunables.RANK_UNLOCK_MATCHES)
    assert (page.played, page.win_rate, page.recent, page.legends, page.return_to) == (0, 0, (), (), None)
    assert page.resets_in_ms == week.ends(week.key(time.now_ms)) - time.now_ms


def test_legends_are_the_weeks_first_three_ties_to_the_older_account(time: FakeClock) -> None:
    crowd = []
    for name in ("ada", "bo", "cy", "di", "ed"):
        crowd.append(an_account(name))
        time.advance(1)
    for one, value in zip(crowd, (100, 300, 300, 200, 900), strict=True):
        rate(one, value, tunables.RANK_UNLOCK_MATCHES, time.now_ms)
    rate(crowd[4], 900, tunables.RANK_UNLOCK_MATCHES - 1, time.now_ms)
    page = home.page(crowd[0])
    assert [(legend.rank, legend.person.username) for legend in page.legends] == [(1, "bo"), (2, "cy"), (3, "di")]
    assert (page.rank, page.ranked_missing) == (4, 0)
    assert (home.page(crowd[4]).rank, home.page(crowd[4]).ranked_missing) == (None, 1)


@pytest.mark.parametrize("columns", [{"state": "suspended"}, {"state": "banned"}, {"state": "deleted"}])
def test_only_active_accounts_are_ranked(time: FakeClock, columns: dict[str, str]) -> None:
    ada, bo = an_account("ada", **columns), an_account("bo")
    for one, value in ((ada, 500), (bo, 100)):
        rate(one, value, tunables.RANK_UNLOCK_MATCHES, time.now_ms)
    assert [legend.person.username for legend in home.legends(None, time.now_ms)] == ["bo"]


def test_a_new_week_begins_at_zero(time: FakeClock) -> None:
    ada = an_account("ada")
    rate(ada, 500, 5, time.now_ms)
    time.now_ms = week.ends(week.key(time.now_ms))
    page = home.page(ada)
    assert (page.rating, page.rank, page.legends) == (0, None, ())


def test_home_leads_back_to_a_search_and_then_to_the_match() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    matchmaking.search(ada, DUO)
    back = home.return_to(ada)
    assert back is not None
    assert (back.kind, back.url, back.abandon_url) == (EngagementKind.SEARCH, "/search", "")
    matchmaking.search(bo, DUO)
    back = home.return_to(ada)
    assert back is not None
    assert (back.kind, back.type, back.players) == (EngagementKind.MATCH, MatchType.CASUAL, 2)
    assert back.abandon_url == f"{back.url}/forfeit"


def test_home_warns_after_ranked_quits_in_a_row() -> None:
    ada = an_account("ada")
    assert not home.page(ada).warned_of_quitting
    count(ada, Statistics(quits_in_row=tunables.QUITS_TO_WARN))
    assert home.page(ada).warned_of_quitting


def test_the_win_rate_is_won_of_played() -> None:
    assert [profiles.win_rate(Statistics(won=won, played=played)) for won, played in ((0, 0), (1, 3), (2, 3), (1, 200), (5, 5))] == [
        0,
        33,
        67,
        1,
        100,
    ]


def test_ones_own_profile_has_all_badges_and_others_see_the_unlocked() -> None:
    ada, bo = seated()
    play = Play.in_round(2)
    play.win_round(0)
    play.next_round()
    settled(play.win_round(0))
    own = profiles.own(ada)
    assert (own.is_own, own.played, own.won, own.win_rate, len(own.badges), len(own.recent)) == (True, 1, 1, 100, 16, 1)
    seen = profiles.public("ADA", bo)
    assert seen is not None
    assert (seen.is_own, seen.recent) == (False, ())
    assert {badge.key for badge in seen.badges} >= {Achievement.WELCOME, Achievement.NEWBIE}
    assert all(badge.unlocked for badge in seen.badges)
    assert seen == replace(seen, person=own.person)


def test_a_profile_that_is_gone_is_not_found() -> None:
    an_account("ada", state="deleted")
    assert profiles.public("ada", None) is None
    assert profiles.public("nobody", None) is None


def test_top_status_needs_rank_ten_and_ten_ranked_matches(time: FakeClock) -> None:
    ada = an_account("ada")
    rate(ada, 500, 3, time.now_ms)
    count(ada, Statistics(ranked_played=tunables.TOP_STATUS_MATCHES - 1))
    assert profiles.own(ada).top_rank is None
    count(ada, Statistics(ranked_played=tunables.TOP_STATUS_MATCHES))
    assert profiles.own(ada).top_rank == 1


def test_looking_at_achievements_checks_them_and_seeing_takes_the_mark_off(time: FakeClock) -> None:
    ada = an_account("ada")
    count(ada, Statistics(played=tunables.REGULAR_MATCHES))
    page = achievements.page(ada)
    new = {badge.key for badge in page.badges if badge.is_new}
    assert new == {Achievement.WELCOME, Achievement.REGULAR}
    assert {badge.month for badge in page.badges if badge.unlocked} == {f"{week.day(time.now_ms):%b %Y}"}
    achievements.acknowledge(ada)
    page = achievements.page(ada)
    assert not page.has_new
    assert (page.card.unlocked, page.card.total) == (2, 16)
    assert page.card.next_badge is not None
    assert page.card.next_badge.key == Achievement.CENTURION


def test_an_unlock_stays_when_its_cause_is_gone(time: FakeClock) -> None:
    ada = an_account("ada")
    with database.write() as conn:
        unlocked.unlock(conn, ada, [Achievement.FLAWLESS_5], time.now_ms, None)
    badge = next(badge for badge in achievements.page(ada).badges if badge.key == Achievement.FLAWLESS_5)
    assert badge.unlocked
