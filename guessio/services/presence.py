"""Whether an account has a live connection anywhere, told to the table that it plays at (R5.1). Signatures first."""

from __future__ import annotations

from collections.abc import Callable

from guessio.rules.terms import AccountId


def on_search(away: Callable[[AccountId, int], None], back: Callable[[AccountId], None]) -> None:
    """Register what happens to a search when its account has no stream since a moment, and when it has one again (R3.8).

    `away(account, since_ms)` and `back(account)` are called when the account's engagement is a search.
    """
    raise NotImplementedError


def is_present(account: AccountId) -> bool:
    """Whether the account has a stream open on any worker."""
    raise NotImplementedError
