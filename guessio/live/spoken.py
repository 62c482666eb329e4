"""Words for what a match shows: labels of tiles and keys, times, and the sentences for screen readers.

Pure functions of views and small values; used by templates as filters and by `live.fragments` for the live regions.
"""

from __future__ import annotations

from collections.abc import Sequence

from guessio.rules.terms import Mark, Skill

MARK_WORDS = {
    Mark.RIGHT: "right place",
    Mark.ELSEWHERE: "elsewhere",
    Mark.ABSENT: "not in the code",
    Mark.PRESENT: "in the code",
}

SKILL_NAMES = {
    Skill.REVEAL: "Reveal Position",
    Skill.EXTRA_TURN: "Extra Turn",
    Skill.FREEZE: "Freeze",
    Skill.XRAY: "X-Ray Vision",
}

SKILL_SHORT = {
    Skill.REVEAL: "Reveal",
    Skill.EXTRA_TURN: "Extra",
    Skill.FREEZE: "Freeze",
    Skill.XRAY: "X-Ray",
}

SKILL_ICONS = {
    Skill.REVEAL: "reveal",
    Skill.EXTRA_TURN: "extra",
    Skill.FREEZE: "freeze",
    Skill.XRAY: "eye",
}


def tiles(digits: str, marks: Sequence[Mark] | None) -> str:
    """Say a row of tiles: each digit with its mark in words, or the digits alone when there is no mark to say."""
    if marks is None:
        return ", ".join(digits)
    return ", ".join([f"{digit} {MARK_WORDS[mark]}" for digit, mark in zip(digits, marks, strict=True)])


def key(digit: str, mark: Mark | None) -> str:
    """Say a digit key and the best that is known of it."""
    return digit if mark is None else f"{digit}, {MARK_WORDS[mark]}"


def apart(digits: str) -> str:
    """Digits with blanks between, so that a screen reader says each by itself."""
    return " ".join(digits)


def clock(ms: int | None) -> str:
    """Milliseconds that are left as minutes and seconds, `0:18`; a started second counts whole."""
    seconds = -(-max(ms or 0, 0) // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def elapsed(ms: int) -> str:
    """A time that went by as minutes and seconds, `1:42`; only whole seconds count."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02d}"


def seconds(ms: int | None) -> int:
    """Milliseconds as whole seconds, a started one counted."""
    return -(-max(ms or 0, 0) // 1000)


def tenths(ms: int) -> str:
    """A short time for the fastest guess: `3.4 s`, or minutes from one minute on."""
    return f"{ms / 1000:.1f} s" if ms < 60_000 else elapsed(ms)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun in the right form: `1 guess`, `4 guesses`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def grouped(number: int) -> str:
    """A rating or points with a comma at the thousands, and a true minus sign."""
    return f"{number:,}".replace("-", "−")


def signed(number: int) -> str:
    """A change with its sign: `+18`, `−18`, `0`."""
    return f"+{number}" if number > 0 else grouped(number)


def names(all_names: Sequence[str]) -> str:
    """Several names as one phrase: `a`, `a and b`, `a, b and c`."""
    if len(all_names) < 2:
        return "".join(all_names)
    return f"{', '.join(all_names[:-1])} and {all_names[-1]}"
