"""What one step of a duel changes on one viewer's screen, as small fragments.

Becoming ready, the first move and the end swap the whole of `#table`; anything else pushes only what it touches: the new row, the
clocks, the keys that the row tells about, and a line beside the pad. The entry itself is never pushed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial as bound
from typing import Any

from guessio.engine.duel import seating, view
from guessio.engine.duel.events import DuelEnded, DuelEvent, GuessMarked, SeatAway, SeatBack, SecretSet, TurnStarted
from guessio.engine.duel.state import DuelState
from guessio.engine.duel.views import DuelRowView, LaneView
from guessio.live import duel_screen, duel_words, pad_parts, painting
from guessio.live.painting import draw, partial
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, SeatNo
from guessio.services import duel_lag


@dataclass(slots=True)
class Push:
    """One message in the making, for one viewer. `rows` are the new guesses, each with the seat that made it."""

    state: DuelState
    viewer: AccountId
    own: SeatNo
    now_ms: int
    is_new_screen: bool
    rows: list[tuple[SeatNo, DuelRowView]] = field(default_factory=list[tuple[SeatNo, DuelRowView]])
    clocks: set[SeatNo] = field(default_factory=set[SeatNo])
    has_turn: bool = False
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    cues: list[str] = field(default_factory=list[str])

    @property
    def rival_name(self) -> str:
        """The opponent's name."""
        return self.state.seats[seating.other(self.own)].name


def step(state: DuelState, events: tuple[DuelEvent, ...], now_ms: int, _kept: dict[Any, Any]) -> Callable[[AccountId], str]:
    """What gives each viewer the message about this step."""
    return bound(stepped, state, events, now_ms=now_ms)


def stepped(state: DuelState, events: tuple[DuelEvent, ...], viewer: AccountId, now_ms: int) -> str:
    """The message for one viewer, with nothing in it that this viewer may not know; empty when it would say nothing."""
    own = seating.seat_of(state, viewer)
    heard = [event for event in events if event.only is None or own in event.only]
    if own is None or not heard:
        return ""
    push = Push(state, viewer, own, now_ms, any(_is_new_screen(event, own) for event in heard))
    for event in heard:
        if not push.is_new_screen:
            _gather(push, event)
        duel_words.tell(push, event)
    changed = _screen(push) if push.is_new_screen else _small(push)
    return changed + painting.news(push.said) + painting.cue(push.cues)


def _is_new_screen(event: DuelEvent, own: SeatNo) -> bool:
    match event:
        case DuelEnded():
            return True
        case TurnStarted():
            return event.turn == 1
        case SecretSet():
            return event.seat == own
        case _:
            return False


def _screen(push: Push) -> str:
    return partial("#table", "outerHTML", duel_screen.drawn(push.state, push.viewer, push.now_ms))


def _gather(push: Push, event: DuelEvent) -> None:
    """Note what an event touches on a screen that stays."""
    match event:
        case GuessMarked():
            guess = push.state.guesses[event.turn - 1]
            push.rows.append((event.seat, view.row(push.state, guess)))
        case TurnStarted():
            push.clocks.update(seating.SEATS)
            push.has_turn = True
        case SecretSet() | SeatAway() | SeatBack():
            push.clocks.add(event.seat)
        case _:
            pass


def _small(push: Push) -> str:
    parts = [_row_part(push, seat, row) for seat, row in push.rows]
    lanes = {seat: view.lane(push.state, push.viewer, seat, push.now_ms) for seat in sorted(push.clocks)}
    parts += [_clock_part(push, lane) for lane in lanes.values()]
    if push.has_turn:
        parts.append(_turn_part(push))
    parts += _key_parts(push)
    return "".join(parts)


def _row_part(push: Push, seat: SeatNo, row: DuelRowView) -> str:
    shown = draw("duel/row", {"row": row, "is_own": seat == push.own, "is_new": True})
    return partial(f"#board-{seat}", "beforeend", shown)


def _clock_part(push: Push, lane: LaneView) -> str:
    turn = seating.turn_number(push.state)
    shown = draw("duel/seat", {"seat": duel_screen.seat_shown(lane, push.state.phase, turn)})
    return partial(f"#seat-{lane.seat}", "outerMorph", shown)


def _turn_part(push: Push) -> str:
    state = push.state
    guess = sum(one.seat == push.own for one in state.guesses) + 1
    words = duel_screen.turn_words(state.phase, seating.turn_number(state), state.on_move == push.own, False, push.rival_name, guess)
    sent = {"id": state.id, "turn": words["turn"], "sent": duel_lag.stamp(state, push.viewer, push.now_ms)}
    return pad_parts.turn(words) + partial("#lag", "outerHTML", draw("duel/lag", sent))


def _key_parts(push: Push) -> list[str]:
    """The keys that one's own new guess tells about; none in totals only, where every key stays as it is (R17.3)."""
    if push.state.agreement.format is DuelFormat.TOTALS_ONLY or push.state.phase is not DuelPhase.PLAYING:
        return []
    told = {digit for seat, row in push.rows if seat == push.own for digit in row.digits}
    if not told:
        return []
    can_guess = push.state.on_move == push.own
    return [pad_parts.key(key.digit, key.mark, can_guess) for key in view.keys(push.state, push.viewer) if key.digit in told]
