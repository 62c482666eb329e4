"""Counts the streams of each account in this process. Signatures first."""

from __future__ import annotations

from guessio.rules.terms import AccountId


def start() -> None:
    """Begin to report streams that open and close to `services.presence`."""
    raise NotImplementedError


def opened(account: AccountId) -> None:
    """A stream of the account has opened."""
    raise NotImplementedError


def closed(account: AccountId) -> None:
    """A stream of the account has closed; told on only when none follows within a moment."""
    raise NotImplementedError
