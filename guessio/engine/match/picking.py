"""Picking skills one after another, before the countdown (R6.1)."""

from __future__ import annotations

from dataclasses import replace

from guessio.engine.machine import Rejected
from guessio.engine.match import chance, rounds, seating
from guessio.engine.match.commands import PickSkill
from guessio.engine.match.events import MatchEvent, PickStarted, SkillPicked
from guessio.engine.match.state import MatchState
from guessio.rules import tunables
from guessio.rules.terms import MatchPhase, Refusal, SeatNo, Skill


def start(state: MatchState, moment: int, events: list[MatchEvent], first: int = 0) -> MatchState:
    """Let the first player still seated from seat `first` on pick; after the last one the countdown starts."""
    seat = next((seat for seat in seating.seated(state) if seat >= first), None)
    if seat is None:
        return rounds.count_down(state, moment, events)
    wait = chance.pick_wait_ms(state.deal.seed, seat) if state.seats[seat].is_bot else tunables.PICK_MS
    events.append(PickStarted(seat))
    return replace(state, phase=MatchPhase.PICKING, picker=seat, until_ms=moment + wait)


def pick(state: MatchState, command: PickSkill, now_ms: int, events: list[MatchEvent]) -> MatchState | Rejected:
    """Pick a skill when it is one's turn to; the same pick again changes nothing (R6.1, R1.12).

    Refusals, in this order: not seated, no skills in this match, already picked, already over, left, not one's pick.
    """
    seat = seating.seat_of(state, command.actor)
    if seat is None:
        return Rejected(Refusal.NOT_SEATED)
    if not state.skills_on:
        return Rejected(Refusal.NO_SKILLS_HERE)
    held = state.seats[seat].skill
    if held is not None:
        return state if held is command.skill else Rejected(Refusal.ALREADY_PICKED)
    if state.phase is MatchPhase.OVER:
        return Rejected(Refusal.ALREADY_OVER)
    if state.seats[seat].left_ms is not None:
        return Rejected(Refusal.ALREADY_FORFEITED)
    if state.picker != seat:
        return Rejected(Refusal.NOT_YOUR_PICK)
    return _picked(state, seat, command.skill, False, now_ms, events)


def settle(state: MatchState, moment: int, events: list[MatchEvent]) -> MatchState:
    """Give the picker the skill that was dealt: a person because time ran out, a bot because it has thought."""
    seat = seating.certain(state.picker)
    skill = state.deal.fallback_skills[seat]
    return _picked(state, seat, skill, not state.seats[seat].is_bot, moment, events)


def _picked(state: MatchState, seat: SeatNo, skill: Skill, timed_out: bool, moment: int, events: list[MatchEvent]) -> MatchState:
    events.append(SkillPicked(seat, timed_out))
    return start(seating.with_seat(state, seat, skill=skill), moment, events, seat + 1)
