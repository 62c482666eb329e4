"""The button of one's own skill and the form behind it, as the stream pushes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guessio.engine.match import view
from guessio.engine.match.state import MatchState
from guessio.live.painting import draw, partial
from guessio.live.stencils import HOLES, filled, safe
from guessio.rules.terms import AccountId


def button(state: MatchState, viewer: AccountId) -> str:
    """Button and form, filled in; a dialog that is open stays so (static/js/dialog.js)."""
    turn = state.turn
    skill = view.skill_view(state, viewer)
    shown: dict[str, Any] = {
        "skill": skill,
        "own_turn": turn is not None and state.seats[turn.seat].account == viewer,
        "id": HOLES[0],
        "turn": HOLES[1],
        "csrf": "",
        "bots": frozenset([number for number, seat in enumerate(state.seats) if seat.is_bot]),
    }
    targets = skill.targets if skill else ()

    def stencil() -> str:
        if skill is not None:
            blank = [replace(target, name=hole) for target, hole in zip(targets, HOLES[2:], strict=False)]
            shown["skill"] = replace(skill, targets=tuple(blank))
        pressed = partial("#pad-skill", "outerHTML", draw("match/pad_skill", shown))
        return pressed + partial("#skill", "outerMorph", draw("match/skill_form", shown))

    tested = skill and (skill.skill, skill.used, skill.active, skill.can_use, skill.why_not)
    shape = ("match/skill", tested, shown["own_turn"], shown["bots"], tuple([(target.seat, target.why_not) for target in targets]))
    values = (safe(state.id), str(turn.number if turn else 0), *[safe(target.name) for target in targets])
    return filled(shape, stencil, values)
