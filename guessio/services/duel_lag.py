"""Measuring the delay on a duellist's line, so that a slow network does not lose a duel (R17.5).

The server seals the moment at which it sends a turn; the page sends the seal back at once and gets the time that this took, sealed as
well, to go with the guess. So nothing is kept anywhere, any worker can do each step, and a page can make nothing up: it can only
answer late, which is worth what the engine gives back at most (300 ms a move, 1 s a duel). The key is the seed of the table, which
nobody is ever shown.
"""

from __future__ import annotations

import hashlib
import hmac

from guessio.engine.duel.state import DuelState
from guessio.rules import tunables
from guessio.rules.terms import AccountId, DuelPhase

SEAL_DIGITS = 32
NUMBER_MOST = 15


def stamp(state: DuelState, viewer: AccountId, now_ms: int) -> str:
    """What goes with a turn that is sent to the player on the move now; empty for everybody else."""
    if state.phase is not DuelPhase.PLAYING or state.on_move is None or state.seats[state.on_move].account != viewer:
        return ""
    return _sealed(state, viewer, f"sent:{_turn(state)}", now_ms)


def measure(state: DuelState, viewer: AccountId, turn: int, sent: str, now_ms: int) -> str | None:
    """The way there and back since `stamp`, sealed, at most what one move can be given; None for a seal that is not of this turn."""
    at_ms = _opened(state, viewer, f"sent:{turn}", sent)
    if at_ms is None or turn != _turn(state):
        return None
    return _sealed(state, viewer, f"lag:{turn}", min(max(0, now_ms - at_ms), tunables.DUEL_LAG_MOVE_MS))


def read(state: DuelState, viewer: AccountId, turn: int, lag: str) -> int:
    """The measured delay in ms that came with the guess of a turn; 0 without a good seal."""
    return _opened(state, viewer, f"lag:{turn}", lag) or 0


def _turn(state: DuelState) -> int:
    return len(state.guesses) + 1


def _sealed(state: DuelState, viewer: AccountId, what: str, number: int) -> str:
    text = f"{state.id}:{viewer}:{what}:{number}"
    seal = hmac.new(state.deal.seed.encode(), text.encode(), hashlib.sha256).hexdigest()[:SEAL_DIGITS]
    return f"{number}.{seal}"


def _opened(state: DuelState, viewer: AccountId, what: str, sealed: str) -> int | None:
    number = sealed.partition(".")[0]
    if not (sealed.isascii() and number.isdigit() and len(number) <= NUMBER_MOST):
        return None
    good = hmac.compare_digest(_sealed(state, viewer, what, int(number)), sealed)
    return int(number) if good else None
