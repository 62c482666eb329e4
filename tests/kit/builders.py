"""Matches in any situation, in one line."""

from __future__ import annotations

import random
from collections.abc import Sequence

from guessio.engine import match
from guessio.engine.match import NewSeat
from guessio.engine.match.state import Deal, MatchState
from guessio.rules.terms import AccountId, Difficulty, MatchType, Skill, TableId

START_MS = 1_000_000
NAMES = ("ada", "bo", "cy", "di")
CODES = {2: ("1234", "5678", "9012"), 3: ("12345", "67890", "24680"), 4: ("123456", "678901", "246801")}


def account(seat: int) -> AccountId:
    """The account that the builders put into a seat."""
    return AccountId(101 + seat)


def a_deal(
    players: int = 2, codes: Sequence[str] | None = None, skills: Sequence[Skill] = (), reveal_order: Sequence[int] = (), seed: str = "ab"
) -> Deal:
    """A deal with known codes, and known fall-back skills where `skills` names them."""
    length = len(CODES[players][0])
    order = tuple(reveal_order) or tuple(range(length))
    fallbacks = tuple(skills) or tuple(Skill.REVEAL for _ in range(players))
    return Deal(
        codes=tuple(codes or CODES[players]),
        nonces=tuple(f"{number:032x}" for number in (1, 2, 3)),
        reveal_orders=(order, order, order),
        fallback_skills=fallbacks,
        seed=seed * (64 // len(seed)),
    )


def a_random_deal(players: int, chance: random.Random) -> Deal:
    """A deal as the service draws it, from a seeded generator."""
    return match.draw(chance.randrange, lambda size: chance.randbytes(size).hex(), players)


def a_match(
    players: int = 2,
    *,
    skills: Sequence[Skill] | None = None,
    difficulty: Difficulty = Difficulty.STANDARD,
    type: MatchType = MatchType.CASUAL,
    bots: Sequence[int] = (),
    deal: Deal | None = None,
    at_ms: int = START_MS,
) -> MatchState:
    """A match just made: counting down, or with `skills` picking them (R1.10, R6.1)."""
    seats = tuple(
        NewSeat(account(seat), NAMES[seat], NAMES[seat].title(), f"/avatars/{NAMES[seat]}.svg", seat in bots, 1000 + seat)
        for seat in range(players)
    )
    dealt = deal or a_deal(players, skills=skills or ())
    return match.new(TableId("m1"), type, difficulty, skills is not None, seats, dealt, at_ms).state
