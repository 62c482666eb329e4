"""The whole screen of a duel for one viewer: what its templates are given, for the page and for the stream alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guessio.engine.duel import seating, view
from guessio.engine.duel.state import Agreement, DuelState
from guessio.engine.duel.views import DuelView, LaneView
from guessio.live import painting, spoken
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelEnd, DuelPhase, SecretRule
from guessio.services import duel_lag, duel_rematch, duel_terms
from guessio.services.duel_views import RematchState, RematchView

KEYS_ABOVE = "12345"
KEYS_BELOW = "67890"
LOW_MS = 20_000  # a clock is low from here on: said once, and shown without colour
NUMBER_WORDS = {4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A duellist's clock as `fragments/duel/seat.html` shows it. `span` names the stretch of time that is counted down."""

    number: int
    name: str
    is_own: bool
    is_bot: bool
    is_ready_first: bool
    runs: bool
    clock_ms: int
    away_ms: int | None
    is_low: bool
    low_ms: int
    low_text: str
    span: str
    note: str


def shown(state: DuelState, viewer: AccountId, now_ms: int) -> str:
    """`#table` as this viewer may see it now, with a rematch as it stands; empty for somebody without a seat."""
    is_over = state.phase is DuelPhase.OVER and seating.seat_of(state, viewer) is not None
    return drawn(state, viewer, now_ms, duel_rematch.look(state, viewer) if is_over else None)


def drawn(state: DuelState, viewer: AccountId, now_ms: int, rematch: RematchView | None = None) -> str:
    """The same from the state alone; a rematch can be offered unless the caller knows better."""
    shown = view.view_for(state, viewer, now_ms)
    if shown.own_seat is None:
        return ""
    return painting.draw("duel/table", context(shown, rematch=rematch, sent=duel_lag.stamp(state, viewer, now_ms)))


def context(
    shown: DuelView, csrf: str = "", refused: str = "", typed: str = "", rematch: RematchView | None = None, sent: str = ""
) -> dict[str, Any]:
    """What fragments/duel/table.html and all that it includes are given.

    `csrf` makes forms work without a script and is known to a page only; `refused` is a sentence beside the entry, `typed` what was
    sent with it; `rematch` is how things stand with one, and one that can be offered unless the caller knows better; `sent` is the
    stamp of a turn that is pushed, from which the delay of the line is measured.
    """
    own, rival = shown.lanes
    keys = {key.digit: key for key in shown.keys}
    return {
        "view": shown,
        "id": shown.id,
        "phase": str(shown.phase),
        "csrf": csrf,
        "refused": refused,
        "typed": typed,
        "sent": sent,
        "title": title(shown),
        "own_seat": shown.own_seat,
        "lanes": [(lane, seat_shown(lane, shown.phase, shown.turn)) for lane in shown.lanes],
        "rival_name": rival.name,
        "own_secret": own.secret,
        "is_new": False,
        "can_resign": shown.can_resign,
        "length": shown.length,
        "length_word": NUMBER_WORDS.get(shown.length, str(shown.length)),
        "repeats": shown.secret_rule is SecretRule.REPEATS,
        "first_keys": [keys[digit] for digit in KEYS_ABOVE],
        "last_keys": [keys[digit] for digit in KEYS_BELOW],
        "grace_ms": tunables.DUEL_GRACE_MS,
        "terms": duel_terms.of(Agreement(shown.clock_ms, shown.length, shown.secret_rule, shown.format)),
        "lag_move_ms": tunables.DUEL_LAG_MOVE_MS,
        "lag_quota_ms": tunables.DUEL_LAG_QUOTA_MS,
        **turn_words(shown.phase, shown.turn, shown.can_guess, shown.can_set_secret, rival.name, len(own.rows) + 1),
        **(end_words(shown, rematch) if shown.phase is DuelPhase.OVER else {}),
    }


def seat_shown(lane: LaneView, phase: DuelPhase, turn: int) -> SeatShown:
    """What one clock shows: whether it runs, what its player does, what is left."""
    return SeatShown(
        number=lane.seat,
        name=lane.name,
        is_own=lane.is_own,
        is_bot=lane.is_bot,
        is_ready_first=phase is DuelPhase.CHOOSING and lane.is_ready,
        runs=lane.clock_runs,
        clock_ms=lane.clock_ms,
        away_ms=lane.away_ms,
        is_low=lane.clock_ms <= LOW_MS,
        low_ms=LOW_MS,
        low_text=f"{spoken.seconds(LOW_MS)} seconds left on your clock.",
        span=f"{phase}-{turn}-{lane.seat}",
        note=_note(lane, phase),
    )


def _note(lane: LaneView, phase: DuelPhase) -> str:
    if phase is DuelPhase.CHOOSING:
        return "ready" if lane.is_ready else "choosing"
    if lane.on_move:
        return "your turn" if lane.is_own else "guessing"
    return "clock stands"


def turn_words(phase: DuelPhase, turn: int, can_guess: bool, can_set_secret: bool, rival: str, guess: int) -> dict[str, Any]:
    """What the pad is told: whether it is open, and a line that says so. `guess` is the number of one's guess to come."""
    if phase is DuelPhase.CHOOSING:
        turn = 0  # a secret belongs to no turn: what is sent of it must not pass for the first guess
        status, why = "Both clocks run until each of you is ready.", ""
    elif can_guess:
        status, why = f"Your turn. Guess {guess}.", ""
    else:
        status, why = f"{rival} is guessing.", f"Hold on, {rival} is guessing."
    return {
        "turn": turn,
        "can_guess": can_guess or can_set_secret,
        "why": why,
        "status": status,
        "turn_title": turn_title(phase, can_guess, can_set_secret, rival),
    }


def turn_title(phase: DuelPhase, can_guess: bool, can_set_secret: bool, rival: str) -> str:
    """The page's title while the duel goes on, which a tab in the background shows."""
    if phase is DuelPhase.CHOOSING:
        return "Choose your secret" if can_set_secret else f"{rival} is choosing"
    return f"{'Your turn' if can_guess else rival + ' is guessing'} · duel"


def title(shown: DuelView) -> str:
    """The page's title."""
    if shown.phase is DuelPhase.OVER:
        return f"{headline(shown)} · duel"
    return turn_title(shown.phase, shown.can_guess, shown.can_set_secret, shown.lanes[1].name)


def end_words(shown: DuelView, rematch: RematchView | None) -> dict[str, Any]:
    """How the duel ended, for this viewer, and what can be done about it. `broken` is the seat whose secret was found."""
    rival = shown.lanes[1].name
    loser = next((lane.seat for lane in shown.lanes if not lane.is_winner), None)
    is_cracked = shown.end is DuelEnd.CRACKED
    return {
        "headline": headline(shown),
        "explanation": explanation(shown),
        # In totals only no tile is ever marked, not even when everything is known.
        "broken": loser if is_cracked and not shown.totals_only else None,
        "rematch": rematch or RematchView(RematchState.OPEN, rival, f"/duel/{shown.id}/rematch"),
    }


def headline(shown: DuelView) -> str:
    """Who won, for this viewer."""
    if shown.is_draw:
        return "A draw"
    return "You won" if shown.is_own_win else f"{shown.winner_name} won"


def explanation(shown: DuelView) -> str:
    """What decided the duel, for this viewer (R17.6)."""
    guesses = next((len(lane.rows) for lane in shown.lanes if lane.is_winner), 0)
    return "" if shown.end is None else spoken.duel_end(shown.end, shown.is_own_win, shown.lanes[1].name, guesses)
