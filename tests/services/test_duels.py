"""Playing a duel through the services: secrets, turns, ends, what is written down, and bad luck of every kind (SPEC 17, issue 5)."""

from __future__ import annotations

from typing import Any

import gevent
import pytest

from guessio.engine.machine import Rejected
from guessio.engine.match.commands import Forfeit
from guessio.rules import clocks, tunables, week
from guessio.rules.terms import AccountId, DuelEnd, DuelPhase, EngagementKind, Mark, Outcome, Refusal, SeatNo, TableId
from guessio.services import (
    duel_exit,
    duel_history,
    duel_offers,
    duel_record,
    duel_results,
    duels,
    heartbeat,
    matchmaking,
    play,
    presence,
    results,
    shelf,
    sweep,
    tables,
)
from guessio.services.quits import Consequence
from guessio.services.results import Booked
from guessio.services.tables import Accepted
from guessio.store import codec, database, ratings, suspensions, workers
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import TRIO, an_account, counts
from tests.services.duels_kit import MINUTE, QUICK, TOTALS, Pair, agreed, bound, offer_of, saved_duel

pytestmark = pytest.mark.db


def refusal(outcome: Any) -> tuple[Refusal, str]:
    assert isinstance(outcome, Rejected), outcome
    return outcome.refusal, outcome.detail


def left(pair: Pair, account: AccountId, now_ms: int) -> int:
    return next(clocks.left_at(seat.clock, now_ms) for seat in pair.state.seats if seat.account == account)


# --- secrets -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("digits", "why"),
    [
        ("", (Refusal.EMPTY, "")),
        ("123", (Refusal.WRONG_LENGTH, "4")),
        ("12345", (Refusal.WRONG_LENGTH, "4")),
        ("12a4", (Refusal.NOT_DIGITS, "")),
        ("１２３４", (Refusal.NOT_DIGITS, "")),
    ],
)
def test_a_secret_of_bad_form_is_refused_and_the_clock_goes_on(time: FakeClock, digits: str, why: tuple[Refusal, str]) -> None:
    pair = Pair()
    time.advance(2_000)
    assert refusal(duels.set_secret(pair.ada, pair.id, digits)) == why
    time.advance(3_000)
    assert left(pair, pair.ada, time.now_ms) == MINUTE - 5_000


def test_a_repeat_is_refused_where_all_must_differ() -> None:
    pair = Pair(TOTALS)
    assert refusal(duels.set_secret(pair.ada, pair.id, "00417")) == (Refusal.REPEATED_DIGIT, "0")
    assert isinstance(duels.set_secret(pair.ada, pair.id, " 04172 "), Accepted)


def test_ready_twice_changes_nothing_and_another_secret_is_refused() -> None:
    pair = Pair()
    duels.set_secret(pair.ada, pair.id, "0000")
    again = duels.set_secret(pair.ada, pair.id, "0000")
    assert isinstance(again, Accepted)
    assert again.events == ()
    assert refusal(duels.set_secret(pair.ada, pair.id, "1111")) == (Refusal.SECRET_ALREADY_SET, "")
    assert pair.state.seats[0].secret == "0000"


# --- guesses -------------------------------------------------------------------------------------------------------------------


def test_a_guess_before_both_are_ready_is_refused() -> None:
    pair = Pair()
    duels.set_secret(pair.ada, pair.id, "1234")
    for actor in (pair.ada, pair.bo):
        assert refusal(duels.guess(actor, pair.id, 1, "5678")) == (Refusal.NOT_STARTED, "")


def test_out_of_turn_costs_nothing(time: FakeClock) -> None:
    """R17.4."""
    pair = Pair().ready()
    waiter = pair.waiter
    assert refusal(pair.guess("5678", waiter)) == (Refusal.NOT_YOUR_TURN, "")
    time.advance(1_000)
    assert left(pair, waiter, time.now_ms) == MINUTE
    assert pair.state.guesses == ()


def test_a_guess_counts_once_however_often_it_is_sent() -> None:
    """R1.12."""
    pair = Pair().ready()
    mover = pair.mover
    answers = [one.get() for one in gevent.joinall([gevent.spawn(duels.guess, mover, pair.id, 1, "0000") for _ in range(3)])]
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert len(pair.state.guesses) == 1
    assert refusal(duels.guess(mover, pair.id, 1, "0001")) == (Refusal.STALE_TURN, "")


def test_a_guess_may_repeat_digits_where_secrets_may_not() -> None:
    """R17.2."""
    pair = Pair(TOTALS).ready("01234", "56789")
    assert isinstance(pair.guess("11111"), Accepted)


def test_a_guess_after_the_end_is_refused() -> None:
    pair = Pair().ready().crack()
    for actor in (pair.ada, pair.bo):
        assert refusal(duels.guess(actor, pair.id, 2, "0000")) == (Refusal.ALREADY_OVER, "")
        assert refusal(duels.set_secret(actor, pair.id, "0000")) == (Refusal.ALREADY_OVER, "")


def test_a_stranger_gets_nothing_of_a_duel() -> None:
    pair = Pair().ready()
    zoe = an_account("zoe")
    assert duels.page(zoe, pair.id) is None
    assert duels.guess(zoe, pair.id, 1, "0000") is None
    assert duels.set_secret(zoe, pair.id, "0000") is None
    assert duels.resign(zoe, pair.id) is None
    assert duels.seen(zoe, pair.id, 1, "0.x") is None
    assert duels.page(pair.ada, TableId("nowhere")) is None


# --- ends, and what is written down --------------------------------------------------------------------------------------------


def test_breaking_the_secret_wins_and_is_written_down_once(time: FakeClock) -> None:
    pair = Pair().ready()
    winner, loser = pair.mover, pair.waiter
    time.advance(4_000)
    pair.crack()
    found, lines = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner, found.ended_ms - found.started_ms) == (DuelEnd.CRACKED, winner, 4_000)
    assert (lines[winner].outcome, lines[loser].outcome) == (Outcome.WIN, Outcome.LOSS)
    assert (lines[winner].guesses, lines[loser].guesses) == (1, 0)
    assert (bound(pair.ada), bound(pair.bo)) == (None, None)
    assert not duel_results.settle(pair.id)
    assert not results.settle(pair.id)
    assert saved_duel(pair.id) == (found, lines)


def test_no_points_rating_or_statistics_hang_on_a_duel(time: FakeClock) -> None:
    """R17.7."""
    pair = Pair()
    before = counts(pair.ada)
    pair.ready().crack()
    assert (counts(pair.ada), counts(pair.bo)) == (before, before)
    with database.read() as conn:
        assert all(one.ranked_played == 0 for one in ratings.of(conn, week.key(time.now_ms), [pair.ada, pair.bo]).values())


def test_a_clock_at_zero_loses_by_its_deadline(time: FakeClock) -> None:
    """R17.5: no polling: the table's own timer ends it, to the millisecond."""
    pair = Pair().ready()
    mover, waiter = pair.mover, pair.waiter
    assert tables.run_due(time.advance(MINUTE - 1)) == 0
    assert tables.run_due(time.advance(1)) == 1
    found, lines = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner) == (DuelEnd.FLAG, waiter)
    assert refusal(duels.guess(mover, pair.id, 1, "0000")) == (Refusal.TOO_LATE, "")


def test_a_guess_in_the_last_millisecond_counts_and_one_later_does_not(time: FakeClock) -> None:
    """R17.5: what reached the server before the flag."""
    pair = Pair().ready()
    time.advance(MINUTE - 1)
    assert isinstance(pair.guess("0000"), Accepted)
    time.advance(MINUTE)
    assert refusal(pair.guess("0000")) == (Refusal.TOO_LATE, "")
    assert pair.state.end is DuelEnd.FLAG


def test_two_who_never_choose_draw(time: FakeClock) -> None:
    """R17.5: the one draw."""
    pair = Pair()
    tables.run_due(time.advance(MINUTE))
    found, lines = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner) == (DuelEnd.DRAW_NO_SECRETS, None)
    assert {line.outcome for line in lines.values()} == {Outcome.DRAW}


def test_resigning_loses_once() -> None:
    pair = Pair()
    assert isinstance(duels.resign(pair.ada, pair.id), Accepted)
    again = duels.resign(pair.ada, pair.id)
    assert isinstance(again, Accepted)
    assert again.events == ()
    assert refusal(duels.resign(pair.bo, pair.id)) == (Refusal.ALREADY_OVER, "")
    found, _ = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner) == (DuelEnd.RESIGN, pair.bo)


def test_staying_away_beyond_the_grace_loses(time: FakeClock) -> None:
    """R17.6: presence reaches the duel."""
    pair = Pair(TOTALS).ready("01234", "56789")
    presence.departed(pair.waiter, time.now_ms)
    loser = pair.waiter
    tables.run_due(time.advance(tunables.AWAY_UNSEEN_MS))
    page = duels.page(loser, pair.id)
    assert page is not None
    assert page.was_away
    tables.run_due(time.advance(tunables.DUEL_GRACE_MS - tunables.AWAY_UNSEEN_MS))
    found, _ = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner != loser) == (DuelEnd.DISCONNECT, True)


def test_coming_back_in_time_goes_on(time: FakeClock) -> None:
    pair = Pair(TOTALS).ready("01234", "56789")
    presence.departed(pair.waiter, time.now_ms)
    tables.run_due(time.advance(tunables.DUEL_GRACE_MS - 1))
    presence.arrived(pair.waiter)
    tables.run_due(time.advance(2))
    assert pair.state.phase is DuelPhase.PLAYING


def test_what_a_crash_left_unwritten_the_sweep_writes_down(time: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair().ready()
    with monkeypatch.context() as broken:
        broken.setattr(codec, "encode", _after(codec.encode, 1))
        pair.crack()
    assert saved_duel(pair.id)[0] is None
    assert bound(pair.ada) == (EngagementKind.DUEL, pair.id)
    sweep.once()
    time.advance(sweep.SETTLE_AGAIN_MS + 1)
    sweep.once()
    assert saved_duel(pair.id)[0] is not None
    assert bound(pair.ada) is None


def _after(real: Any, times: int) -> Any:
    """`real` for so many calls, then a fault."""
    calls: list[int] = []

    def encode(value: Any) -> str:
        calls.append(1)
        if len(calls) > times:
            raise RuntimeError("the disk is full")
        return real(value)

    return encode


# --- bad luck ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_choosing", [True, False])
def test_a_restart_gives_the_downtime_back_to_whoever_ran(time: FakeClock, is_choosing: bool) -> None:
    """R1.13: both clocks while choosing, the mover's afterwards; 45 s away on a clock of 60 s flag nobody."""
    pair = Pair() if is_choosing else Pair().ready()
    with database.write() as conn:
        workers.enrol(conn, "before", time.now_ms + 10_000)
    tables.run_due(time.advance(10_000))
    ran = (pair.ada, pair.bo) if is_choosing else (pair.mover,)
    before = {one: left(pair, one, time.now_ms) for one in ran}
    assert set(before.values()) == {MINUTE - 10_000}
    shelf.clear()
    time.advance(45_000)
    assert heartbeat.begin() == (pair.id,)
    assert pair.state.phase is (DuelPhase.CHOOSING if is_choosing else DuelPhase.PLAYING)
    time.advance(tunables.RESUME_EXTRA_MS)
    assert {one: left(pair, one, time.now_ms) for one in ran} == before
    tables.run_due(time.advance(1_000))
    assert {one: left(pair, one, time.now_ms) for one in ran} == dict.fromkeys(ran, MINUTE - 11_000)
    heartbeat.end()


def test_the_end_of_the_week_means_nothing_to_a_duel(time: FakeClock) -> None:
    time.now_ms = week.ends(week.key(time.now_ms)) - 5_000
    pair = Pair().ready()
    time.advance(10_000)
    assert pair.state.phase is DuelPhase.PLAYING
    pair.crack()
    assert saved_duel(pair.id)[0] is not None


def test_an_account_that_is_suspended_or_deleted_has_resigned() -> None:
    pair = Pair().ready()
    duel_exit.leave(pair.ada)
    duel_exit.leave(pair.ada)
    found, _ = saved_duel(pair.id)
    assert found is not None
    assert (found.end, found.winner) == (DuelEnd.RESIGN, pair.bo)


def test_an_account_that_is_suspended_or_deleted_offers_nothing_any_more() -> None:
    ada = an_account("ada")
    duel_offers.make(ada, QUICK, is_public=True)
    duel_exit.leave(ada)
    assert (offer_of(ada), bound(ada)) == (None, None)


def test_a_suspension_for_quitting_ends_the_duel_that_one_plays_meanwhile() -> None:
    """R7.7: whoever forfeited a match of three may duel while it goes on, and may be suspended when it ends."""
    pair = Pair().ready()
    with database.write() as conn:
        suspensions.suspend(conn, pair.ada, "test", 1, 2**60, TableId("m0"))
    results._tell(Booked({}, (Consequence(pair.ada, results.QuitStep.SUSPEND),)))
    assert pair.state.end is DuelEnd.RESIGN
    assert pair.state.winner == SeatNo(1)


def test_a_duel_can_begin_while_a_forfeited_match_goes_on() -> None:
    """R3.6."""
    ada, bo, cy = (an_account(name) for name in ("ada", "bo", "cy"))
    for actor in (ada, bo, cy):
        matchmaking.search(actor, TRIO)
    table = play.find(ada)
    assert isinstance(table, str)
    tables.dispatch(TableId(table), Forfeit(ada))
    assert isinstance(duel_offers.make(ada, QUICK, is_public=True), str)


# --- what is seen --------------------------------------------------------------------------------------------------------------


def test_no_secret_of_the_opponent_is_seen_before_the_end_and_both_are_after_it() -> None:
    """R17.6."""
    pair = Pair().ready("1357", "2468")
    seen = {}
    for viewer, own, other in ((pair.ada, "1357", "2468"), (pair.bo, "2468", "1357")):
        page = duels.page(viewer, pair.id)
        assert page is not None
        assert other not in codec.encode(page)
        assert [lane.secret for lane in page.view.lanes] == [own, ""]
        seen[viewer] = page.record_url
    pair.crack()
    page = duels.page(pair.ada, pair.id)
    assert page is not None
    assert [lane.secret for lane in page.view.lanes] == ["1357", "2468"]
    assert page.record_url == f"/duels/history/{pair.id}"
    assert set(seen.values()) == {""}


def test_a_totals_only_view_has_no_positional_trace() -> None:
    """R17.3: two numbers, no marks anywhere, not even in the record."""
    pair = Pair(TOTALS).ready("01234", "56789")
    pair.guess("01567")
    for viewer in (pair.ada, pair.bo):
        page = duels.page(viewer, pair.id)
        assert page is not None
        rows = [row for lane in page.view.lanes for row in lane.rows]
        assert [(row.marks, row.exact is not None, row.misplaced is not None) for row in rows] == [(None, True, True)]
        assert {key.mark for key in page.view.keys} == {None}
    pair.crack_by_waiter()
    record = duel_record.find(pair.ada, pair.id)
    assert record is not None
    assert {move.marks for move in record.moves} == {None}
    text = codec.encode(record)
    assert not any(f'"{mark}"' in text for mark in Mark)


# --- history and record --------------------------------------------------------------------------------------------------------


def test_the_record_tells_the_duel_move_by_move(time: FakeClock) -> None:
    pair = Pair()
    time.advance(2_000)
    pair.ready("1234", "5678")
    first, second = pair.mover, pair.waiter
    time.advance(3_000)
    pair.guess("0000")
    time.advance(5_000)
    pair.guess("9999")
    time.advance(1_500)
    pair.crack()
    record = duel_record.find(second, pair.id)
    assert record is not None
    own, other = record.sides
    assert (own.person.account, own.is_own, own.outcome, own.guesses, own.went_first) == (second, True, Outcome.LOSS, 1, False)
    assert (other.person.account, other.is_winner, other.guesses, other.went_first) == (first, True, 2, True)
    assert {own.secret, other.secret} == {"1234", "5678"}
    assert [(move.digits, move.number, move.is_own) for move in record.moves[:2]] == [("0000", 1, False), ("9999", 1, True)]
    assert [move.at_ms for move in record.moves] == [5_000, 10_000, 11_500]
    assert [move.took_ms for move in record.moves] == [3_000, 5_000, 1_500]
    assert [move.left_ms for move in record.moves] == [MINUTE - 5_000, MINUTE - 7_000, MINUTE - 6_500]
    assert (own.used_ms, own.left_ms, other.used_ms) == (7_000, MINUTE - 7_000, 6_500)
    assert record.moves[2].marks == (Mark.RIGHT,) * 4
    assert record.winner_name == other.person.name
    assert record.duration_ms == 11_500


def test_what_the_loser_spent_on_a_move_never_made_is_not_on_the_clock_of_the_last_one(time: FakeClock) -> None:
    pair = Pair().ready()
    loser = pair.mover
    pair.guess("0000")
    time.advance(1_000)
    pair.guess("0000")
    time.advance(4_000)
    duels.resign(loser, pair.id)
    record = duel_record.find(loser, pair.id)
    assert record is not None
    assert [move.left_ms for move in record.moves] == [MINUTE, MINUTE - 1_000]
    assert record.sides[0].left_ms == MINUTE - 4_000


def test_a_record_is_for_its_two_players() -> None:
    pair = Pair().ready().crack()
    assert duel_record.find(an_account("zoe"), pair.id) is None
    assert duel_record.find(pair.ada, TableId("nowhere")) is None


def test_the_history_lists_the_newest_first_and_can_be_narrowed(time: FakeClock) -> None:
    pair = Pair().ready().crack()
    winner, loser = (pair.ada, pair.bo) if pair.state.winner == SeatNo(0) else (pair.bo, pair.ada)
    time.advance(60_000)
    second = agreed(winner, loser, TOTALS)
    time.advance(1_000)
    duels.resign(winner, second)
    time.advance(5_000)
    page = duel_history.page(winner, "", "")
    assert [entry.duel for entry in page.entries] == [second, pair.id]
    (newest, _) = page.entries
    assert (newest.outcome, newest.end, newest.terms, newest.ago_ms) == (Outcome.LOSS, DuelEnd.RESIGN, TOTALS, 5_000)
    assert (newest.opponent.account, newest.url) == (loser, f"/duels/history/{second}")
    assert [entry.duel for entry in duel_history.page(winner, "wins", "1").entries] == [pair.id]
    assert [entry.duel for entry in duel_history.page(winner, "losses", "x").entries] == [second]
    assert duel_history.page(winner, "", "2").entries == ()
    assert len(duel_history.recent(loser, 1)) == 1


def test_the_history_has_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "HISTORY_PAGE_SIZE", 1)
    ada, bo = an_account("ada"), an_account("bo")
    for _ in range(2):
        duels.resign(ada, agreed(ada, bo))
    page = duel_history.page(ada, "all", "2")
    assert (len(page.entries), page.newer, page.older) == (1, 1, None)
    assert duel_history.page(ada, "all", "1").older == 2
