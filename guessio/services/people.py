"""A person (or bot) as every screen shows one: the five facts that stand wherever a name stands."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import AccountId


@dataclass(frozen=True, slots=True)
class Person:
    """One account beside which a small "bot" label stands when `is_bot` (R3.3). `avatar_url` is empty for initials."""

    account: AccountId
    username: str
    name: str
    avatar_url: str
    is_bot: bool
