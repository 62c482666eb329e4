"""R6.2: when a skill can be used."""

from __future__ import annotations

import pytest

from guessio.rules import skills
from guessio.rules.terms import Refusal, SeatNo

A, B, C = (SeatNo(number) for number in range(3))


@pytest.mark.parametrize(
    ("left", "armed", "refusal"),
    [(2, False, None), (1, False, Refusal.LAST_GUESS_LEFT), (5, True, Refusal.SKILL_ACTIVE)],
)
def test_extra_turn(left: int, armed: bool, refusal: Refusal | None) -> None:
    assert skills.extra_turn(left, armed) is refusal


@pytest.mark.parametrize(
    ("target", "left", "frozen", "refusal"),
    [
        (B, (), (), None),
        (None, (), (), Refusal.TARGET_NEEDED),
        (A, (), (), Refusal.TARGET_NOT_OPPONENT),
        (SeatNo(7), (), (), Refusal.TARGET_NOT_OPPONENT),
        (B, (B,), (), Refusal.TARGET_LEFT),
        (B, (), (B,), Refusal.TARGET_FROZEN),
    ],
)
def test_freeze(target: SeatNo | None, left: tuple[SeatNo, ...], frozen: tuple[SeatNo, ...], refusal: Refusal | None) -> None:
    assert skills.freeze(A, target, (B, C), left, frozen) is refusal


def test_a_freeze_that_has_yet_to_bite_is_not_repeated() -> None:
    assert skills.freeze(A, C, (B, C), (), (), pending=True) is Refusal.SKILL_ACTIVE


def test_xray() -> None:
    assert skills.xray(A, B, (B, C), (), ()) is None
    assert skills.xray(A, B, (B, C), (), (B,)) is Refusal.TARGET_WATCHED
    assert skills.xray(A, A, (B, C), (), ()) is Refusal.TARGET_NOT_OPPONENT


def test_reveal_takes_the_first_unknown_place() -> None:
    assert skills.reveal((2, 0, 1, 3), {2}) == 0
    assert skills.reveal((1, 0), {0, 1}) is None
