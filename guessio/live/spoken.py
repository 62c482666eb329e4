"""Words for what a table shows: labels of tiles and keys, times, and the sentences for screen readers.

Pure functions of views and small values; used by templates as filters and by `live.fragments` for the live regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guessio.rules import tunables
from guessio.rules.terms import DuelEnd, Mark, Skill

MARK_WORDS = {
    Mark.RIGHT: "right place",
    Mark.ELSEWHERE: "elsewhere",
    Mark.ABSENT: "not in the code",
    Mark.PRESENT: "in the code",
}

SECRET_WORDS = {**MARK_WORDS, Mark.ABSENT: "not there"}
"""A secret may hold a digit once and a guess hold it twice: then the second is not in the code in a sense that would mislead."""

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

SKILL_TEXTS = {
    Skill.REVEAL: "Shows you one digit of the code in its place, picked at random.",
    Skill.EXTRA_TURN: "One more guess right after this one. Locked when a single guess is left.",
    Skill.FREEZE: "An opponent of your choice misses the next turn.",
    Skill.XRAY: "See the marks of one opponent’s new guesses until the round ends.",
}


def tiles(digits: str, marks: Sequence[Mark] | None) -> str:
    """Say a row of tiles: each digit with its mark in words, or the digits alone when there is no mark to say."""
    if marks is None:
        return ", ".join(digits)
    return ", ".join([f"{digit} {MARK_WORDS[mark]}" for digit, mark in zip(digits, marks, strict=True)])


def secret_tiles(digits: str, marks: Sequence[Mark]) -> str:
    """Say a marked guess of a duel."""
    return ", ".join([f"{digit} {SECRET_WORDS[mark]}" for digit, mark in zip(digits, marks, strict=True)])


def key(digit: str, mark: Mark | None) -> str:
    """Say a digit key and the best that is known of it."""
    return digit if mark is None else f"{digit}, {MARK_WORDS[mark]}"


def apart(digits: str) -> str:
    """Digits with blanks between, so that a screen reader says each by itself."""
    return " ".join(digits)


def clock(ms: int | None) -> str:
    """Milliseconds that are left as minutes and seconds, `0:18`; a started second counts whole."""
    return _minutes(seconds(ms))


def fine_clock(ms: int) -> str:
    """A duellist's clock: `3:41`, and with tenths once less than ten seconds are left, `9.4`."""
    tens = -(-max(ms, 0) // 100)
    return f"{tens // 10}.{tens % 10}" if tens < 100 else clock(ms)


def lag(ms: int) -> str:
    """What was given back for a slow line, `0.3 s`; a dash for nothing."""
    return f"{ms / 1000:.1f} s" if ms >= 50 else "–" if ms == 0 else "< 0.1 s"


def elapsed(ms: int) -> str:
    """A time that went by as minutes and seconds, `1:42`; only whole seconds count."""
    return _minutes(ms // 1000)


@lru_cache(maxsize=4096)
def _minutes(whole: int) -> str:
    """Whole seconds as `1:42`, or `1:02:05` from an hour on."""
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


def seconds(ms: int | None) -> int:
    """Milliseconds as whole seconds, a started one counted."""
    return -(-max(ms or 0, 0) // 1000)


def duration(ms: int) -> str:
    """Time that is left, as words to be said: `3 minutes 41 seconds`, `18 seconds`."""
    minutes, rest = divmod(seconds(ms), 60)
    parts = ([counted(minutes, "minute")] if minutes else []) + ([counted(rest, "second")] if rest or not minutes else [])
    return " ".join(parts)


def tenths(ms: int) -> str:
    """A short time for the fastest guess: `3.4 s`, or minutes from one minute on."""
    return f"{ms / 1000:.1f} s" if ms < 60_000 else elapsed(ms)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun in the right form: `1 guess`, `4 guesses`."""
    return f"{grouped(number)} {one if number == 1 else many or one + 's'}"


def grouped(number: int) -> str:
    """A rating or points with a comma at the thousands, and a true minus sign."""
    return f"{number:,}".replace("-", "−")


def signed(number: int) -> str:
    """A change with its sign: `+18`, `−18`, `0`."""
    return f"+{grouped(number)}" if number > 0 else grouped(number)


def names(all_names: Sequence[str]) -> str:
    """Several names as one phrase: `a`, `a and b`, `a, b and c`."""
    if len(all_names) < 2:
        return "".join(all_names)
    return f"{', '.join(all_names[:-1])} and {all_names[-1]}"


def duel_end(end: DuelEnd, is_own_win: bool, rival: str, guesses: int) -> str:
    """What decided a duel, for one of its two players (R17.6). `guesses` is how many the winner made."""
    match end:
        case DuelEnd.CRACKED:
            whose = f"You broke {rival}’s secret" if is_own_win else f"{rival} broke your secret"
            return f"{whose} with guess {guesses}."
        case DuelEnd.FLAG:
            return f"{rival}’s clock ran out." if is_own_win else "Your clock ran out."
        case DuelEnd.RESIGN:
            return f"{rival} resigned." if is_own_win else "You resigned."
        case DuelEnd.DISCONNECT:
            grace = counted(seconds(tunables.DUEL_GRACE_MS), "second")
            return f"{rival} was away for {grace}." if is_own_win else f"You were away for {grace}."
        case DuelEnd.DRAW_NO_SECRETS:
            return "Both clocks ran out before anybody had chosen a secret."
