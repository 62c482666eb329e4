"""Usernames and display names (R12.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from guessio.rules import tunables
from guessio.rules.terms import Refusal

_FALLBACK = "player"
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_MARKS_PER_LETTER = 3


def validate(username: str) -> Refusal | None:
    """The reason why `username` can't be had, whoever else has it; None when it is well formed.

    Capitals are refused, not converted: `key` is for comparing.
    """
    if not tunables.USERNAME_MIN <= len(username) <= tunables.USERNAME_MAX:
        return Refusal.USERNAME_LENGTH
    if not re.fullmatch(r"[a-z0-9_]+", username):
        return Refusal.USERNAME_FORM
    return Refusal.USERNAME_RESERVED if key(username) in tunables.USERNAMES_RESERVED else None


def key(username: str) -> str:
    """The form in which two usernames are compared: without capitals."""
    return username.casefold()


def suggestions(given: str, family: str, email: str) -> Iterator[str]:
    """Valid usernames to offer, best first and without end, so that the caller takes the first free one.

    Made from given and family name, else from the e-mail's first part, else a plain word.
    """
    sources = (_plain(f"{given} {family}"), _plain(email.partition("@")[0]), _FALLBACK)
    base = next(source for source in sources if validate(source) is None)
    # A base that was cut may end in digits that look like an earlier number: nothing is offered twice.
    offered: set[str] = set()
    suggestion, tails = base, map(str, count(2))
    while True:
        if suggestion not in offered:
            offered.add(suggestion)
            yield suggestion
        tail = next(tails)
        suggestion = base[: tunables.USERNAME_MAX - len(tail)] + tail


def display_name(raw: str, username: str) -> str:
    """The name that others read: `raw` without control, invisible and stacked characters, cut to length.

    Falls back to the username when nothing visible is left (requirement 42).
    """
    name = " ".join(_visible(unicodedata.normalize("NFC", raw)).split())[: tunables.DISPLAY_NAME_MAX].strip()
    return name if any(_has_ink(char) for char in name) else username


def _plain(text: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", ascii_only).strip("_")[: tunables.USERNAME_MAX].strip("_")


def _visible(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else 0
        if category.startswith("Z") or char.isspace():
            kept.append(" ")
        elif not category.startswith("C") and char not in _INVISIBLE_LETTERS and marks <= _MARKS_PER_LETTER:
            kept.append(char)
    return "".join(kept)


def _has_ink(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS"
