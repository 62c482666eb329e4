"""R17.3, R17.6: what each may see."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from guessio.rules.terms import DuelFormat, Mark, Refusal
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel

R, E, X = Mark.RIGHT, Mark.ELSEWHERE, Mark.ABSENT


def everything_in(value: Any) -> list[Any]:
    """Every plain value inside a view, however deep."""
    if is_dataclass(value):
        return [inner for one in fields(value) for inner in everything_in(getattr(value, one.name))]
    if isinstance(value, tuple):
        return [inner for one in value for inner in everything_in(one)]
    return [value]


def test_secrets_stay_hidden_until_the_end() -> None:
    table = Duel().ready("0417", "9935")
    table.guess(ANN, "5678")
    assert "9935" not in everything_in(table.view(ANN))
    assert "0417" not in everything_in(table.view(BEN))
    assert not {"0417", "9935"} & set(map(str, everything_in(table.view(STRANGER))))
    assert (table.view(ANN).lanes[0].secret, table.view(ANN).lanes[1].secret) == ("0417", "")
    table.resign(BEN)
    for viewer in (ANN, BEN, STRANGER):
        assert {lane.secret for lane in table.view(viewer).lanes} == {"0417", "9935"}


def test_both_see_all_guesses_with_their_marks() -> None:
    table = Duel().ready("1234", "5678")
    table.guess(ANN, "5786")
    table.guess(BEN, "1111")
    ann, ben = table.view(ANN), table.view(BEN)
    assert ann.lanes == tuple(lane for lane in (ann.lanes[0], ann.lanes[1]))
    assert ann.lanes[0].rows == ben.lanes[1].rows
    assert ann.lanes[1].rows == ben.lanes[0].rows
    assert ann.lanes[0].rows[0].marks == (R, E, E, E)
    assert ann.lanes[1].rows[0].marks == (R, X, X, X)
    assert ann.lanes[0].rows[0].exact is None


def test_the_keypad_is_coloured_from_ones_own_guesses() -> None:
    table = Duel().ready("1234", "5678")
    table.guess(ANN, "5786")
    table.guess(BEN, "9999")
    marks = {key.digit: key.mark for key in table.view(ANN).keys}
    assert (marks["5"], marks["7"], marks["9"]) == (R, E, None)
    assert {key.mark for key in table.view(STRANGER).keys} == {None}


@pytest.mark.parametrize("over", [False, True])
def test_totals_only_leaves_no_trace_of_places(over: bool) -> None:
    table = Duel(length=5, form=DuelFormat.TOTALS_ONLY).ready("11234", "60671")
    table.guess(ANN, "67106")
    table.guess(BEN, "43211")
    if over:
        table.resign(ANN)
    for viewer in (ANN, BEN, STRANGER):
        view = table.view(viewer)
        assert view.totals_only
        assert not [value for value in everything_in(view) if isinstance(value, Mark)]
    row = table.view(BEN).lanes[0].rows[0]
    assert (row.exact, row.misplaced, row.marks) == (1, 4, None)


def test_totals_only_views_tell_two_orders_of_marks_apart_by_nothing() -> None:
    """Two guesses with the same totals but other places give the very same row but for their digits."""
    rows = []
    for guess in ("1000", "0010"):
        table = Duel(form=DuelFormat.TOTALS_ONLY).ready("9999", "1234")
        table.guess(ANN, guess)
        rows.append(table.view(ANN).lanes[0].rows[0])
    table = Duel(form=DuelFormat.TOTALS_ONLY).ready("9999", "1234")
    table.guess(ANN, "0200")
    same = table.view(ANN).lanes[0].rows[0]
    assert (rows[0].exact, rows[0].misplaced) == (1, 0) == (same.exact, same.misplaced)
    assert (rows[1].exact, rows[1].misplaced) == (0, 1)


def test_flags_say_what_can_be_done() -> None:
    table = Duel()
    view = table.view(ANN)
    assert (view.can_set_secret, view.can_guess, view.can_resign, view.why_not) == (True, False, True, Refusal.NOT_STARTED)
    table.secret(ANN, "1234")
    assert not table.view(ANN).can_set_secret
    assert table.view(BEN).lanes[1].is_ready
    table.secret(BEN, "5678")
    assert table.view(ANN).can_guess
    assert table.view(BEN).why_not is Refusal.NOT_YOUR_TURN
    view = table.view(STRANGER)
    assert (view.can_set_secret, view.can_guess, view.can_resign, view.own_seat) == (False, False, False, None)
    table.resign(BEN)
    view = table.view(ANN)
    assert (view.can_guess, view.can_resign, view.is_own_win, view.winner_name, view.is_draw) == (False, False, True, "Ann", False)
    assert [lane.is_winner for lane in table.view(BEN).lanes] == [False, True]


def test_a_draw_is_nobodys_win() -> None:
    table = Duel()
    table.wait(60_000)
    view = table.view(ANN)
    assert (view.is_draw, view.is_own_win, view.winner_name) == (True, False, "")


def test_clocks_are_shown_with_what_is_left_now() -> None:
    table = Duel().ready()
    table.wait(12_000)
    own, other = table.view(ANN).lanes
    assert (own.clock_ms, own.clock_runs, own.on_move, own.used_ms) == (49_000, True, True, 11_000)
    assert (other.clock_ms, other.clock_runs, other.on_move, other.used_ms) == (58_000, False, False, 2_000)


def test_rows_are_numbered_for_each_player() -> None:
    table = Duel().ready()
    for number in range(6):
        table.guess((ANN, BEN)[number % 2], "0000")
    for lane in table.view(ANN).lanes:
        assert [row.number for row in lane.rows] == [1, 2, 3]
    keys = [row.key for lane in table.view(ANN).lanes for row in lane.rows]
    assert len(set(keys)) == 6
