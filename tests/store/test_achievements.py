"""Unlocking: what was unlocked before is passed over, the rest is told in the order asked for."""

from __future__ import annotations

import pytest

from guessio.store import achievements, database
from tests.services.crowd import an_account

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("app")]


def test_what_is_unlocked_already_is_neither_told_nor_touched() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    with database.write() as conn:
        assert achievements.unlock(conn, ada, ("veteran",), 1, None) == ("veteran",)
        assert achievements.unlock(conn, bo, (), 2, None) == ()
        assert achievements.unlock(conn, ada, ("welcome", "veteran", "newbie"), 3, None) == ("welcome", "newbie")
        assert achievements.unlock(conn, ada, ("newbie", "welcome"), 4, None) == ()
        times = {name: one.unlocked_ms for name, one in achievements.of(conn, ada).items()}
        assert times == {"veteran": 1, "welcome": 3, "newbie": 3}
        assert achievements.names(conn, (ada, bo)) == {ada: {"veteran", "welcome", "newbie"}, bo: frozenset()}
