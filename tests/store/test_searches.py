"""Lines that change at once and keep out of each other's way (R3.1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from guessio.store import database, searches
from tests.services.crowd import DUO, TRIO

pytestmark = [pytest.mark.db, pytest.mark.postgres, pytest.mark.usefixtures("app")]

duo, trio = (partial(searches.hold_group, group=group) for group in (DUO, TRIO))


def must_wait(take: Callable[[Connection], None]) -> bool:
    """Whether somebody else keeps this lock."""
    try:
        with database.write() as conn:
            conn.execute(text("SET LOCAL lock_timeout = '20ms'"))
            take(conn)
    except OperationalError as error:
        return isinstance(error.orig, LockNotAvailable)
    return False


def test_who_holds_a_group_keeps_out_of_it_and_holds_up_whoever_wants_all_but_no_other_group() -> None:
    with database.write() as conn:
        duo(conn)
        assert (must_wait(duo), must_wait(searches.hold), must_wait(trio)) == (True, True, False)
    assert not must_wait(duo)


def test_who_holds_all_keeps_everybody_out_of_each() -> None:
    with database.write() as conn:
        searches.hold(conn)
        assert (must_wait(duo), must_wait(trio), must_wait(searches.hold)) == (True, True, True)
    assert not must_wait(searches.hold)
