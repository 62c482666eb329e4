"""The whole screen of a match as the stream sends it.

When a round begins or ends it is the same for everybody but for some names, digits and times, so that it is only filled in. The shape
is the view itself with those texts blanked: whatever a template might test of it is part of the shape by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from guessio.engine.match import view
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import MatchView, RoundResultView, SeatView, SkillView
from guessio.live import match_screen, match_strip, painting
from guessio.live.stencils import Holes, filled_screen, safe
from guessio.rules.terms import AccountId, MatchPhase, TableId

Words = dict[str, Any]
Blanked = tuple[MatchView, Words]


def shown(state: MatchState, viewer: AccountId, now_ms: int) -> str:
    """`#table` as this viewer may see it now; empty for somebody without a seat."""
    seen = view.view_for(state, viewer, now_ms)
    return "" if seen.own_seat is None else drawn(seen)


def drawn(shown: MatchView) -> str:
    """`#table` of this view, byte for byte as its template gives it."""
    blank = _BLANKS.get(shown.phase)
    if blank is None or _is_singular(shown):
        return painting.draw("match/table", match_screen.context(shown))
    holes = Holes()
    seen, words = blank(shown, holes)
    strip = match_screen.strip_of(shown)
    words |= match_strip.blank_words(strip, shown.seats, holes)

    def stencil() -> str:
        return painting.draw("match/table", match_screen.context(seen) | words)

    return filled_screen((seen, match_strip.tested(strip)), stencil, tuple(holes.values))


def _is_singular(shown: MatchView) -> bool:
    """Whether somebody's own clock runs, or the board is one of a kind."""
    return match_strip.is_anyone_away(shown.seats) or (shown.phase is MatchPhase.TURN and bool(shown.rows or shown.revealed))


def _round_begun(shown: MatchView, holes: Holes) -> Blanked:
    blank = replace(
        shown,
        id=TableId(holes.take(safe(shown.id))),
        turn=cast(int, holes.take(str(shown.turn))),
        turn_name=holes.take(safe(shown.turn_name)),
        commitment=holes.take(shown.commitment),
        remaining_ms=None,
        seats=_seats(shown.seats, holes),
        skill=_skill(shown.skill, holes),
        results=(),
    )
    return blank, {}


def _round_ended(shown: MatchView, holes: Holes) -> Blanked:
    result = shown.results[-1]
    blank = replace(
        shown,
        id=TableId(holes.take(safe(shown.id))),
        guesses_used=0,
        commitment="",
        remaining_ms=None,
        seats=_seats(shown.seats, holes),
        rows=(),
        keys=(),
        own_guesses_in_round=0,
        skill=None,
        results=(_result(result, holes),),
        winner_name="",
    )
    spent = match_screen.result_times(result, shown.remaining_ms)
    return blank, {name: holes.take(value) for name, value in spent.items()}


def _result(result: RoundResultView, holes: Holes) -> RoundResultView:
    return replace(
        result,
        code="".join([holes.take(digit) for digit in result.code]),
        nonce=holes.take(result.nonce),
        commitment=holes.take(result.commitment),
        winner_name=holes.take(safe(result.winner_name)),
        duration_ms=0,
        guesses_used=cast(int, holes.take(str(result.guesses_used))),
        fastest_ms=None if result.fastest_ms is None else 0,
        fastest_name=holes.take(safe(result.fastest_name)),
        next_opener_name=holes.take(safe(result.next_opener_name)) if result.next_opener_name else "",
    )


def _seats(seats: tuple[SeatView, ...], holes: Holes) -> tuple[SeatView, ...]:
    """Of a face only whether it has a picture; how it looks is among the words of the strip."""
    return tuple(
        [
            seat._replace(account=AccountId(0), username="", name=holes.take(safe(seat.name)), avatar_url=seat.avatar_url and "/", rating=0)
            for seat in seats
        ]
    )


def _skill(skill: SkillView | None, holes: Holes) -> SkillView | None:
    if skill is None:
        return None
    return replace(skill, targets=tuple([replace(target, name=holes.take(safe(target.name))) for target in skill.targets]))


_BLANKS: dict[MatchPhase, Callable[[MatchView, Holes], Blanked]] = {
    MatchPhase.TURN: _round_begun,
    MatchPhase.PAUSE: _round_ended,
    MatchPhase.CLOSING: _round_ended,
}
