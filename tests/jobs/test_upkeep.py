"""What is tidied up in the background (R7.7, R12.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from guessio.rules.terms import TableId, TableKind
from guessio.services import results, tables, upkeep
from guessio.store import accounts, database
from guessio.store import tables as table_rows
from tests.kit.actors import Play
from tests.kit.fake_clock import FakeClock
from tests.services.crowd import an_account, lines, played, seated

pytestmark = pytest.mark.db


def test_a_suspension_ends_by_itself(fake_clock: FakeClock, app: Flask) -> None:
    ada = an_account("ada", state="suspended", state_reason="x", suspended_until_ms=fake_clock.now_ms)
    bo = an_account("bo", state="suspended", suspended_until_ms=fake_clock.now_ms + 1)
    cy = an_account("cy", state="suspended")
    assert upkeep.tidy()
    with database.read() as conn:
        states = [accounts.find(conn, one).state for one in (ada, bo, cy)]  # pyright: ignore[reportOptionalMemberAccess]
    assert states == ["active", "suspended", "suspended"]


def test_an_old_table_goes_once_it_is_settled_and_its_record_stays(fake_clock: FakeClock, app: Flask) -> None:
    ada, _ = seated()
    play = Play.in_round(2)
    play.forfeit(1)
    fake_clock.now_ms = play.now_ms + upkeep.KEPT_MS * 2
    table = played(play)
    running = replace(Play.in_round(2).state, id=TableId("running"))
    tables.create(TableKind.MATCH, running)
    upkeep.tidy()
    with database.read() as conn:
        assert table_rows.find(conn, table) is not None, "an unsettled table is kept"
    results.settle(table)
    upkeep.tidy()
    with database.read() as conn:
        assert table_rows.find(conn, table) is None
        assert table_rows.find(conn, running.id) is not None
    assert ada in lines(table)
