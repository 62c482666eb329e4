"""What one step of a match changes on one viewer's screen, as small fragments.

A new phase swaps the whole of `#table`; anything else pushes only what it touches: the new row, the strip of seats, the keys that the
row tells about, and a line beside the pad. The entry itself is never pushed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

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
from guessio.engine.match.views import RowView, SeatView
from guessio.live import match_screen, match_strip, match_whole, match_words, pad_parts, painting
from guessio.live.match_strip import Strip
from guessio.live.painting import draw, partial
from guessio.live.stencils import HOLES, Holes, filled, safe
from guessio.rules import rounds
from guessio.rules.terms import AccountId, MatchPhase, MatchType, SeatNo, Skill

_NEW_SCREEN = frozenset([PickStarted, CountdownStarted, RoundStarted, RoundEnded, MatchEnded])
# The result of a round has no strip of seats to bring up to date.
_WITH_STRIP = (MatchPhase.PICKING, MatchPhase.COUNTDOWN, MatchPhase.TURN)
_CALM = partial("#inactivity", "outerHTML", '<p class="banner" id="inactivity" data-tone="warn" hidden></p>')
FEW_LEFT = 3


@dataclass(slots=True)
class Push:
    """One message in the making, for one viewer."""

    state: MatchState
    viewer: AccountId
    own: SeatNo | None
    now_ms: int
    seats: tuple[SeatView, ...]
    is_new_screen: bool
    rows: list[RowView] = field(default_factory=list[RowView])
    has_turn: bool = False
    has_seats: bool = False
    has_skill: bool = False
    has_reveal: bool = False
    parts: list[str] = field(default_factory=list[str])
    toasts: list[str] = field(default_factory=list[str])
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    cues: list[str] = field(default_factory=list[str])


def stepped(state: MatchState, events: tuple[MatchEvent, ...], viewer: AccountId, now_ms: int) -> str:
    """The message for one viewer, with nothing in it that this viewer may not know; empty when it would say nothing."""
    seats = view.seats(state, viewer, now_ms)
    own = next((seat.seat for seat in seats if seat.is_own), None)
    heard = [event for event in events if view.hears(event, own)]
    if not heard or own is None:
        return ""
    is_new_screen = not _NEW_SCREEN.isdisjoint([type(event) for event in heard]) or _has_left(heard, own)
    push = Push(state, viewer, own, now_ms, seats, is_new_screen)
    for event in heard:
        if not is_new_screen:
            _gather(push, event)
        match_words.tell(push, event)
    changed = _screen(push) if is_new_screen else _small(push)
    return changed + "".join(push.toasts) + painting.news(push.said) + painting.cue(push.cues)


def _has_left(heard: list[MatchEvent], own: SeatNo) -> bool:
    """Whether the viewer's own seat was given up just now."""
    return any(isinstance(event, SeatLeft) and event.seat == own for event in heard)


def _screen(push: Push) -> str:
    return partial("#table", "outerHTML", match_whole.shown(push.state, push.viewer, push.now_ms))


def _gather(push: Push, event: MatchEvent) -> None:
    """Note what an event touches on a screen that stays."""
    match event:
        case GuessMarked():
            push.rows.append(view.row_view(push.state, push.viewer, event.number))
        case TurnStarted():
            push.has_turn = push.has_seats = True
            push.has_skill = push.has_skill or event.seat == push.own
        case TurnSkipped():
            push.rows.append(view.skip_view(push.state, push.viewer, event.turn))
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
    parts = _row_parts(push) + push.parts
    if push.has_seats and push.state.phase in _WITH_STRIP:
        parts.append(_turn_parts(push) if push.has_turn and push.state.turn else _strip_part(push))
    if push.has_skill and push.state.skills_on and push.own is not None and not push.seats[push.own].has_left:
        parts.append(_skill_parts(push))
    if push.has_reveal:
        parts.append(_reveal_parts(push))
    return "".join(parts)


def _strip_part(push: Push) -> str:
    return partial("#seats", "outerMorph", match_strip.drawn(_strip(push), push.seats))


def _turn_parts(push: Push) -> str:
    """A new turn: the strip of seats and the line beside the pad, which go together nearly always."""
    words = _turn_words(push)
    if match_strip.is_anyone_away(push.seats):
        return _strip_part(push) + pad_parts.turn(words)
    strip, seats = _strip(push), push.seats

    def stencil() -> str:
        holes = Holes()
        return partial("#seats", "outerMorph", match_strip.blank(strip, seats, holes)) + pad_parts.blank_turn(words, holes)

    shape = ("match/turn", words["can_guess"], *match_strip.shape(strip, seats))
    return filled(shape, stencil, match_strip.values(strip, seats) + pad_parts.turn_values(words))


def _row_parts(push: Push) -> list[str]:
    """The new rows, and what follows from them: the count of the shared limit and the keys they tell about."""
    if not push.rows:
        return []
    players = len(push.seats)
    parts = [partial("#board-end", "beforebegin", "".join([_row(push, row) for row in push.rows]))]
    guesses = [row for row in push.rows if not row.is_skip]
    if not guesses:
        return parts
    parts += [_CALM, _used(guesses[-1].number, rounds.limit(players))]
    told = {digit for row in guesses if row.marks is not None for digit in row.digits}
    return parts + _key_parts(push, told)


def _row(push: Push, row: RowView) -> str:
    """A new row of the board; one with a guess is only filled in."""
    if row.is_skip:
        return _drawn_row(push, row)
    shape = ("match/row", len(push.seats), row.is_own, row.is_xray, row.marks, push.seats[row.seat].is_bot)
    values = (row.key, str(row.number), safe(row.name), *row.digits)

    def stencil() -> str:
        digits = "".join(HOLES[3 : 3 + len(row.digits)])
        return _drawn_row(push, row._replace(key=HOLES[0], number=cast(int, HOLES[1]), name=HOLES[2], digits=digits))

    return filled(shape, stencil, values)


def _drawn_row(push: Push, row: RowView) -> str:
    return draw("match/rows", {"players": len(push.seats), "is_new": True, "bots": match_screen.bots(push.seats), "rows": [row]})


def _used(used: int, limit: int) -> str:
    def stencil() -> str:
        return partial("#used", "outerHTML", draw("match/used", {"guesses_used": used, "guess_limit": limit}))

    return filled(("match/used", used, limit), stencil)


def _key_parts(push: Push, digits: set[str]) -> list[str]:
    if not digits:
        return []
    can_guess = push.own is not None and push.seats[push.own].on_turn
    return [pad_parts.key(key.digit, key.mark, can_guess) for key in view.keys(push.state, push.viewer, sorted(digits))]


def _strip(push: Push) -> Strip:
    """What is told of all seats together, from the parts of a view that it needs."""
    remaining_ms, total_ms = view.clock(push.state, push.now_ms)
    turn = push.state.turn
    return Strip(
        picking=push.state.phase is MatchPhase.PICKING,
        in_turn=turn is not None,
        is_ranked=push.state.type is MatchType.RANKED,
        remaining_ms=remaining_ms,
        total_ms=total_ms,
        span=f"turn-{turn.number}" if turn else match_screen.picking_span(push.seats),
    )


def _turn_words(push: Push) -> dict[str, Any]:
    turn = seating.certain(push.state.turn)
    players = len(push.seats)
    own = push.seats[push.own] if push.own is not None else None
    one = push.state.rounds[-1]
    return match_screen.turn_words(
        turn=turn.number,
        can_guess=turn.seat == push.own,
        turn_name=push.seats[turn.seat].name,
        is_frozen=own is not None and own.is_frozen,
        round_number=one.number,
        guess=len(one.guesses) + 1,
        limit=rounds.limit(players),
    )


def _skill_parts(push: Push) -> str:
    """The button of one's own skill and the form behind it, filled in; a dialog that is open stays so (static/js/dialog.js)."""
    turn = push.state.turn
    skill = view.skill_view(push.state, push.viewer)
    shown: dict[str, Any] = {
        "skill": skill,
        "own_turn": turn is not None and turn.seat == push.own,
        "id": HOLES[0],
        "turn": HOLES[1],
        "csrf": "",
        "bots": match_screen.bots(push.seats),
    }
    targets = skill.targets if skill else ()

    def stencil() -> str:
        if skill is not None:
            blank = [replace(target, name=hole) for target, hole in zip(targets, HOLES[2:], strict=False)]
            shown["skill"] = replace(skill, targets=tuple(blank))
        button = partial("#pad-skill", "outerHTML", draw("match/pad_skill", shown))
        return button + partial("#skill", "outerMorph", draw("match/skill_form", shown))

    tested = skill and (skill.skill, skill.used, skill.active, skill.can_use, skill.why_not)
    shape = ("match/skill", tested, shown["own_turn"], shown["bots"], tuple([(target.seat, target.why_not) for target in targets]))
    values = (safe(push.state.id), str(turn.number if turn else 0), *[safe(target.name) for target in targets])
    return filled(shape, stencil, values)


def _reveal_parts(push: Push) -> str:
    """The place that Reveal Position has just shown: kept in sight, and its key marked."""
    shown = view.view_for(push.state, push.viewer, push.now_ms)
    known = {"revealed": shown.revealed, "digits": shown.digits}
    digits = {digit for _, digit in shown.revealed}
    return partial("#pad-known", "outerHTML", draw("match/pad_known", known)) + "".join(_key_parts(push, digits))
