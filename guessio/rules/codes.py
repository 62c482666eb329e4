"""The secret: making a code, committing to it, and judging the text of a guess or secret (R1.1, R1.3, R1.6, R17.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from guessio.rules.terms import Refusal

DIGITS = "0123456789"


def validate(raw: object, length: int, *, distinct: bool = True) -> Refusal | None:
    """The first reason why `raw` is no code of `length` ASCII digits, all different if `distinct`; None when it is one.

    Nothing is trimmed or converted here: Unicode digits and surrounding blanks are refused (R1.6).
    """
    if not isinstance(raw, str):
        return Refusal.NOT_TEXT
    if not raw:
        return Refusal.EMPTY
    if len(raw) != length:
        return Refusal.WRONG_LENGTH
    if any(char not in DIGITS for char in raw):
        return Refusal.NOT_DIGITS
    if distinct and repeated(raw):
        return Refusal.REPEATED_DIGIT
    return None


def repeated(raw: str) -> str:
    """The first digit that comes a second time, for the wording of the refusal; empty when there is none."""
    seen: set[str] = set()
    for char in raw:
        if char in seen and char in DIGITS:
            return char
        seen.add(char)
    return ""


def detail(refusal: Refusal, raw: str, length: int) -> str:
    """What completes the wording of a refusal by `validate`: the repeated digit, or the length that is wanted."""
    match refusal:
        case Refusal.REPEATED_DIGIT:
            return repeated(raw)
        case Refusal.WRONG_LENGTH:
            return str(length)
        case _:
            return ""


def make(length: int, pick: Callable[[int], int], *, distinct: bool = True) -> str:
    """A code of `length` digits, all equally likely if `pick(n)` is uniform in range(n) (R1.1).

    Different digits by default (Fisher–Yates); `distinct=False` draws each digit for itself (R17.2).
    """
    if not distinct:
        return "".join(DIGITS[pick(len(DIGITS))] for _ in range(length))
    rest = list(DIGITS)
    for place in range(length):
        chosen = place + pick(len(rest) - place)
        rest[place], rest[chosen] = rest[chosen], rest[place]
    return "".join(rest[:length])


def commitment(code: str, nonce: str) -> str:
    """What everybody is shown when a round starts: SHA-256, in hexadecimal, of "code:nonce" (R1.3)."""
    return hashlib.sha256(f"{code}:{nonce}".encode()).hexdigest()


def verify(code: str, nonce: str, shown: str) -> bool:
    """Whether `shown` is the commitment to this code and nonce (R1.3)."""
    return commitment(code, nonce) == shown
