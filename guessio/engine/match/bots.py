"""Computer-controlled players: what they guess and when they use their skill (R3.4)."""

from __future__ import annotations

from guessio.engine.match import chance, guessing, seating, sight
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState
from guessio.rules import candidates
from guessio.rules import rounds as round_rules
from guessio.rules.terms import SeatNo


def move(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Make the move of the bot on turn, once it has thought: its skill if the policy says so, then its guess."""
    seat = seating.certain(state.turn).seat
    return guessing.make(state, guess_of(state, seat), moment, events)


def guess_of(state: MatchState, seat: SeatNo) -> str:
    """A code that this bot has not tried, uniformly among those that fit all it knows; anything at first (R3.4).

    It knows its own marks and what Reveal Position or X-Ray Vision showed it, and nothing else.
    """
    running = state.rounds[-1]
    knowledge = candidates.Knowledge(round_rules.code_length(len(state.seats)), state.difficulty)
    tried: set[str] = set()
    for guess, marks in sight.seen(state, running, seat):
        knowledge = knowledge.learn(guess.digits, marks)
        if guess.seat == seat:
            tried.add(guess.digits)
    for position, digit in sight.revealed(state, running, seat):
        knowledge = knowledge.reveal(position, digit)
    pick = chance.picker(state.deal.seed, "guess", state.turns_taken)
    return candidates.choose(knowledge, frozenset(tried), pick)
