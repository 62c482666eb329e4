"""Tips and introductions that are shown once (R6.3)."""

from __future__ import annotations

from enum import StrEnum

from guessio.rules.terms import AccountId
from guessio.store import database, tips


class Tip(StrEnum):
    """What is explained once."""

    WELCOME = "welcome"
    SKILLS = "skills"


def first_time(account: AccountId, tip: Tip) -> bool:
    """Whether the account is about to see this for the first time; from now on it has seen it."""
    with database.read() as conn:
        if tip in tips.seen(conn, account):
            return False
    with database.write() as conn:
        return tips.mark(conn, account, tip)
