"""What one step of a match changes on one viewer's screen, as small fragments.

A new phase swaps the whole of `#table`; anything else pushes only what it touches: the new row, the strip of seats, the keys that the
row tells about, and a line beside the pad. The entry itself is never pushed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial as bound
from typing import Any

from guessio.engine.match import seating, view
from guessio.engine.match.events import (
    CountdownStarted,
    GuessMarked,
    InactivityWarned,
    MatchEnded,
    MatchEvent,
    PickStarted,
    RoundEnded,
    RoundStarted,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatWatched,
    SkillUsed,
    TurnSkipped,
    TurnStarted,
)
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import KeyView
from guessio.live import match_rows, match_screen, match_skill, match_strip, match_turns, match_whole, match_words, pad_parts, painting
from guessio.live.match_push import Push
from guessio.live.match_strip import Strip
from guessio.live.painting import draw, partial
from guessio.live.stencils import Holes, filled
from guessio.rules.terms import AccountId, MatchPhase, MatchType, SeatNo, Skill

JOINED = frozenset[type]([GuessMarked, TurnStarted])
"""What is told the same whether seen at once or some steps later."""
_NEW_SCREEN = frozenset([PickStarted, CountdownStarted, RoundStarted, RoundEnded, MatchEnded])
# The result of a round has no strip of seats to bring up to date.
_WITH_STRIP = (MatchPhase.PICKING, MatchPhase.COUNTDOWN, MatchPhase.TURN)


def step(state: MatchState, events: tuple[MatchEvent, ...], now_ms: int, kept: dict[Any, Any]) -> Callable[[AccountId], str]:
    """What gives each viewer the message about this step. `kept` is where drawing keeps what it wants again at this table's next step."""
    if not match_turns.is_one(state, events):
        return bound(stepped, state, events, now_ms=now_ms)
    cards = kept.get(match_turns.Cards)
    if cards is None:
        cards = kept[match_turns.Cards] = match_turns.Cards()
    return match_turns.Turned(state, events, now_ms, cards).shown_to


def stepped(state: MatchState, events: tuple[MatchEvent, ...], viewer: AccountId, now_ms: int) -> str:
    """The message for one viewer, with nothing in it that this viewer may not know; empty when it would say nothing."""
    own = seating.seat_of(state, viewer)
    heard = _still_so([event for event in events if view.hears(event, own)])
    if not heard or own is None:
        return ""
    is_new_screen = not _NEW_SCREEN.isdisjoint([type(event) for event in heard]) or _has_left(heard, own)
    push = Push(state, viewer, own, now_ms, view.seats(state, viewer, now_ms), is_new_screen)
    for event in heard:
        if not is_new_screen:
            _gather(push, event)
        match_words.tell(push, event)
    changed = _screen(push) if is_new_screen else _small(push)
    return changed + "".join(push.toasts) + painting.news(push.said) + painting.cue(push.cues)


def _still_so(events: list[MatchEvent]) -> list[MatchEvent]:
    """The events without turns that are over by now, because another began after them."""
    turns = [event for event in events if isinstance(event, TurnStarted)]
    return [event for event in events if event not in turns[:-1]] if len(turns) > 1 else events


def _has_left(heard: list[MatchEvent], own: SeatNo) -> bool:
    """Whether the viewer's own seat was given up just now."""
    return any(isinstance(event, SeatLeft) and event.seat == own for event in heard)


def _screen(push: Push) -> str:
    return partial("#table", "outerHTML", match_whole.shown(push.state, push.viewer, push.now_ms))


def _gather(push: Push, event: MatchEvent) -> None:
    """Note what an event touches on a screen that stays."""
    match event:
        case GuessMarked():
            push.rows.append(view.row_view(push.state, push.own, event.number))
        case TurnStarted():
            push.has_turn = push.has_seats = True
            push.has_skill = push.has_skill or event.seat == push.own
        case TurnSkipped():
            push.rows.append(view.skip_view(push.state, push.own, event.turn))
            push.has_skill = push.has_skill or (event.frozen_by is not None and event.frozen_by == push.own)
        case SkillUsed():
            push.has_seats = True
            push.has_turn = push.has_turn or event.target == push.own
            push.has_skill = push.has_skill or event.seat == push.own
            push.has_reveal = push.has_reveal or (event.seat == push.own and event.skill is Skill.REVEAL)
        case SeatAway() | SeatBack() | SeatLeft():
            push.has_seats = True
            push.has_skill = push.has_skill or (isinstance(event, SeatLeft) and push.state.phase is MatchPhase.TURN)
        case SeatWatched():
            push.parts.append(partial("#watched", "outerHTML", draw("match/watched", {"is_watched": True})))
        case InactivityWarned():
            push.parts.append(partial("#inactivity", "outerHTML", draw("match/inactivity", {"inactivity_warned": True})))
        case _:
            pass


def _small(push: Push) -> str:
    can_guess = push.seats[push.own].on_turn
    parts = push.parts
    if push.rows:
        parts = [match_rows.added(push.rows, push.seats), match_rows.keys(_changed_keys(push), can_guess=can_guess), *parts]
    if push.has_skill and push.state.skills_on and not push.seats[push.own].has_left:
        parts.append(match_skill.button(push.state, push.viewer))
    if push.has_reveal:
        parts.append(_reveal_parts(push))
    if push.has_seats and push.state.phase in _WITH_STRIP:
        parts.append(_turn_parts(push) if push.has_turn and push.state.turn else _strip_part(push))
    return "".join(parts)


def _changed_keys(push: Push) -> tuple[KeyView, ...]:
    """The keys of which the new rows told this viewer more."""
    marked = [row.number for row in push.rows if row.marks is not None]
    return view.changed_keys(push.state, push.own, marked[0]) if marked else ()


def _strip_part(push: Push) -> str:
    return partial("#seats", "outerMorph", match_strip.drawn(_strip(push), push.seats))


def _turn_parts(push: Push) -> str:
    """A new turn: the strip of seats and the line beside the pad, which go together nearly always."""
    words = match_screen.turn_words_of(push.state, push.seats, push.own)
    if match_strip.is_anyone_away(push.seats):
        return _strip_part(push) + pad_parts.turn(words)
    strip, seats = _strip(push), push.seats

    def stencil() -> str:
        holes = Holes()
        return partial("#seats", "outerMorph", match_strip.blank(strip, seats, holes)) + pad_parts.blank_turn(words, holes)

    shape = ("match/turn", words["can_guess"], *match_strip.shape(strip, seats))
    return filled(shape, stencil, match_strip.values(strip, seats) + pad_parts.turn_values(words))


def _strip(push: Push) -> Strip:
    """What is told of all seats together, from the parts of a view that it needs."""
    if push.state.turn is not None:
        return match_strip.in_turn(push.state, push.now_ms)
    remaining_ms, total_ms = view.clock(push.state, push.now_ms)
    is_ranked = push.state.type is MatchType.RANKED
    return Strip(push.state.phase is MatchPhase.PICKING, False, is_ranked, remaining_ms, total_ms, match_screen.picking_span(push.seats))


def _reveal_parts(push: Push) -> str:
    """The place that Reveal Position has just shown: kept in sight, and its key marked."""
    shown = view.view_for(push.state, push.viewer, push.now_ms)
    known = {"revealed": shown.revealed, "digits": shown.digits}
    digits = sorted({digit for _, digit in shown.revealed})
    marked = match_rows.keys(view.keys(push.state, push.viewer, digits), can_guess=push.seats[push.own].on_turn)
    return partial("#pad-known", "outerHTML", draw("match/pad_known", known)) + marked
