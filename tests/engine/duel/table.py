"""A duel between Ann (seat 0) and Ben (seat 1), moved on by hand."""

from __future__ import annotations

from collections.abc import Sequence

from guessio.engine import duel
from guessio.engine.duel.commands import Connect, Disconnect, DuelCommand, Resign, SetSecret, SubmitGuess
from guessio.engine.duel.events import DuelEvent
from guessio.engine.duel.state import DuelState
from guessio.engine.duel.views import DuelView
from guessio.engine.machine import Rejected
from guessio.rules import clocks
from guessio.rules.terms import AccountId, DuelFormat, Refusal, SeatNo, SecretRule, TableId

ANN, BEN, STRANGER = AccountId(101), AccountId(102), AccountId(999)
MINUTE = 60_000


class Duel:
    """Commands by name, each at a moment that is given or one second after the last."""

    def __init__(
        self,
        *,
        clock_ms: int = MINUTE,
        length: int = 4,
        rule: SecretRule = SecretRule.REPEATS,
        form: DuelFormat = DuelFormat.PER_POSITION,
        bots: Sequence[int] = (),
        first: int = 0,
        seed: str = "ab" * 32,
        grace_ms: int | None = None,
        at_ms: int = 0,
    ) -> None:
        agreement = duel.Agreement(clock_ms, length, rule, form)
        ann = duel.NewSeat(ANN, "ann", "Ann", is_bot=0 in bots)
        ben = duel.NewSeat(BEN, "ben", "Ben", is_bot=1 in bots)
        deal = duel.Deal(SeatNo(first), seed)
        self.state: DuelState = duel.new(TableId("d1"), agreement, (ann, ben), deal, at_ms, grace_ms).state
        self.now_ms = at_ms
        self.events: tuple[DuelEvent, ...] = ()

    def do(self, command: DuelCommand, at_ms: int | None = None) -> Refusal | None:
        """Give a command; the refusal if there is one. `events` holds what it led to."""
        self.wait(at_ms)
        step = duel.apply(self.state, command, self.now_ms)
        if isinstance(step, Rejected):
            self.events = ()
            return step.refusal
        self.state, self.events = step.state, step.events
        return None

    def wait(self, until_ms: int | None = None) -> None:
        """Let time pass, as the runner does: deadlines are settled first."""
        self.now_ms = self.now_ms + 1_000 if until_ms is None else until_ms
        step = duel.tick(self.state, self.now_ms)
        self.state, self.events = step.state, step.events

    def secret(self, actor: AccountId, digits: str, at_ms: int | None = None) -> Refusal | None:
        return self.do(SetSecret(actor, digits), at_ms)

    def ready(self, ann: str = "1234", ben: str = "5678") -> Duel:
        """Both choose, Ann after one second and Ben after two."""
        assert self.secret(ANN, ann) is None
        assert self.secret(BEN, ben) is None
        return self

    def guess(self, actor: AccountId, digits: str, at_ms: int | None = None, turn: int | None = None, lag_ms: int = 0) -> Refusal | None:
        number = len(self.state.guesses) + 1 if turn is None else turn
        return self.do(SubmitGuess(actor, number, digits, lag_ms), at_ms)

    def resign(self, actor: AccountId, at_ms: int | None = None) -> Refusal | None:
        return self.do(Resign(actor), at_ms)

    def leaves(self, actor: AccountId, at_ms: int | None = None, since_ms: int | None = None) -> Refusal | None:
        self.wait(at_ms)
        return self.do(Disconnect(actor, self.now_ms if since_ms is None else since_ms), self.now_ms)

    def returns(self, actor: AccountId, at_ms: int | None = None) -> Refusal | None:
        return self.do(Connect(actor), at_ms)

    def clocks(self) -> tuple[int, int]:
        """What both clocks show now."""
        first, second = (clocks.left_at(seat.clock, self.now_ms) for seat in self.state.seats)
        return first, second

    def view(self, viewer: AccountId) -> DuelView:
        return duel.view_for(self.state, viewer, self.now_ms)
