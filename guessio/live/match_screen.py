"""The whole screen of a match for one viewer: what its templates are given, for the page and for the stream alike."""

from __future__ import annotations

from typing import Any

from guessio.engine.match import seating
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import MatchView, RoundResultView, SeatView
from guessio.live import match_strip, spoken
from guessio.rules import rounds
from guessio.rules.terms import MatchPhase, MatchType, RoundEnd, SeatNo, Skill

KEYS_ABOVE = "12345"
KEYS_BELOW = "67890"


def context(shown: MatchView, csrf: str = "", refused: str = "", typed: str = "") -> dict[str, Any]:
    """What fragments/match/table.html and all that it includes are given.

    `csrf` makes forms work without a script and is known to a page only; `refused` is a sentence beside the entry, `typed` what was
    sent with it.
    """
    keys = {key.digit: key for key in shown.keys}
    return {
        "view": shown,
        "id": shown.id,
        "phase": str(shown.phase),
        "csrf": csrf,
        "refused": refused,
        "typed": typed,
        "title": title(shown),
        "is_ranked": shown.type is MatchType.RANKED,
        "last_rival": last_rival(shown),
        "can_forfeit": shown.can_forfeit,
        "grace_ms": shown.grace_ms if shown.can_forfeit else 0,
        "rounds_max": shown.rounds_max,
        "quit_rating": shown.quit_rating,
        "own_seat": shown.own_seat,
        "has_left": shown.has_left,
        "inactivity_warned": shown.inactivity_warned,
        "rows": shown.rows,
        "is_new": False,
        "label": "",
        "bots": bots(shown.seats),
        "show_legend": shown.round_number == 1,
        "difficulty": str(shown.difficulty),
        "first_keys": [keys[digit] for digit in KEYS_ABOVE if digit in keys],
        "last_keys": [keys[digit] for digit in KEYS_BELOW if digit in keys],
        "revealed": shown.revealed,
        "digits": shown.digits,
        "skill": shown.skill,
        "own_turn": shown.can_guess,
        "targeted": shown.skill is not None and shown.skill.skill in (Skill.FREEZE, Skill.XRAY),
        "round_number": shown.round_number,
        "guess_limit": shown.guess_limit,
        "guesses_used": shown.guesses_used,
        "is_watched": shown.is_watched,
        **match_strip.context(strip_of(shown), shown.seats),
        **turn_line(shown),
        **(result_words(shown) if shown.results and shown.phase in (MatchPhase.PAUSE, MatchPhase.CLOSING) else {}),
    }


def strip_of(shown: MatchView) -> match_strip.Strip:
    """What is told of all seats together."""
    return match_strip.Strip(
        picking=shown.phase is MatchPhase.PICKING,
        in_turn=shown.phase is MatchPhase.TURN,
        is_ranked=shown.type is MatchType.RANKED,
        remaining_ms=shown.remaining_ms,
        total_ms=shown.phase_total_ms,
        span=span(shown),
    )


def last_rival(shown: MatchView) -> str:
    """The name of the only opponent still seated, to whom a forfeit gives the match; empty while there are more (R7.4)."""
    rivals = [seat.name for seat in shown.seats if not seat.is_own and not seat.has_left]
    return rivals[0] if len(rivals) == 1 else ""


def bots(seats: tuple[SeatView, ...]) -> frozenset[int]:
    """The seats beside whose names the label stands (R3.3)."""
    return frozenset([seat.seat for seat in seats if seat.is_bot])


def span(shown: MatchView) -> str:
    """A name for the stretch of time that is counted down: a clock with a new name starts anew."""
    if shown.phase is MatchPhase.TURN:
        return f"turn-{shown.turn}"
    if shown.phase is MatchPhase.PICKING:
        return picking_span(shown.seats)
    return f"{shown.phase}-{shown.round_number}"


def picking_span(seats: tuple[SeatView, ...]) -> str:
    """The same while skills are picked: each pick has its own time."""
    return f"pick-{sum(seat.has_picked or seat.has_left for seat in seats)}"


def turn_line(shown: MatchView) -> dict[str, Any]:
    """What the pad is told of the running turn."""
    return turn_words(
        turn=shown.turn,
        can_guess=shown.can_guess,
        turn_name=shown.turn_name,
        is_frozen=shown.is_frozen,
        round_number=shown.round_number,
        guess=shown.guesses_used + 1,
        limit=shown.guess_limit,
    )


def turn_words(*, turn: int, can_guess: bool, turn_name: str, is_frozen: bool, round_number: int, guess: int, limit: int) -> dict[str, Any]:
    """The same from single facts, for a push that builds no whole view. `guess` is the number of the guess to come."""
    if can_guess:
        status = own_status(guess, limit)
    elif is_frozen:
        status = "You are frozen and miss your next turn."
    else:
        status = f"{turn_name} is guessing."
    return {
        "turn": turn,
        "can_guess": can_guess,
        "why": "" if can_guess else f"Hold on, {turn_name} is guessing.",
        "status": status,
        "turn_title": turn_title(can_guess, turn_name, round_number),
    }


def turn_words_of(state: MatchState, seats: tuple[SeatView, ...], own: SeatNo) -> dict[str, Any]:
    """The same of a running turn, for the player in seat `own`."""
    turn, one = seating.certain(state.turn), state.rounds[-1]
    return turn_words(
        turn=turn.number,
        can_guess=turn.seat == own,
        turn_name=seats[turn.seat].name,
        is_frozen=seats[own].is_frozen,
        round_number=one.number,
        guess=len(one.guesses) + 1,
        limit=rounds.limit(len(seats)),
    )


def own_status(guess: int, limit: int) -> str:
    """The line beside the pad for the player on turn."""
    return f"Your turn. Guess {guess} of {limit}."


def title(shown: MatchView) -> str:
    """The page's title, which a tab in the background shows."""
    if shown.phase is MatchPhase.PICKING:
        return "Pick a skill" if shown.can_pick else "Picking skills"
    if shown.phase is MatchPhase.COUNTDOWN:
        return "Get ready"
    if shown.phase is MatchPhase.TURN:
        return turn_title(shown.can_guess, shown.turn_name, shown.round_number)
    return f"Round {shown.round_number} result" if shown.results else "Match over"


def turn_title(can_guess: bool, turn_name: str, round_number: int) -> str:
    """The title in a turn."""
    return f"{'Your turn' if can_guess else turn_name + ' is guessing'} · round {round_number}"


def result_words(shown: MatchView) -> dict[str, Any]:
    """Headline, names and times for the result of the round that ended last (R1.9)."""
    result = shown.results[-1]
    opener = "You go" if result.next_opener_is_own else f"{result.next_opener_name} goes"
    return {
        "headline": headline(result),
        "fastest_name": "you" if result.fastest_is_own else result.fastest_name,
        "next_opener": f"{opener} first" if result.next_opener_name else "",
        **result_times(result, shown.remaining_ms),
    }


def result_times(result: RoundResultView, remaining_ms: int | None) -> dict[str, str]:
    """The times of a round's result, as words that are ready to be put out."""
    return {
        "round_time": spoken.elapsed(result.duration_ms),
        "fastest_time": spoken.tenths(result.fastest_ms or 0),
        "goes_on_in": str(spoken.seconds(remaining_ms)),
    }


def headline(result: RoundResultView) -> str:
    """How the round ended, for this viewer."""
    who = "You" if result.is_own_win else result.winner_name
    match result.end:
        case RoundEnd.CRACKED:
            return f"{who} cracked it"
        case RoundEnd.AWARDED:
            return f"The round goes to {'you' if result.is_own_win else who}"
        case RoundEnd.LIMIT:
            return "Nobody cracked it"
        case RoundEnd.ABANDONED:
            return "The round was broken off"
