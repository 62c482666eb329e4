"""Vector timelines driven through the machines that the product runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guessio.engine import duel, match
from guessio.engine.duel import commands as duel_commands
from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.engine.match.commands import Forfeit, MatchCommand, SubmitGuess, UseSkill
from guessio.engine.match.events import GuessMarked, InactivityWarned, MatchEvent, SeatLeft, TurnSkipped, TurnStarted
from guessio.engine.match.state import Deal, Freeze, MatchState
from guessio.rules import clocks, points, rating, rounds
from guessio.rules.terms import (
    AccountId,
    Difficulty,
    DuelFormat,
    MatchEnd,
    MatchPhase,
    MatchType,
    Outcome,
    RoundEnd,
    SeatNo,
    SecretRule,
    Skill,
    TableId,
)
from tests.rules.judges import Case, letters, match_type

OVER = {
    RoundEnd.CRACKED: "cracked",
    RoundEnd.LIMIT: "limit",
    RoundEnd.AWARDED: "last player",
    RoundEnd.ABANDONED: "last player",
}


class Play:
    """One match of named players, moved on by hand."""

    def __init__(self, names: list[str], kind: MatchType = MatchType.RANKED) -> None:
        length = rounds.code_length(len(names))
        deal = Deal(
            codes=("0123456789"[:length],) * 3,
            nonces=("0" * 32,) * 3,
            reveal_orders=(tuple(range(length)),) * 3,
            fallback_skills=(Skill.REVEAL,) * len(names),
            seed="0" * 64,
        )
        seats = tuple(match.NewSeat(AccountId(number), name, name) for number, name in enumerate(names, start=1))
        step = match.new(TableId("t"), kind, Difficulty.STANDARD, True, seats, deal, 0)
        self.names = names
        self.state: MatchState = step.state
        self.now_ms = 0
        self.events: list[MatchEvent] = []
        while self.state.phase is MatchPhase.PICKING:
            self.wait()
        # The vectors let a player hold whichever skill the script uses.
        self.state = replace(self.state, seats=tuple(replace(seat, skill=None) for seat in self.state.seats))

    @property
    def over(self) -> bool:
        return self.state.end is not None

    @property
    def mover(self) -> SeatNo | None:
        return None if self.state.turn is None else self.state.turn.seat

    @property
    def code(self) -> str:
        return self.state.deal.codes[0]

    def seat(self, name: str) -> SeatNo:
        return SeatNo(self.names.index(name))

    def wait(self) -> None:
        """Let the running phase's time run out."""
        assert self.state.until_ms is not None
        self.now_ms = self.state.until_ms
        self._take(match.tick(self.state, self.now_ms))

    def do(self, command: MatchCommand) -> bool:
        """Give a command one second later; whether it was accepted and changed anything (a repetition does not)."""
        self.now_ms += 1_000
        step = match.apply(self.state, command, self.now_ms)
        if isinstance(step, Rejected):
            return False
        self._take(step)
        return bool(step.events)

    def guess(self, digits: str) -> bool:
        turn = self.state.turn
        if turn is None:
            return False
        return self.do(SubmitGuess(self.state.seats[turn.seat].account, turn.number, digits))

    def miss(self) -> bool:
        return self.guess(self.code[::-1])

    def use(self, skill: Skill, target: str | None = None) -> bool:
        turn = self.state.turn
        if turn is None:
            return False
        if self.state.seats[turn.seat].skill is None:
            seats = list(self.state.seats)
            seats[turn.seat] = replace(seats[turn.seat], skill=skill)
            self.state = replace(self.state, seats=tuple(seats))
        if self.state.seats[turn.seat].skill is not skill:
            return False
        seat = None if target is None else self.seat(target)
        return self.do(UseSkill(self.state.seats[turn.seat].account, turn.number, seat))

    def forfeit(self, name: str) -> bool:
        return self.do(Forfeit(self.state.seats[self.seat(name)].account))

    def open_round(self) -> None:
        while self.state.phase in (MatchPhase.COUNTDOWN, MatchPhase.PAUSE):
            self.wait()

    def draw_round(self) -> None:
        while self.state.phase is MatchPhase.TURN:
            assert self.miss()

    def win_round(self, name: str) -> None:
        while self.mover != self.seat(name):
            assert self.miss()
        assert self.guess(self.code)

    def _take(self, step: Any) -> None:
        self.state = step.state
        self.events.extend(step.events)


def turn_order(case: Case) -> None:
    """R1.4, R1.5, R1.8, R6.2, R7.4: who moves, in one round."""
    play = Play(case["players"])
    play.open_round()
    for name in case["forfeited_before"]:
        assert play.forfeit(name)
    for _ in range(case["round"] - 1):
        play.draw_round()
        play.open_round()
    play.events = [event for event in play.events if isinstance(event, TurnStarted)][-1:]
    refused = [index for index, entry in enumerate(case["script"]) if not _play_entry(play, entry)]
    running = play.state.rounds[-1]
    limit = rounds.limit(len(case["players"]))
    assert {
        "turns": _turns(play),
        "skipped_by_freeze": [
            play.names[event.seat] for event in play.events if isinstance(event, TurnSkipped) and event.frozen_by is not None
        ],
        "refused": refused,
        "next": None if play.mover is None else play.names[play.mover],
        "over": None if running.end is None else OVER[running.end],
        "guesses_left": limit - len(running.guesses),
    } == case["expected"]


def _play_entry(play: Play, entry: str) -> bool:
    """Whether one entry of a script was accepted; a rejected guess is what its entry says."""
    action, _, name = entry.partition(":")
    match action:
        case "guess":
            return play.miss()
        case "correct_guess":
            return play.guess(play.code)
        case "rejected_guess":
            return not play.guess("no digits")
        case "timeout":
            play.wait()
            return True
        case "use_extra_turn":
            return play.use(Skill.EXTRA_TURN)
        case "use_freeze":
            return play.use(Skill.FREEZE, name)
        case "forfeit":
            return play.forfeit(name)
        case _:
            raise ValueError(entry)


def _turns(play: Play) -> list[dict[str, Any]]:
    """The turns that ended, in the vectors' words."""
    ended: list[dict[str, Any]] = []
    running: TurnStarted | None = None
    for event in play.events:
        how: dict[str, Any] | None = None
        match event:
            case TurnStarted():
                running = event
            case GuessMarked():
                how = {"guess_no": event.number}
            case TurnSkipped() if event.frozen_by is None:
                how = {"end": "timeout"}
            case SeatLeft() if running is not None and event.seat == running.seat:
                how = {"end": "forfeit"}
            case _:
                pass
        if how is not None and running is not None:
            kind = "extra" if running.extra else "normal"
            ended.append({"player": play.names[running.seat], "kind": kind, **how})
            running = None
    return ended


def match_outcomes(case: Case) -> None:
    """R1.11, R7.4: when a match ends and who wins."""
    play = Play(case["players"])
    ended_by: int | None = None
    for index, event in enumerate(case["events"]):
        if play.over:
            break
        action, _, name = event.partition(":")
        match action, name:
            case "start", _:
                play.open_round()
            case "round", "draw":
                play.draw_round()
            case "round", _:
                play.win_round(name)
            case "forfeit", _:
                play.forfeit(name)
            case _:
                raise ValueError(event)
        ended_by = index if play.over else None
    state = play.state
    assert {
        "ended_by": ended_by,
        "winner": None if state.winner is None else play.names[state.winner],
        "result": "ongoing" if not play.over else "draw" if state.winner is None else "win",
        "rounds_won": {name: sum(one.winner == seat for one in state.rounds) for seat, name in enumerate(play.names)},
        "forfeited": _leavers(play),
        "rounds_finished": sum(one.end not in (None, RoundEnd.ABANDONED) for one in state.rounds),
    } == case["expected"]


def _leavers(play: Play) -> list[str]:
    return [play.names[event.seat] for event in play.events if isinstance(event, SeatLeft)]


def inactivity(case: Case) -> None:
    """R7.6: warning, cancellation, and what it costs."""
    kind = match_type(case)
    play = Play([player["id"] for player in case["players"]], kind)
    play.open_round()
    warnings: list[int] = []
    over_by: int | None = None
    following = [*case["events"][1:], ""]
    for index, (event, after) in enumerate(zip(case["events"], following, strict=True)):
        if play.over:
            break
        play.events.clear()
        _inactivity_event(play, event, after)
        if any(isinstance(one, InactivityWarned) for one in play.events):
            warnings.append(index)
        over_by = index if play.over else None
    cancelled = play.state.end is MatchEnd.INACTIVITY
    expected = case["expected"]
    assert warnings == expected["warnings"]
    assert (over_by if cancelled else None) == expected["cancelled_by"]
    assert over_by == expected["match_over_by"]
    if cancelled:
        assert _penalties(play, kind, case["players"]) == [
            {key: value for key, value in one.items() if key != "exact_half"} for one in expected["penalties"]
        ]


def _inactivity_event(play: Play, event: str, after: str) -> None:
    action, _, name = event.partition(":")
    if action in ("timeout", "guess", "rejected"):
        _hand_turn_to(play, name)
    if after.startswith("frozen:") and play.mover is not None:
        _freeze(play, after.removeprefix("frozen:"))
    match action:
        case "timeout":
            play.wait()
        case "guess":
            assert play.miss()
        case "rejected":
            assert not play.guess("no digits")
        case "forfeit":
            play.forfeit(name)
        case "round":
            # Kept at round 1, so that a case can have as many rounds as it likes.
            play.state = replace(play.state, rounds=(replace(play.state.rounds[-1], number=1),))
            play.draw_round()
            play.open_round()
        case "frozen":
            pass
        case _:
            raise ValueError(event)


def _hand_turn_to(play: Play, name: str) -> None:
    """The vectors name players without regard to who opens which round; the rule counts turns, not names."""
    assert play.state.turn is not None
    play.state = replace(play.state, turn=replace(play.state.turn, seat=play.seat(name)))


def _freeze(play: Play, name: str) -> None:
    assert play.mover is not None
    running = play.state.rounds[-1]
    frozen = replace(running, freezes=(*running.freezes, Freeze(play.mover, play.seat(name))))
    play.state = replace(play.state, rounds=(*play.state.rounds[:-1], frozen))


def _penalties(play: Play, kind: MatchType, players: list[Case]) -> list[Case]:
    if kind is MatchType.CUSTOM:
        assert all(change.applied == 0 for change in _rating_changes(kind, players))
        return []
    penalties: list[Case] = []
    for seat, player, change in zip(play.state.seats, players, _rating_changes(kind, players), strict=True):
        held = player["points"]
        delta = points.after_match(kind, Difficulty.STANDARD, Outcome.CANCELLED, held, seat.left_ms is not None)
        penalties.append(
            {
                "id": player["id"],
                "rating_after": change.after,
                "points_lost": -delta,
                "points_after": held + delta,
            }
        )
    return penalties


def _rating_changes(kind: MatchType, players: list[Case]) -> tuple[rating.Change, ...]:
    rated = [rating.Rated(player["rating"], 0, False, True, False) for player in players]
    return rating.after_match(kind, True, len(players), rated)


DUELLISTS = ("A", "B")


def duel_timeline(case: Case) -> None:
    """R17.2 to R17.6: one duel to the millisecond."""
    state = new_duel(case)
    refused: list[int] = []
    answers: list[Case] = []
    for index, (at_ms, name, action, *text) in enumerate(case["events"]):
        state = duel.tick(state, at_ms).state
        before = len(state.guesses)
        step = duel.apply(state, _duel_command(state, name, action, "".join(text), at_ms), at_ms)
        if isinstance(step, Rejected) or not step.events:
            refused.append(index)
        else:
            state = step.state
        if len(state.guesses) > before:
            answers.append({"event": index, "answer": _answer(state)})
    state = duel.tick(state, case["until_ms"]).state
    assert {
        "result": _duel_result(state),
        "clocks_ms": {name: clocks.left_at(seat.clock, case["until_ms"]) for name, seat in zip(DUELLISTS, state.seats, strict=True)},
        "on_move": None if state.on_move is None else DUELLISTS[state.on_move],
        "guesses": {name: sum(guess.seat == seat for guess in state.guesses) for seat, name in enumerate(DUELLISTS)},
        "answers": answers,
        "refused": refused,
    } == case["expected"]


def new_duel(case: Case) -> DuelState:
    """The duel of a case, made at 0."""
    agreement = duel.Agreement(case["clock_ms"], case["length"], SecretRule(case["secrets"]), DuelFormat(case["format"]))
    first = SeatNo(DUELLISTS.index(case["first"]))
    seats = (duel.NewSeat(AccountId(1), "A", "A"), duel.NewSeat(AccountId(2), "B", "B"))
    deal = duel.Deal(first, "0" * 64)
    return duel.new(TableId("t"), agreement, seats, deal, 0, case["grace_ms"]).state


def rematch(case: Case) -> None:
    """R17.4: a rematch gives the first move to the other player."""
    state = new_duel(
        {
            "clock_ms": 60_000,
            "length": 4,
            "secrets": "repeats",
            "format": "per_position",
            "first": case["previous_first"],
            "grace_ms": 60_000,
        }
    )
    assert DUELLISTS[duel.first_of_rematch(state)] == case["rematch_first"]


def _duel_command(state: DuelState, name: str, action: str, text: str, at_ms: int) -> duel_commands.DuelCommand:
    actor = state.seats[DUELLISTS.index(name)].account
    match action:
        case "ready":
            return duel_commands.SetSecret(actor, text)
        case "guess":
            return duel_commands.SubmitGuess(actor, len(state.guesses) + 1, text)
        case "resign":
            return duel_commands.Resign(actor)
        case "disconnect":
            return duel_commands.Disconnect(actor, at_ms)
        case "reconnect":
            return duel_commands.Connect(actor)
        case _:
            raise ValueError(action)


def _answer(state: DuelState) -> str | list[int]:
    """The answer to the newest guess, as its view shows it."""
    guess = state.guesses[-1]
    view = duel.view_for(state, state.seats[guess.seat].account, guess.at_ms)
    row = view.lanes[0].rows[-1]
    if row.marks is None:
        assert row.exact is not None
        assert row.misplaced is not None
        return [row.exact, row.misplaced]
    return letters(row.marks)


def _duel_result(state: DuelState) -> Case | None:
    if state.end is None:
        return None
    winner = None if state.winner is None else DUELLISTS[state.winner]
    return {"winner": winner, "reason": state.end.value, "at_ms": state.ended_ms}
