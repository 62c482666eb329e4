"""Reads everything that was sent to one player and finds what the rules don't let that player know at that moment.

It works out what may be known from the state and the rules of marking alone, not with the code that draws the screens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from guessio.engine.match.state import Guess, MatchState, Round
from guessio.rules import feedback
from guessio.rules.terms import Mark
from tests.kit import page
from tests.kit.page import Element

ROW = re.compile(r"row-r(\d+)-g(\d+)")
MARK_WORDS = re.compile(r"right place|elsewhere|in the code|absent|present", re.IGNORECASE)
# How long something still lasts: numbers that would sometimes look like a code.
CLOCKS = re.compile(r'\b(?:data-remaining|data-total|data-seconds|max|value)="\d{3,}"')


@dataclass
class Seen:
    """How much was looked at, so that a test can tell silence from deafness."""

    texts: int = 0
    own_marks: int = 0
    xray_marks: int = 0
    key_marks: int = 0
    reveals: int = 0
    codes: int = 0
    foreign_rows: int = 0
    findings: list[str] = field(default_factory=list)


def listen(state: MatchState, seat: int | None, text: str, seen: Seen) -> None:
    """Look through what was just sent to `seat` (None: to somebody without a seat) while the match stands at `state`."""
    seen.texts += 1
    seen.findings += secrets_in(state, text)
    document = page.parse(text)
    for element in document.walk():
        if element.has("data-mark"):
            _mark(state, seat, element, seen)
        spoken = element.get("aria-label")
        if MARK_WORDS.search(spoken) and not _may_speak(state, seat, element):
            seen.findings.append(f"marks in words for seat {seat}: {spoken!r}")
        if element.has("data-say") and MARK_WORDS.search(element.text) and not _may_hear(state, seat, element.text):
            seen.findings.append(f"marks said to seat {seat}: {element.text!r}")
        if ROW.fullmatch(element.id) and not element.all(attribute="data-mark"):
            seen.foreign_rows += 1


def secrets_in(state: MatchState, text: str) -> Iterator[str]:
    """Codes and nonces of rounds that haven't ended or never began, in any spelling, and the seed of all chance."""
    if state.deal.seed in text:
        yield "the seed"
    for number, (code, nonce) in enumerate(zip(state.deal.codes, state.deal.nonces, strict=True)):
        if number < len(state.rounds) and state.rounds[number].end is not None:
            continue
        if nonce in text:
            yield f"the nonce of round {number + 1}"
        if _spelt(code).search(CLOCKS.sub("", text)) or _spelt(code).search(_words(text)):
            yield f"the code {code} of round {number + 1}"


def _spelt(code: str) -> re.Pattern[str]:
    return re.compile(r"(?<![0-9A-Za-z_-])" + r"[\s,]{0,2}".join(code) + r"(?![0-9A-Za-z_-])")


def _words(text: str) -> str:
    """What a person reads, without the keypad, whose keys spell codes by themselves; each element's text stands apart."""
    document = page.parse(text)
    return "\n".join(
        element.text
        for element in document.walk()
        if element.tag in ("p", "li", "span", "td", "h1", "h2", "code", "div") and not element.all(cls="key")
    )


def _mark(state: MatchState, seat: int | None, element: Element, seen: Seen) -> None:
    mark, place = element.get("data-mark"), _place(element)
    if not mark:
        return
    if place is None:
        seen.findings.append(
            f"a mark {mark} in no place that is known, sent to seat {seat}: {element.parent and element.parent.attributes}"
        )
    elif ROW.fullmatch(place.id):
        _row_mark(state, seat, place, element, seen)
    elif "key" in place.classes:
        seen.key_marks += 1
        if (place.get("value"), mark) not in _known(state, seat):
            seen.findings.append(f"the key {place.get('value')} says {mark} to seat {seat}")
    elif place.id == "pad-known":
        _reveal(state, seat, place, seen)
    elif "reveal" in place.classes:
        seen.codes += 1
        shown = "".join(tile.text for tile in place.all(cls="tile"))
        if shown not in [state.deal.codes[one.number - 1] for one in state.rounds if one.end is not None]:
            seen.findings.append(f"{shown} as the code of a round, sent to seat {seat}")


def _place(element: Element | None) -> Element | None:
    while element is not None:
        if ROW.fullmatch(element.id) or element.id == "pad-known" or {"key", "legend", "reveal"} & set(element.classes):
            return element
        element = element.parent
    return None


def _row_mark(state: MatchState, seat: int | None, row: Element, tile: Element, seen: Seen) -> None:
    one, guess = _guess(state, row)
    if one is None or guess is None:
        seen.findings.append(f"marks of a row that is none: {row.id}")
        return
    if not _may_know(one, seat, guess):
        seen.findings.append(f"marks of seat {guess.seat} in row {row.id}, sent to seat {seat}")
        return
    marks = feedback.marks(state.deal.codes[one.number - 1], guess.digits, state.difficulty)
    at = row.all(cls="tile").index(tile)
    if tile.get("data-mark") != marks[at] or tile.text != guess.digits[at]:
        seen.findings.append(f"a wrong mark in row {row.id}")
    if guess.seat == seat:
        seen.own_marks += 1
    else:
        seen.xray_marks += 1


def _reveal(state: MatchState, seat: int | None, known: Element, seen: Seen) -> None:
    one = state.rounds[-1]
    places = {reveal.position for reveal in one.reveals if reveal.seat == seat}
    seen.reveals += 1
    for at, tile in enumerate(known.all(cls="tile")):
        if tile.text and (at not in places or tile.text != state.deal.codes[one.number - 1][at]):
            seen.findings.append(f"place {at} of the code is shown to seat {seat}")


def _guess(state: MatchState, row: Element) -> tuple[Round | None, Guess | None]:
    named = ROW.fullmatch(row.id)
    if named is None:
        return None, None
    one = next((one for one in state.rounds if one.number == int(named[1])), None)
    return one, next((guess for guess in one.guesses if guess.number == int(named[2])), None) if one else None


def _may_know(one: Round, seat: int | None, guess: Guess) -> bool:
    """R1.7, R6.2: one's own guesses, and those of whom one watches, from then on and until one leaves."""
    watched = any(
        xray.by == seat and xray.target == guess.seat and xray.after < guess.number and (xray.until is None or guess.number <= xray.until)
        for xray in one.xrays
    )
    return guess.seat == seat or watched


def _may_speak(state: MatchState, seat: int | None, element: Element) -> bool:
    place = _place(element)
    if place is None or not ROW.fullmatch(place.id):
        return place is not None or "legend" in element.classes or "What the marks mean" in element.get("aria-label")
    one, guess = _guess(state, place)
    return one is not None and guess is not None and _may_know(one, seat, guess)


def _may_hear(state: MatchState, seat: int | None, sentence: str) -> bool:
    """Whether the guess whose digits a sentence names is one whose marks may be known."""
    digits = [re.findall(r"\d", named)[: len(state.deal.codes[0])] for named in re.findall(r"(?:guessed|Guess \d+:) (.*)", sentence)]
    return bool(digits) and any(
        list(guess.digits) == digits[0] and (one.end is not None or _may_know(one, seat, guess))
        for one in state.rounds
        for guess in one.guesses
    )


def _known(state: MatchState, seat: int | None) -> set[tuple[str, str]]:
    """Every digit with every mark that the seat has had a right to see of it: what has ended is public, and catching up tells it again."""
    known: set[tuple[str, str]] = set()
    for one in state.rounds:
        code = state.deal.codes[one.number - 1]
        for guess in one.guesses:
            if one.end is not None or _may_know(one, seat, guess):
                marks = feedback.marks(code, guess.digits, state.difficulty)
                known |= {(digit, str(mark)) for digit, mark in zip(guess.digits, marks, strict=True)}
        known |= {(code[reveal.position], str(Mark.RIGHT)) for reveal in one.reveals if reveal.seat == seat}
    return known
