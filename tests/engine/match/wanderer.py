"""A match in which everybody does anything at any time, with what must hold at every step.

What may be seen is judged by the wanderer's own notes of who did what, not by the engine's.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, replace

import msgspec

from guessio.engine import match
from guessio.engine.machine import Rejected, Step
from guessio.engine.match import events
from guessio.engine.match.commands import Connect, Disconnect, Forfeit, MatchCommand, PickSkill, SubmitGuess, UseSkill
from guessio.engine.match.state import MatchState, Round
from guessio.engine.match.views import MatchView
from guessio.rules import feedback, tunables
from guessio.rules import rounds as round_rules
from guessio.rules.terms import AccountId, Difficulty, LeaveReason, MatchPhase, MatchType, Outcome, RoundEnd, SeatNo, Skill
from tests.kit.builders import START_MS, a_match, a_random_deal, account

ACTIONS_AT_MOST = 250
BAD_TEXTS = ("", " ", "12", "1123", "12a4", "１２３４", "123456789", "-123")
ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(MatchState)


@dataclass(frozen=True, slots=True)
class Seen:
    """An X-Ray Vision as its user's command was accepted: which guesses of `target` it opens."""

    round: int
    target: int
    after: int


class Wanderer:
    """Plays one random match from a seed and checks it as it goes."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        players = self.chance.choice((2, 2, 3, 4))
        seats = range(players)
        self.bots = tuple(seat for seat in seats if self.chance.random() < 0.2)
        self.state = a_match(
            players,
            skills=() if self.chance.random() < 0.7 else None,
            difficulty=self.chance.choice(tuple(Difficulty)),
            type=self.chance.choice(tuple(MatchType)),
            bots=self.bots,
            deal=a_random_deal(players, self.chance),
        )
        self.first = self.state
        self.now_ms = START_MS
        self.busy = self.chance.choice((0.02, 0.5, 0.9))
        self.xrays: dict[int, list[Seen]] = {seat: [] for seat in seats}
        self.known_at_leaving: dict[int, int] = {}
        self.inputs: list[tuple[str, object, int]] = []
        self.last: MatchCommand | None = None
        self.met: Counter[object] = Counter()

    def play(self) -> Counter[object]:
        """Play to the end; gives what was met on the way."""
        actions = 0
        while not match.is_over(self.state):
            actions += 1
            assert actions < 3_000, "a match always ends"
            if actions > ACTIONS_AT_MOST:
                self._to_deadline()
            else:
                self._act()
            self._check()
        self._check_end()
        return self.met

    # doing anything

    def _act(self) -> None:
        what = self.chance.random()
        if what < 0.02:
            self._restart()
        elif what < 0.02 + 0.3 * (1 - self.busy):
            self._to_deadline()
        elif what < 0.33:
            self._pass_time(self.chance.choice((0, 1, 900, 2_999, 7_000, 7_000, 30_000, 61_000 if self.chance.random() < 0.2 else 10)))
        else:
            self._command(self._any_command())

    def _any_command(self) -> MatchCommand:
        what, actor = self.chance.random(), self._actor()
        if self.last is not None and what < 0.05:
            return self.last
        if what < 0.62:
            return SubmitGuess(actor, self._turn(), self._text())
        if what < 0.75:
            return UseSkill(actor, self._turn(), SeatNo(self.chance.randrange(-1, 5)) if self.chance.random() < 0.9 else None)
        if what < 0.83:
            return PickSkill(actor, self.chance.choice(tuple(Skill)))
        if what < 0.845:
            return Forfeit(actor, self.chance.choice(tuple(LeaveReason)))
        if what < 0.92:
            return Connect(self._anyone())
        return Disconnect(self._anyone(), self.now_ms - self.chance.choice((0, 0, 500, 4_000)))

    def _anyone(self) -> AccountId:
        return account(self.chance.randrange(len(self.state.seats))) if self.chance.random() < 0.97 else AccountId(7)

    def _actor(self) -> AccountId:
        """Mostly the one whose move it is: a person, for nobody has a bot's session."""
        state = self.state
        wanted = state.turn.seat if state.turn else state.picker
        if wanted is None or self.chance.random() < 0.2:
            wanted = SeatNo(self.chance.randrange(len(state.seats)))
        return AccountId(7) if wanted in self.bots else account(wanted)

    def _turn(self) -> int:
        running = self.state.turns_taken
        return running if self.chance.random() < 0.9 else self.chance.randrange(running + 3)

    def _text(self) -> str:
        what = self.chance.random()
        if what < 0.1:
            return self.chance.choice(BAD_TEXTS)
        if what < 0.18 and self.state.rounds:
            return self.state.deal.codes[len(self.state.rounds) - 1]
        return "".join(self.chance.sample("0123456789", round_rules.code_length(len(self.state.seats))))

    def _command(self, command: MatchCommand) -> None:
        before = self.state
        self.inputs.append(("apply", command, self.now_ms))
        outcome = match.apply(before, command, self.now_ms)
        if isinstance(outcome, Rejected):
            self.met[outcome.refusal] += 1
            return
        self._take(before, outcome)
        self.last = command
        self._note_xray(command, outcome)
        again = match.apply(self.state, command, self.now_ms)
        assert again == Step(self.state), f"a repeat took effect: {command}"

    def _note_xray(self, command: MatchCommand, outcome: Step) -> None:
        """Write down what a person's X-Ray Vision opens, from the event that they alone hear."""
        used = [event for event in outcome.events if isinstance(event, events.SkillUsed) and event.only == (event.seat,)]
        for event in used:
            if isinstance(command, UseSkill) and account(event.seat) == command.actor and event.target is not None:
                one = self.state.rounds[-1]
                self.xrays[event.seat].append(Seen(one.number, event.target, len(one.guesses)))

    # time

    def _pass_time(self, by_ms: int) -> None:
        self.now_ms += by_ms
        self.inputs.append(("tick", None, self.now_ms))
        self._take(self.state, match.tick(self.state, self.now_ms))

    def _to_deadline(self) -> None:
        due = match.next_deadline(self.state)
        assert due is not None
        self._pass_time(max(0, due - self.now_ms) + self.chance.choice((0, 0, 0, 3)))

    def _restart(self) -> None:
        """The server stops, loses its memory, and comes back after a while."""
        stored = ENCODER.encode(self.state)
        assert DECODER.decode(stored) == self.state
        downtime = self.chance.choice((0, 1_000, 3_600_000))
        self.now_ms += downtime
        self.inputs.append(("shift", downtime + tunables.RESUME_EXTRA_MS, self.now_ms))
        self.state = match.shift(DECODER.decode(stored), downtime + tunables.RESUME_EXTRA_MS)
        self.met["restart"] += 1

    def _take(self, before: MatchState, step: Step) -> None:
        assert (step.state is before) == (not step.events), "events tell of every change, and of nothing else"
        for event in step.events:
            self.met[type(event)] += 1
            if isinstance(event, events.SkillUsed):
                self.met[event.skill] += 1
            if isinstance(event, events.SeatLeft):
                self.known_at_leaving[event.seat] = self._guesses_until(step.state, event.seat)
        begun = sum(isinstance(event, events.TurnStarted) for event in step.events)
        frozen = sum(isinstance(event, events.TurnSkipped) and event.frozen_by is not None for event in step.events)
        assert step.state.turns_taken - before.turns_taken == begun + frozen, "each turn starts once"
        self.state = step.state

    def _guesses_until(self, state: MatchState, seat: int) -> int:
        """How many guesses of the whole match had been made when this seat was left."""
        left_ms = state.seats[seat].left_ms
        assert left_ms is not None
        return sum(guess.at_ms <= left_ms for one in state.rounds for guess in one.guesses)

    # what must hold

    def _check(self) -> None:
        state = self.state
        assert match.tick(state, self.now_ms).state is state
        due = match.next_deadline(state)
        assert (due is None) == (state.phase is MatchPhase.OVER)
        assert due is None or due > self.now_ms
        assert (state.turn is not None) == (state.phase is MatchPhase.TURN)
        assert (state.picker is not None) == (state.phase is MatchPhase.PICKING)
        assert (state.end is not None) == (state.phase in (MatchPhase.CLOSING, MatchPhase.OVER))
        self._check_seats(state)
        self._check_rounds(state)
        if self.chance.random() < 0.12:
            self._check_views(state)

    def _check_seats(self, state: MatchState) -> None:
        seated = [number for number, seat in enumerate(state.seats) if seat.left_ms is None]
        assert len(seated) >= 2 or (len(seated) == 1 and state.winner == seated[0])
        assert state.turn is None or state.turn.seat in seated
        assert set(match.engaged(state)) <= set(match.members(state))
        for seat in state.seats:
            assert not seat.skill_used or seat.skill is not None
            assert not seat.away_shown or seat.away_since_ms is not None
            assert not seat.is_bot or (seat.away_since_ms is None and seat.turns_skipped == 0)

    def _check_rounds(self, state: MatchState) -> None:
        limit, numbers = round_rules.limit(len(state.seats)), []
        assert len(state.rounds) <= tunables.ROUNDS_MAX
        for index, one in enumerate(state.rounds):
            running = index == len(state.rounds) - 1 and state.phase is MatchPhase.TURN
            assert (one.end is None) == running
            assert [guess.number for guess in one.guesses] == list(range(1, len(one.guesses) + 1))
            assert len(one.guesses) < limit or (len(one.guesses) == limit and not running)
            hits = [guess.seat for guess in one.guesses if guess.digits == state.deal.codes[index]]
            assert hits == ([one.winner] if one.end is RoundEnd.CRACKED else [])
            numbers += sorted([guess.turn for guess in one.guesses] + [skip.turn for skip in one.skips])
        assert numbers == sorted(set(numbers)), "a turn ends once"
        assert not numbers or numbers[-1] <= state.turns_taken - (state.turn is not None)

    def _check_views(self, state: MatchState) -> None:
        for seat in range(len(state.seats)):
            if seat not in self.bots:
                self._check_view(state, seat, match.view_for(state, account(seat), self.now_ms))
        stranger = match.view_for(state, AccountId(7), self.now_ms)
        assert all(row.marks is None for row in stranger.rows)
        self._check_secrets(state, stranger)

    def _check_view(self, state: MatchState, seat: int, view: MatchView) -> None:
        self._check_secrets(state, view)
        for row in view.rows:
            if row.marks is None:
                assert row.is_skip or row.seat != seat, "one's own marks are always there"
                continue
            one = state.rounds[-1]
            assert row.seat == seat or self._opened(state, one, seat, row.seat, row.number)
            assert row.marks == feedback.marks(state.deal.codes[one.number - 1], row.digits, state.difficulty)
        for other, shown in zip(state.seats, view.seats, strict=True):
            assert shown.disclosed_skill is None or (other.skill_disclosed and shown.disclosed_skill is not Skill.XRAY)
        assert view.can_guess == (state.turn is not None and state.turn.seat == seat)

    def _opened(self, state: MatchState, one: Round, seat: int, target: int, number: int) -> bool:
        earlier = sum(len(was.guesses) for was in state.rounds[:-1])
        in_time = seat not in self.known_at_leaving or earlier + number <= self.known_at_leaving[seat]
        return in_time and any(seen.round == one.number and seen.target == target and number > seen.after for seen in self.xrays[seat])

    def _check_secrets(self, state: MatchState, view: MatchView) -> None:
        """No code, nonce or seed of what has not ended, anywhere in the view (R1.2). The commitment is a hash of both."""
        shown = ENCODER.encode(replace(view, commitment="")).decode()
        finished = sum(one.end is not None for one in state.rounds)
        assert state.deal.seed not in shown
        assert all(nonce not in shown for nonce in state.deal.nonces[finished:])
        if len(state.rounds) > finished:
            running = ENCODER.encode(replace(view, commitment="", results=())).decode()
            code = state.deal.codes[finished]
            assert all(code not in text for text in re.findall(r'"([^"]*)"', running))

    def _check_end(self) -> None:
        result = match.results(self.state)
        self.met[result.end] += 1
        self.met.update(one.end for one in result.rounds)
        wins = [seat for seat in result.seats if seat.outcome is Outcome.WIN]
        assert len(wins) == (result.winner is not None)
        assert sum(seat.guesses for seat in result.seats) == result.total_guesses == sum(len(one.guesses) for one in result.rounds)
        assert sum(seat.rounds_won for seat in result.seats) == sum(one.winner is not None for one in result.rounds)
        assert all(one.duration_ms >= 0 for one in result.rounds)
        assert 0 <= result.duration_ms <= self.now_ms - START_MS
        assert self.state.turn is None
        assert match.engaged(self.state) == ()

    def replayed(self) -> MatchState:
        """The same inputs once more from the start."""
        state = self.first
        for what, argument, now_ms in self.inputs:
            match what, argument:
                case "tick", _:
                    state = match.tick(state, now_ms).state
                case "shift", int():
                    state = match.shift(state, argument)
                case _:
                    outcome = match.apply(state, argument, now_ms)  # type: ignore[arg-type]
                    state = outcome.state if isinstance(outcome, Step) else state
        return state
