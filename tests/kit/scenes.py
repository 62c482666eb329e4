"""Matches in the situations that a screen has to show, played by the engine itself: each is the same whenever it is made.

A scene names its cast in seat order; `make` plays it so that it stands at a given moment. A person of the cast may be a bot of the stage,
although the engine played the seat like any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from guessio.engine.match.state import Deal, MatchState
from guessio.rules.terms import Difficulty, LeaveReason, MatchType, Skill, TableId
from tests.kit.actors import Play
from tests.kit.stage_people import Persona

CODES = {2: ("7204", "3856", "1935"), 3: ("72046", "38561", "19350"), 4: ("720461", "385610", "193507")}
TWO = ("mira_k", "nova_7")
WITH_BOT = ("mira_k", "velvet_otter4821")
THREE = ("mira_k", "pale_ink", "velvet_otter4821")
FOUR = ("mira_k", "velvet_otter4821", "nova_7", "patchy_sprocket")
LONGEST = ("mira_k", "a_name_as_long_as_names_may_be")
HARDCORE = Difficulty.HARDCORE
RANKED = MatchType.RANKED


@dataclass(frozen=True, slots=True)
class Scene:
    """One match: who sits, and what is played from the moment that it is made."""

    name: str
    cast: tuple[str, ...]
    play: Callable[[int], Play]


def make(scene: Scene, now_ms: int, people: dict[str, Persona]) -> MatchState:
    """The scene's match as it stands at `now_ms`."""
    lasts = scene.play(0).now_ms
    state = scene.play(now_ms - lasts).state
    seats = tuple(
        replace(seat, account=one.account, username=one.username, name=one.username, is_bot=one.is_bot, rating=one.rating, avatar_url="")
        for seat, one in zip(state.seats, (people[name] for name in scene.cast), strict=True)
    )
    return replace(state, id=TableId(scene.name), seats=seats)


def _deal(players: int, *skills: Skill) -> Deal:
    order = tuple(range(players + 2))
    fallbacks = skills or (Skill.REVEAL,) * players
    nonces = tuple(random.Random(number).randbytes(16).hex() for number in range(3))
    return Deal(CODES[players], nonces, (order, order, order), fallbacks, "ab" * 32)


def _begin(players: int, *skills: Skill, at_ms: int, **made: object) -> Play:
    """In the first turn, every seat holding the skill named for it."""
    return Play.in_round(players, skills=skills, deal=_deal(players, *skills), at_ms=at_ms, **made)


def guess(play: Play, times: int, seed: int = 5) -> Play:
    """So many wrong guesses, some seconds apart."""
    chance = random.Random(seed)
    for _ in range(times):
        digits = play.code
        while digits == play.code:
            digits = "".join(chance.sample("0123456789", len(play.code)))
        play.wait(chance.randrange(3_000, 9_000))
        play.guess(digits)
    return play


def _until_turn_of(play: Play, seat: int, seed: int = 9) -> Play:
    while play.on_turn != seat:
        guess(play, 1, seed)
        seed += 1
    return play.wait(7_000)


DUO_SKILLS = (Skill.REVEAL, Skill.FREEZE)
QUARTET_SKILLS = (Skill.XRAY, Skill.FREEZE, Skill.EXTRA_TURN, Skill.REVEAL)


def _picking(picked: int, players: int = 2) -> Callable[[int], Play]:
    def play(at_ms: int) -> Play:
        one = Play.of(players, skills=QUARTET_SKILLS[:players], deal=_deal(players, *QUARTET_SKILLS[:players]), at_ms=at_ms, type=RANKED)
        for seat in range(picked):
            one.wait(2_000)
            one.pick(seat, QUARTET_SKILLS[seat])
        return one.wait(3_000)

    return play


def _countdown(at_ms: int) -> Play:
    play = _picking(1)(at_ms)
    play.pick(1, Skill.FREEZE)
    return play.wait(1_000)


def _own_turn(at_ms: int) -> Play:
    return guess(_begin(2, *DUO_SKILLS, at_ms=at_ms, type=RANKED), 6).wait(12_000)


def _first_turn(at_ms: int) -> Play:
    return _begin(2, *DUO_SKILLS, at_ms=at_ms).wait(4_000)


def _others_turn(at_ms: int) -> Play:
    return guess(_begin(2, *DUO_SKILLS, at_ms=at_ms, type=RANKED), 5).wait(9_000)


def _few_left(at_ms: int) -> Play:
    play = _begin(2, Skill.EXTRA_TURN, Skill.FREEZE, at_ms=at_ms, type=RANKED)
    return guess(play, 8).wait(22_000)


def _revealed(at_ms: int) -> Play:
    play = guess(_begin(3, Skill.REVEAL, Skill.XRAY, Skill.FREEZE, at_ms=at_ms), 4)
    play.use(0)
    guess(play, 2)
    play.use()
    return play.wait(5_000)


def _frozen(at_ms: int) -> Play:
    play = guess(_begin(3, Skill.REVEAL, Skill.FREEZE, Skill.XRAY, at_ms=at_ms, difficulty=HARDCORE), 4)
    play.use(0)
    return play.wait(4_000)


def _four(at_ms: int) -> Play:
    """Everything at once: an opponent watched, one frozen, one away, rows of every kind, the own turn."""
    play = _begin(4, *QUARTET_SKILLS, at_ms=at_ms, difficulty=HARDCORE, type=RANKED)
    guess(play, 4)
    play.use(1)
    guess(play, 1)
    play.use(3)
    guess(play, 2, 8)
    _until_turn_of(play, 2)
    play.time_out()
    _until_turn_of(play, 0)
    play.vanish(2)
    return play.wait(9_000)


def _four_full(at_ms: int) -> Play:
    """The longest board: one guess left of the twenty."""
    play = _begin(4, *QUARTET_SKILLS, at_ms=at_ms, type=RANKED)
    play.use(1)
    return guess(play, 19, 3).wait(2_000)


def _targets(at_ms: int) -> Play:
    """A choice of three to freeze, of whom one is frozen already and one has left."""
    play = guess(_begin(4, Skill.FREEZE, Skill.REVEAL, Skill.REVEAL, Skill.FREEZE, at_ms=at_ms), 7)
    play.use(1)
    guess(play, 1)
    play.forfeit(2)
    return play.wait(3_000)


def _whom(at_ms: int) -> Play:
    """A choice of three to freeze, before anybody has left."""
    return _until_turn_of(guess(_begin(4, Skill.FREEZE, *QUARTET_SKILLS[:3], at_ms=at_ms), 3), 0).wait(3_000)


def _left(at_ms: int) -> Play:
    play = guess(_begin(4, *QUARTET_SKILLS, at_ms=at_ms, type=RANKED), 8)
    play.forfeit(3)
    return guess(play, 1).wait(5_000)


def _look_on(at_ms: int) -> Play:
    play = guess(_begin(3, Skill.REVEAL, Skill.FREEZE, Skill.XRAY, at_ms=at_ms), 5)
    play.forfeit(0)
    return play.wait(2_000)


def _inactive(at_ms: int) -> Play:
    play = guess(_begin(2, *DUO_SKILLS, at_ms=at_ms, type=RANKED), 2)
    play.time_out().time_out()
    return play.wait(3_000)


def _away(at_ms: int) -> Play:
    play = guess(_begin(2, *DUO_SKILLS, at_ms=at_ms, type=RANKED), 3)
    play.vanish(0)
    return play.wait(14_000)


def _round_over(winner: int | None, players: int = 2) -> Callable[[int], Play]:
    def play(at_ms: int) -> Play:
        one = guess(_begin(players, *QUARTET_SKILLS[:players], at_ms=at_ms, type=RANKED), 3)
        if winner is None:
            one.draw_round()
        else:
            _until_turn_of(one, winner).crack()
        return one.wait(1_000)

    return play


def finished(*winners: int | None, players: int = 2, leaves: int | None = None, **made: object) -> Callable[[int], Play]:
    """A whole match, round by round; `leaves` forfeits in the middle of the last one."""

    def play(at_ms: int) -> Play:
        one = _begin(players, *QUARTET_SKILLS[:players], at_ms=at_ms, **made)
        for number, winner in enumerate(winners):
            if number:
                one.next_round()
            guess(one, 2, 20 + number)
            if number == len(winners) - 1 and leaves is not None:
                one.forfeit(leaves, LeaveReason.QUIT)
            if one.state.end is None:
                _crack_or_draw(one, winner)
        return one

    return play


def _crack_or_draw(play: Play, winner: int | None) -> None:
    if winner is None:
        play.draw_round()
    else:
        _until_turn_of(play, winner).crack()


def cancelled(at_ms: int) -> Play:
    """A match in which nobody guesses any more."""
    play = guess(_begin(2, *DUO_SKILLS, at_ms=at_ms, type=RANKED), 2)
    while play.state.end is None:
        play.time_out()
    return play


LIVE = (
    Scene("pick", TWO, _picking(0)),
    Scene("pick-bot", ("mira_k", "velvet_otter4821", "nova_7"), _picking(1, 3)),
    Scene("countdown", TWO, _countdown),
    Scene("first-turn", WITH_BOT, _first_turn),
    Scene("own-turn", TWO, _own_turn),
    Scene("others-turn", TWO, _others_turn),
    Scene("bots-turn", WITH_BOT, _others_turn),
    Scene("longest-name", LONGEST, _own_turn),
    Scene("few-left", TWO, _few_left),
    Scene("revealed", THREE, _revealed),
    Scene("frozen", THREE, _frozen),
    Scene("four", FOUR, _four),
    Scene("four-full", FOUR, _four_full),
    Scene("targets", FOUR, _targets),
    Scene("whom", FOUR, _whom),
    Scene("whom-else", FOUR, _whom),
    Scene("left", FOUR, _left),
    Scene("look-on", THREE, _look_on),
    Scene("inactive", TWO, _inactive),
    Scene("away", TWO, _away),
    Scene("round-won", TWO, _round_over(0)),
    Scene("round-lost", WITH_BOT, _round_over(1)),
    Scene("round-drawn", TWO, _round_over(None)),
    Scene("round-four", FOUR, _round_over(2, 4)),
)
