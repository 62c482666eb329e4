"""Using one's skill: Reveal Position, Extra Turn, Freeze, X-Ray Vision (R6.2)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.machine import Rejected
from guessio.engine.match import guessing, seating, sight
from guessio.engine.match.commands import UseSkill
from guessio.engine.match.events import MatchEvent, SeatWatched, SkillUsed
from guessio.engine.match.state import Freeze, MatchState, Reveal, Xray
from guessio.rules import rounds as round_rules
from guessio.rules import skills as skill_rules
from guessio.rules.terms import Mark, Refusal, SeatNo, Skill


def use(state: MatchState, command: UseSkill, events: list[MatchEvent]) -> MatchState | Rejected:
    """Use one's skill in the turn that the command names; the turn goes on (R6.2, R1.12).

    A repeat of a use that took effect changes nothing. Refusals: as `guessing.out_of_turn`, then as `why_not`.
    """
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    if not state.skills_on:
        return Rejected(Refusal.NO_SKILLS_HERE)
    held = state.seats[seat]
    if held.skill_turn == command.turn and held.skill_target == _target(held.skill, command.target):
        return state
    refusal = guessing.out_of_turn(state, seat, command.turn) or why_not(state, seat, command.target)
    if refusal is not None:
        return Rejected(refusal)
    return put_to_use(state, seat, command.target, events)


def why_not(state: MatchState, seat: SeatNo, target: SeatNo | None) -> Refusal | None:
    """Why `seat`, whose turn it is, cannot use its skill on `target`; None when it can (R6.2)."""
    holder = state.seats[seat]
    if holder.skill_used:
        return Refusal.SKILL_USED
    running = state.rounds[-1]
    opponents = [SeatNo(number) for number in range(len(state.seats)) if number != seat]
    match holder.skill:
        case Skill.REVEAL:
            return Refusal.NOTHING_TO_REVEAL if _place_to_reveal(state, seat) is None else None
        case Skill.EXTRA_TURN:
            guesses_left = round_rules.limit(len(state.seats)) - len(running.guesses)
            return skill_rules.extra_turn(guesses_left, is_active(state, seat))
        case Skill.FREEZE:
            frozen = [freeze.target for freeze in running.freezes if not freeze.done]
            return skill_rules.freeze(seat, target, opponents, seating.left(state), frozen, pending=is_active(state, seat))
        case Skill.XRAY:
            # Nobody may learn whom others watch, so only one's own targets count, and of those there is none unused.
            return skill_rules.xray(seat, target, opponents, seating.left(state), ())
        case _:
            return Refusal.SKILL_NOT_YOURS


def is_active(state: MatchState, seat: SeatNo) -> bool:
    """Whether the skill is at work: an extra turn awaited, a freeze still to bite, a running X-Ray Vision."""
    if not state.rounds or state.rounds[-1].end is not None:
        return False
    running, turn = state.rounds[-1], state.turn
    return (
        (turn is not None and turn.seat == seat and turn.extra_armed)
        or any(freeze.by == seat and _still_to_bite(state, freeze) for freeze in running.freezes)
        or any(xray.by == seat for xray in running.xrays)
    )


def put_to_use(state: MatchState, seat: SeatNo, target: SeatNo | None, events: list[MatchEvent]) -> MatchState:
    """Let the skill of the player on turn do its work. Reveal and X-Ray are used up at once, the others when they bite."""
    skill, turn, running = seating.certain(state.seats[seat].skill), seating.certain(state.turn), state.rounds[-1]
    at_once = skill in (Skill.REVEAL, Skill.XRAY)
    target = _target(skill, target)
    state = seating.with_seat(
        state,
        seat,
        skill_used=at_once,
        skill_disclosed=skill is not Skill.XRAY,
        skill_turn=turn.number,
        skill_target=target,
    )
    # Of X-Ray Vision only the user hears, and the target that somebody watches (R6.2).
    events.append(SkillUsed(seat, skill, target, (seat,) if skill is Skill.XRAY else None))
    if skill is Skill.REVEAL:
        position = seating.certain(_place_to_reveal(state, seat))
        return seating.with_round(state, reveals=(*running.reveals, Reveal(seat, position)))
    if target is None:
        return replace(state, turn=replace(turn, extra_armed=True))
    if skill is Skill.FREEZE:
        return seating.with_round(state, freezes=(*running.freezes, Freeze(seat, target)))
    events.append(SeatWatched(target, (target,)))
    return seating.with_round(state, xrays=(*running.xrays, Xray(seat, target, len(running.guesses))))


def _still_to_bite(state: MatchState, freeze: Freeze) -> bool:
    return not freeze.done and state.seats[freeze.target].left_ms is None


def _target(skill: Skill | None, target: SeatNo | None) -> SeatNo | None:
    """The target that counts: Reveal Position and Extra Turn have none, whatever was sent."""
    return target if skill in (Skill.FREEZE, Skill.XRAY) else None


def _place_to_reveal(state: MatchState, seat: SeatNo) -> int | None:
    """The place that Reveal Position would show: the first dealt one whose digit the player has not placed already."""
    running = state.rounds[-1]
    known = {position for _, marks in sight.seen(state, running, seat) for position, mark in enumerate(marks) if mark is Mark.RIGHT}
    return skill_rules.reveal(state.deal.reveal_orders[running.number - 1], known)
