"""Computer-controlled players: what they guess and when they use their skill (R3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from guessio.engine.match import chance, guessing, seating, sight, skills
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState
from guessio.rules import candidates
from guessio.rules import rounds as round_rules
from guessio.rules.terms import SeatNo, Skill

OWN_GUESSES_BEFORE = {Skill.XRAY: 0, Skill.REVEAL: 1, Skill.FREEZE: 1, Skill.EXTRA_TURN: 2}
"""How many guesses of its own in the round a bot waits for: seeing early pays, a place or a turn won pays late (R3.4)."""

USES_ONE_TURN_IN = 2


def move(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Make the move of the bot on turn, once it has thought: its skill if the policy says so, then its guess."""
    seat = seating.certain(state.turn).seat
    for target in wishes(state, seat):
        if skills.why_not(state, seat, target) is None:
            state = skills.put_to_use(state, seat, target, events)
            break
    return guessing.make(state, guess_of(state, seat), moment, events)


def wishes(state: MatchState, seat: SeatNo) -> Iterator[SeatNo | None]:
    """The targets on which the bot would use its skill now, dearest first (None for a skill without); none: not now.

    It waits for some guesses of its own, then uses the skill in about every second turn, at the strongest opponent.
    """
    skill = state.seats[seat].skill
    if skill is None:
        return
    own_guesses = sum(guess.seat == seat for guess in state.rounds[-1].guesses)
    pick = chance.picker(state.deal.seed, "skill", state.turns_taken)
    if own_guesses < OWN_GUESSES_BEFORE[skill] or pick(USES_ONE_TURN_IN):
        return
    if skill in (Skill.FREEZE, Skill.XRAY):
        yield from _strongest_first(state, seat)
    else:
        yield None


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


def _strongest_first(state: MatchState, seat: SeatNo) -> list[SeatNo]:
    """The opponents by rounds won, those who move sooner first among equals."""
    wins, players = seating.rounds_won(state.rounds), len(state.seats)
    in_turn = [SeatNo((seat + step) % players) for step in range(1, players)]
    return sorted(in_turn, key=lambda one: -wins.get(one, 0))
