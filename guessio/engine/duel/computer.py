"""The computer as an opponent: a random secret, fair guesses, and time that looks like thinking (R17.7)."""

from __future__ import annotations

from guessio.engine.duel import seating
from guessio.engine.duel.state import DuelState
from guessio.rules import clocks, codes, draws, duel_candidates, feedback, tunables
from guessio.rules.terms import DuelFormat, SeatNo, SecretRule


def take_thought(state: DuelState, seat: SeatNo, moment: int) -> DuelState:
    """Let the computer at `seat`, if it is one, act after a while; never so late that its clock could run out."""
    player = state.seats[seat]
    if not player.is_bot:
        return state
    pick = draws.picker(state.deal.seed, f"think:{seat}", seating.turn_number(state))
    span = tunables.DUEL_THINK_MAX_MS - tunables.DUEL_THINK_MIN_MS
    thought = tunables.DUEL_THINK_MIN_MS + pick(span + 1)
    affordable = clocks.left_at(player.clock, moment) // tunables.DUEL_THINK_SHARE
    return seating.with_seat(state, seat, acts_ms=moment + min(thought, affordable))


def secret_of(state: DuelState, seat: SeatNo) -> str:
    """The secret that the computer sets: any that the agreement allows, all equally likely."""
    pick = draws.picker(state.deal.seed, "secret", seat)
    distinct = state.agreement.secret_rule is SecretRule.ALL_DIFFERENT
    return codes.make(state.agreement.length, pick, distinct=distinct)


def guess_of(state: DuelState, seat: SeatNo) -> str:
    """The computer's next guess: any number that fits all its marks so far, all equally likely.

    It knows what a person in its place is shown: marks by position, or totals only.
    """
    secret = seating.target_of(state, seat)
    suspects = duel_candidates.everything(state.agreement.length, state.agreement.secret_rule)
    for guess in state.guesses:
        if guess.seat != seat:
            continue
        marks = feedback.marks(secret, guess.digits)
        if state.agreement.format is DuelFormat.PER_POSITION:
            suspects = suspects.learn(guess.digits, marks)
        else:
            suspects = suspects.learn_totals(guess.digits, *feedback.totals(marks))
    return suspects.choose(draws.picker(state.deal.seed, "guess", seating.turn_number(state)))
