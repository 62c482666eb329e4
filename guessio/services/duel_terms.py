"""What two duellists agree to before they play, as forms, rows and records say it (R17.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from guessio.engine.duel.state import Agreement
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import DuelFormat, Refusal, SecretRule

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Terms:
    """An agreement in the words of the lobby: `minutes` on each clock, `length` of the secrets."""

    minutes: int
    length: int
    secret_rule: SecretRule
    format: DuelFormat

    @property
    def repeats_allowed(self) -> bool:
        """Whether a secret may use a digit twice."""
        return self.secret_rule is SecretRule.REPEATS

    @property
    def totals_only(self) -> bool:
        """Whether a guess is answered with two numbers instead of colours."""
        return self.format is DuelFormat.TOTALS_ONLY

    @property
    def agreement(self) -> Agreement:
        """The same for the engine, with the clock in milliseconds."""
        return Agreement(tunables.DUEL_CLOCKS_MS[self.minutes], self.length, self.secret_rule, self.format)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a form has to choose from, in the order in which it is shown."""

    minutes: tuple[int, ...]
    lengths: tuple[int, ...]
    secret_rules: tuple[SecretRule, ...]
    formats: tuple[DuelFormat, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """What the lobby's rows are narrowed to; None leaves a side open."""

    minutes: int | None = None
    length: int | None = None
    secret_rule: SecretRule | None = None
    format: DuelFormat | None = None

    def fits(self, terms: Terms) -> bool:
        """Whether an offer on these terms is shown."""
        wanted = (self.minutes, self.length, self.secret_rule, self.format)
        offered = (terms.minutes, terms.length, terms.secret_rule, terms.format)
        return all(want is None or want == has for want, has in zip(wanted, offered, strict=True))

    @property
    def is_open(self) -> bool:
        """Whether nothing is narrowed."""
        return self == Filter()


USUAL = Terms(5, 4, SecretRule.REPEATS, DuelFormat.PER_POSITION)
"""What a form has chosen before anybody touched it."""


def choices() -> Choices:
    """Everything that can be agreed."""
    return Choices(tuple(tunables.DUEL_CLOCKS_MS), tunables.DUEL_LENGTHS, tuple(SecretRule), tuple(DuelFormat))


def of(agreement: Agreement) -> Terms:
    """An agreement in the words of the lobby."""
    known = {clock_ms: minutes for minutes, clock_ms in tunables.DUEL_CLOCKS_MS.items()}
    minutes = known.get(agreement.clock_ms) or max(1, round(agreement.clock_ms / MINUTE_MS))
    return Terms(minutes, agreement.length, agreement.secret_rule, agreement.format)


def read(fields: Mapping[str, str]) -> Terms | Rejected:
    """The terms that a form's `clock`, `length`, `repeats` and `format` name. Refusals: BAD_CHOICE."""
    wanted = narrowing(fields)
    if wanted.minutes is None or wanted.length is None or wanted.secret_rule is None or wanted.format is None:
        return Rejected(Refusal.BAD_CHOICE)
    return Terms(wanted.minutes, wanted.length, wanted.secret_rule, wanted.format)


def narrowing(fields: Mapping[str, str]) -> Filter:
    """The filter that the same four fields name; whatever names nothing leaves its side open."""
    offered = choices()
    return Filter(
        minutes=next((one for one in offered.minutes if str(one) == fields.get("clock")), None),
        length=next((one for one in offered.lengths if str(one) == fields.get("length")), None),
        secret_rule=next((one for one in offered.secret_rules if one == fields.get("repeats")), None),
        format=next((one for one in offered.formats if one == fields.get("format")), None),
    )
