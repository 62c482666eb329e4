"""Drawing all the randomness of a match in one go, before it starts (R1.1, R1.3, R6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from guessio.engine.match.state import Deal
from guessio.rules import codes, rounds, tunables
from guessio.rules.terms import Skill

SEED_BYTES = 32


def draw(
    pick: Callable[[int], int],
    token: Callable[[int], str],
    players: int,
    skills: Sequence[Skill] = tuple(Skill),
) -> Deal:
    """A deal for a match of `players` seats.

    `pick(n)` gives an int in range(n) and `token(n)` n bytes as hexadecimal text; both from `secrets` in play.
    `skills` are those from which one is chosen for a player who does not pick in time.
    """
    length = rounds.code_length(players)
    each_round = range(tunables.ROUNDS_MAX)
    return Deal(
        codes=tuple(codes.make(length, pick) for _ in each_round),
        nonces=tuple(token(tunables.NONCE_BITS // 8) for _ in each_round),
        reveal_orders=tuple(_shuffled(length, pick) for _ in each_round),
        fallback_skills=tuple(skills[pick(len(skills))] for _ in range(players)),
        seed=token(SEED_BYTES),
    )


def _shuffled(length: int, pick: Callable[[int], int]) -> tuple[int, ...]:
    rest = list(range(length))
    return tuple(rest.pop(pick(len(rest))) for _ in range(length))
