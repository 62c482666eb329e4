"""Matches played at random: picks, guesses, skills, leaving, absences and time, from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Iterator

from guessio.engine.match.state import MatchState
from guessio.rules import feedback
from guessio.rules.terms import Difficulty, MatchPhase, MatchType, Skill
from tests.kit.actors import Play
from tests.kit.builders import a_random_deal

STEPS_MOST = 400
TRIES = 3_000


def wander(seed: int) -> Iterator[Play]:
    """One random match from its making to its end; yields the match after every step that brought events."""
    chance = random.Random(seed)
    players = chance.choice((2, 3, 4))
    play = Play.of(
        players,
        skills=tuple(chance.choice(tuple(Skill)) for _ in range(players)) if chance.random() < 0.8 else None,
        difficulty=chance.choice(tuple(Difficulty)),
        type=chance.choice((MatchType.CASUAL, MatchType.RANKED)),
        bots=tuple(seat for seat in range(1, players) if chance.random() < 0.3),
        deal=a_random_deal(players, chance),
    )
    for _ in range(STEPS_MOST):
        if play.state.phase is MatchPhase.OVER:
            return
        _move(play, chance)
        if play.events:
            yield play


def _move(play: Play, chance: random.Random) -> None:
    luck = chance.random()
    people = [seat for seat in range(len(play.state.seats)) if not play.seat(seat).is_bot]
    if luck < 0.03:
        play.forfeit(chance.choice(people))
    elif luck < 0.08:
        play.vanish(chance.choice(people))
    elif luck < 0.14:
        play.come_back(chance.choice(people))
    elif luck < 0.25:
        play.wait(chance.choice((500, 3_500, 31_000)))
    elif play.state.phase is MatchPhase.PICKING and play.state.picker in people:
        play.pick(play.state.picker, chance.choice(tuple(Skill)))
    elif play.state.turn is None or play.on_turn not in people:
        play.to_deadline()
    elif luck < 0.45:
        play.use(chance.choice((None, *range(len(play.state.seats)))))
    else:
        play.now_ms += chance.randrange(100, 9_000)
        play.guess(_digits(play.state, chance))


def _digits(state: MatchState, chance: random.Random) -> str:
    """A guess at random, now and then the code itself."""
    code = state.deal.codes[len(state.rounds) - 1]
    return code if chance.random() < 0.06 else "".join(chance.sample("0123456789", len(code)))


def another_code(state: MatchState, seat: int, chance: random.Random) -> str | None:
    """A code of the running round that `seat` cannot tell from the real one by anything it has been shown; None if none was found."""
    one, code = state.rounds[-1], state.deal.codes[len(state.rounds) - 1]
    shown = [
        guess
        for guess in one.guesses
        if guess.seat == seat or any(x.by == seat and x.target == guess.seat and guess.number > x.after for x in one.xrays)
    ]
    known = [reveal.position for reveal in one.reveals if reveal.seat == seat]
    answers = [(guess.digits, feedback.marks(code, guess.digits, state.difficulty)) for guess in shown]
    for _ in range(TRIES):
        other = "".join(chance.sample("0123456789", len(code)))
        if other == code or any(other[place] != code[place] for place in known):
            continue
        if all(feedback.marks(other, digits, state.difficulty) == marks for digits, marks in answers):
            return other
    return None
