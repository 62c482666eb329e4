"""What one viewer may see of a match: the only way out of its state (R1.2, R1.7, R6.2)."""

from __future__ import annotations

from guessio.engine.match import outcome, seating, sight, skills, strip
from guessio.engine.match.board import changed_keys, keys, row_view, rows, skip_view
from guessio.engine.match.events import MatchEvent
from guessio.engine.match.outcome import round_result
from guessio.engine.match.state import MatchState
from guessio.engine.match.strip import seats
from guessio.engine.match.views import MatchView, SkillView, TargetView
from guessio.rules import rounds as round_rules
from guessio.rules import tunables
from guessio.rules.terms import AccountId, MatchEnd, MatchPhase, MatchType, Refusal, SeatNo, Skill

__all__ = ["changed_keys", "hears", "keys", "round_result", "row_view", "rows", "seats", "skill_view", "skip_view", "view_for"]


def view_for(state: MatchState, viewer: AccountId, now_ms: int) -> MatchView:
    """Everything that `viewer` may see now. A stranger sees what is public and can do nothing."""
    own = seating.seat_of(state, viewer)
    one = state.rounds[-1] if state.rounds else None
    turn = state.turn
    playing = own is not None and state.seats[own].left_ms is None and state.end is None
    turn_is_bot = turn is not None and state.seats[turn.seat].is_bot
    remaining_ms, total_ms = clock(state, now_ms)
    return MatchView(
        id=state.id,
        type=state.type,
        difficulty=state.difficulty,
        skills_on=state.skills_on,
        phase=state.phase,
        players=len(state.seats),
        digits=round_rules.code_length(len(state.seats)),
        guess_limit=round_rules.limit(len(state.seats)),
        guesses_used=len(one.guesses) if one else 0,
        round_number=one.number if one else 0,
        turn=turn.number if turn else 0,
        own_seat=own,
        has_left=own is not None and state.seats[own].left_ms is not None,
        turn_name=outcome.name_of(state, turn.seat if turn else state.picker),
        turn_is_bot=turn_is_bot,
        turn_is_extra=turn is not None and turn.extra,
        remaining_ms=remaining_ms,
        phase_total_ms=total_ms,
        pick_ms=tunables.PICK_MS,
        grace_ms=tunables.AWAY_GRACE_MS,
        rounds_max=tunables.ROUNDS_MAX,
        quit_rating=-tunables.QUIT_RATING if playing and state.type is MatchType.RANKED else 0,
        can_guess=turn is not None and turn.seat == own,
        can_pick=own is not None and state.picker == own,
        can_forfeit=playing,
        is_frozen=own in strip.frozen_seats(state),
        is_watched=turn is not None and one is not None and any(xray.target == own for xray in one.xrays),
        inactivity_warned=turn is not None and one is not None and one.warned,
        commitment=outcome.commitment(state, one) if one else "",
        seats=seats(state, viewer, now_ms),
        rows=rows(state, viewer),
        keys=keys(state, viewer),
        revealed=sight.revealed(state, one, own) if one else (),
        own_guesses_in_round=sum(guess.seat == own for guess in one.guesses) if one else 0,
        skill=skill_view(state, viewer),
        results=outcome.round_results(state, viewer),
        end=state.end,
        winner=state.winner,
        winner_name=outcome.name_of(state, state.winner),
        is_own_win=state.winner is not None and state.winner == own,
        is_draw=state.end is not None and state.end is not MatchEnd.INACTIVITY and state.winner is None,
    )


def skill_view(state: MatchState, viewer: AccountId) -> SkillView | None:
    """The viewer's own skill and what it could do now; None without one (R6.2)."""
    own = seating.seat_of(state, viewer)
    if own is None or (skill := state.seats[own].skill) is None:
        return None
    targets = _targets(state, own) if skill in (Skill.FREEZE, Skill.XRAY) else ()
    why_not = _why_not(state, own, targets)
    return SkillView(
        skill=skill,
        used=state.seats[own].skill_used,
        active=skills.is_active(state, own),
        can_use=why_not is None,
        why_not=why_not,
        targets=targets,
    )


def clock(state: MatchState, now_ms: int) -> tuple[int | None, int | None]:
    """What is left of the present phase and its whole length; neither while a bot thinks or when over (R1.5)."""
    actor = state.turn.seat if state.turn else state.picker
    if state.until_ms is None or (actor is not None and state.seats[actor].is_bot):
        return None, None
    return max(0, state.until_ms - now_ms), _length(state.phase)


def hears(event: MatchEvent, seat: SeatNo | None) -> bool:
    """Whether the one in `seat` (None: a stranger) may be told of this event."""
    return event.only is None or seat in event.only


def _length(phase: MatchPhase) -> int:
    """How long a phase that has a clock lasts."""
    if phase is MatchPhase.TURN:
        return tunables.TURN_MS
    if phase is MatchPhase.PICKING:
        return tunables.PICK_MS
    if phase is MatchPhase.COUNTDOWN:
        return tunables.COUNTDOWN_MS
    return tunables.PAUSE_MS if phase is MatchPhase.PAUSE else tunables.CLOSING_MS


def _targets(state: MatchState, own: SeatNo) -> tuple[TargetView, ...]:
    return tuple(
        TargetView(SeatNo(number), seat.name, _target_refusal(state, own, SeatNo(number)))
        for number, seat in enumerate(state.seats)
        if number != own
    )


def _target_refusal(state: MatchState, own: SeatNo, target: SeatNo) -> Refusal | None:
    if state.turn is None:
        return Refusal.NOT_STARTED
    return skills.why_not(state, own, target)


def _why_not(state: MatchState, own: SeatNo, targets: tuple[TargetView, ...]) -> Refusal | None:
    """Why the viewer cannot use the skill at this moment; with targets, it can be used while one of them can be named."""
    seat = state.seats[own]
    if state.end is not None:
        return Refusal.ALREADY_OVER
    if seat.left_ms is not None:
        return Refusal.ALREADY_FORFEITED
    if seat.skill_used:
        return Refusal.SKILL_USED
    if state.turn is None:
        return Refusal.NOT_STARTED
    if state.turn.seat != own:
        return Refusal.SKILL_ACTIVE if skills.is_active(state, own) else Refusal.NOT_YOUR_TURN
    if not targets:
        return skills.why_not(state, own, None)
    return None if any(target.why_not is None for target in targets) else targets[0].why_not
