"""Duels in the situations that a screen has to show: the first of the cast looks on from seat 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from guessio.engine.duel.state import DuelState
from guessio.rules.terms import DuelFormat, SecretRule, TableId
from tests.engine.duel.table import ANN, BEN, MINUTE, Duel
from tests.kit.stage_people import Persona

OWN, THEIRS = "7204", "3385"
GUESSES = ("0123", "9876", "3345", "7711", "3584", "2704", "3381", "7240")


@dataclass(frozen=True, slots=True)
class DuelScene:
    """One duel, played from the moment that it is made."""

    name: str
    cast: tuple[str, str]
    play: Callable[[int], Duel]


def make(scene: DuelScene, now_ms: int, people: dict[str, Persona]) -> DuelState:
    """The scene's duel as it stands at `now_ms`."""
    state = scene.play(now_ms - scene.play(0).now_ms).state
    first, second = (
        replace(seat, account=one.account, username=one.username, name=one.username, is_bot=one.is_bot)
        for seat, one in zip(state.seats, (people[name] for name in scene.cast), strict=True)
    )
    return replace(state, id=TableId(scene.name), seats=(first, second))


def _begin(at_ms: int, form: DuelFormat) -> Duel:
    return Duel(clock_ms=5 * MINUTE, rule=SecretRule.REPEATS, form=form, at_ms=at_ms)


def _guessed(times: int, form: DuelFormat = DuelFormat.PER_POSITION) -> Callable[[int], Duel]:
    def play(at_ms: int) -> Duel:
        duel = _begin(at_ms, form).ready(OWN, THEIRS)
        for number, digits in enumerate(GUESSES[:times]):
            duel.guess(ANN if number % 2 == 0 else BEN, digits, duel.now_ms + 9_000)
        duel.wait(duel.now_ms + 4_000)
        return duel

    return play


def _choosing(at_ms: int) -> Duel:
    duel = _begin(at_ms, DuelFormat.PER_POSITION)
    duel.wait(at_ms + 6_000)
    return duel


def _resigned(at_ms: int) -> Duel:
    duel = _guessed(7)(at_ms)
    duel.resign(BEN)
    return duel


TWO = ("mira_k", "a_name_as_long_as_names_may_be")
LIVE = (
    DuelScene("duel-choosing", TWO, _choosing),
    DuelScene("duel-own", TWO, _guessed(6)),
    DuelScene("duel-others", ("mira_k", "nova_7"), _guessed(5)),
    DuelScene("duel-totals", TWO, _guessed(8, DuelFormat.TOTALS_ONLY)),
    DuelScene("duel-over", TWO, _resigned),
)
