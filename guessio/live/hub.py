"""Every open stream of this process, and what each is sent. Signatures first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flask import Flask

from guessio.rules.terms import AccountId


def start(app: Flask) -> None:
    """Begin to beat, and to listen for ended sessions. bootstrap calls it after `tables.start(app)`."""
    raise NotImplementedError


def stop() -> None:
    """End every stream at once with a hint to reconnect after a random while: call it when the worker must go (SIGTERM)."""
    raise NotImplementedError


def on_open(catch_up: Callable[[AccountId, Mapping[str, str]], Iterable[Any]]) -> None:
    """Register `catch_up(account, query)`: the account messages that a page may have missed before its stream opened.

    Called after the stream listens, with the query of `/live`, so that nothing falls between. The search page opens
    `/live?page=search`, for which the hub itself answers `Navigate` when the account sits at a table by then.
    """
    raise NotImplementedError
