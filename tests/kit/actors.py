"""Playing a match by hand: `Play` holds a match and its time, and does what a seat says."""

from __future__ import annotations

from typing import Any, TypeVar

from guessio.engine import match
from guessio.engine.machine import Rejected, Step
from guessio.engine.match.commands import Connect, Disconnect, Forfeit, MatchCommand, PickSkill, SubmitGuess, UseSkill
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState, Round, Seat, Turn
from guessio.engine.match.views import MatchView
from guessio.rules.terms import LeaveReason, MatchPhase, SeatNo, Skill
from tests.kit.builders import a_deal, a_match, account

E = TypeVar("E", bound=MatchEvent)


class Play:
    """One match in play. Each command comes at `now_ms`; `events` holds what the last one brought, `log` everything."""

    def __init__(self, state: MatchState) -> None:
        self.state = state
        self.now_ms = state.created_ms
        self.events: tuple[MatchEvent, ...] = ()
        self.log: list[MatchEvent] = []

    @classmethod
    def of(cls, players: int = 2, **made: Any) -> Play:
        """A match just made; arguments as `builders.a_match`."""
        return cls(a_match(players, **made))

    @classmethod
    def in_round(cls, players: int = 2, **made: Any) -> Play:
        """A match in the first turn of round 1; with `skills=` every seat holds the one named for it."""
        play = cls.of(players, **made)
        for seat, skill in enumerate(made.get("skills") or ()):
            if not play.state.seats[seat].is_bot:
                play.pick(seat, skill)
            else:
                play.to_deadline()
        play.to_deadline()
        return play

    @classmethod
    def holding(cls, *skills: Skill, **made: Any) -> Play:
        """A match in round 1 whose seats hold these skills."""
        deal = made.pop("deal", None) or a_deal(len(skills), skills=skills)
        return cls.in_round(len(skills), skills=skills, deal=deal, **made)

    # what stands on the table

    @property
    def round(self) -> Round:
        """The last round."""
        return self.state.rounds[-1]

    @property
    def turn(self) -> Turn:
        """The running turn."""
        assert self.state.turn is not None
        return self.state.turn

    @property
    def on_turn(self) -> SeatNo:
        """The seat whose turn it is."""
        return self.turn.seat

    @property
    def code(self) -> str:
        """The code of the last round."""
        return self.state.deal.codes[len(self.state.rounds) - 1]

    def seat(self, number: int) -> Seat:
        """The state of one seat."""
        return self.state.seats[number]

    def view(self, seat: int) -> MatchView:
        """What this seat sees now."""
        return match.view_for(self.state, account(seat), self.now_ms)

    def wrong(self, variant: int = 0) -> str:
        """A valid guess that misses the running code; another one for each variant."""
        digits = "9876543210"
        turned = digits[variant % 10 :] + digits[: variant % 10]
        guess = turned[: len(self.code)]
        return guess if guess != self.code else guess[::-1]

    # what seats do

    def do(self, command: MatchCommand) -> Step | Rejected:
        """Apply any command now."""
        outcome = match.apply(self.state, command, self.now_ms)
        self.events = ()
        if isinstance(outcome, Step):
            self._take(outcome)
        return outcome

    def guess(self, digits: str | None = None, *, seat: int | None = None, turn: int | None = None) -> Step | Rejected:
        """Guess; by default a wrong guess, by the one on turn, for the running turn."""
        seat = self.on_turn if seat is None else seat
        turn = self.turn.number if turn is None else turn
        return self.do(SubmitGuess(account(seat), turn, self.wrong() if digits is None else digits))

    def crack(self) -> Step | Rejected:
        """The one on turn guesses the code."""
        return self.guess(self.code)

    def use(self, target: int | None = None, *, seat: int | None = None, turn: int | None = None) -> Step | Rejected:
        """The one on turn uses their skill."""
        seat = self.on_turn if seat is None else seat
        turn = self.turn.number if turn is None else turn
        return self.do(UseSkill(account(seat), turn, None if target is None else SeatNo(target)))

    def pick(self, seat: int, skill: Skill) -> Step | Rejected:
        """Pick a skill."""
        return self.do(PickSkill(account(seat), skill))

    def forfeit(self, seat: int, reason: LeaveReason = LeaveReason.QUIT) -> Step | Rejected:
        """Leave for good."""
        return self.do(Forfeit(account(seat), reason))

    def vanish(self, seat: int, since_ms: int | None = None) -> Step | Rejected:
        """Lose the last connection, now or at `since_ms`."""
        return self.do(Disconnect(account(seat), self.now_ms if since_ms is None else since_ms))

    def come_back(self, seat: int) -> Step | Rejected:
        """Open a connection."""
        return self.do(Connect(account(seat)))

    # time

    def wait(self, by_ms: int) -> Play:
        """Let time pass and settle what falls due."""
        self.now_ms += by_ms
        self._take(match.tick(self.state, self.now_ms))
        return self

    def to_deadline(self) -> Play:
        """Let time pass up to the next deadline."""
        due = match.next_deadline(self.state)
        assert due is not None, "the match is over"
        return self.wait(due - self.now_ms)

    def time_out(self) -> Play:
        """Let the running turn (or any other phase) run out."""
        assert self.state.until_ms is not None
        return self.wait(self.state.until_ms - self.now_ms)

    def next_round(self) -> Play:
        """Let the pause pass."""
        assert self.state.phase is MatchPhase.PAUSE
        return self.time_out()

    def win_round(self, seat: int) -> Play:
        """Play the running round until `seat` cracks it."""
        while self.on_turn != seat:
            self.guess()
        self.crack()
        return self

    def draw_round(self) -> Play:
        """Play the running round up to its limit without a hit."""
        number = len(self.state.rounds)
        while self.state.phase is MatchPhase.TURN and len(self.state.rounds) == number:
            self.guess()
        return self

    def happened(self, kind: type[E]) -> list[E]:
        """The events of one kind that the last command or wait brought."""
        return [event for event in self.events if isinstance(event, kind)]

    def _take(self, step: Step) -> None:
        self.state = step.state
        self.events = step.events
        self.log.extend(step.events)
