"""The only way out of a duel's state: what this one viewer may see (R17.3, R17.6)."""

from __future__ import annotations

from guessio.engine.duel import guessing, seating
from guessio.engine.duel.state import DuelState, Guess
from guessio.engine.duel.views import DuelKeyView, DuelRowView, DuelView, LaneView
from guessio.rules import clocks, feedback
from guessio.rules.codes import DIGITS
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, Mark, Refusal, SeatNo


def view_for(state: DuelState, viewer: AccountId, now_ms: int) -> DuelView:
    """Everything that `viewer` may see now. A stranger sees no secret before the end and can do nothing."""
    own = seating.seat_of(state, viewer)
    first = SeatNo(0) if own is None else own
    why_not = Refusal.NOT_SEATED if own is None else guessing.out_of_turn(state, own, seating.turn_number(state))
    is_over = state.phase is DuelPhase.OVER
    return DuelView(
        id=state.id,
        phase=state.phase,
        clock_ms=state.agreement.clock_ms,
        length=state.agreement.length,
        secret_rule=state.agreement.secret_rule,
        format=state.agreement.format,
        totals_only=state.agreement.format is DuelFormat.TOTALS_ONLY,
        own_seat=own,
        turn=seating.turn_number(state),
        can_set_secret=own is not None and not is_over and state.seats[own].secret is None,
        can_guess=why_not is None,
        can_resign=own is not None and not is_over,
        lanes=(lane(state, viewer, first, now_ms), lane(state, viewer, seating.other(first), now_ms)),
        keys=keys(state, viewer),
        end=state.end,
        is_own_win=own is not None and state.winner == own,
        is_draw=is_over and state.winner is None,
        winner_name="" if state.winner is None else state.seats[state.winner].name,
        why_not=why_not,
    )


def lane(state: DuelState, viewer: AccountId, number: SeatNo, now_ms: int) -> LaneView:
    """One duellist's side as `viewer` may see it."""
    seat = state.seats[number]
    is_own = seat.account == viewer
    left_ms = clocks.left_at(seat.clock, now_ms)
    return LaneView(
        seat=number,
        account=seat.account,
        username=seat.username,
        name=seat.name,
        avatar_url=seat.avatar_url,
        is_bot=seat.is_bot,
        is_own=is_own,
        is_ready=seat.secret is not None,
        on_move=state.on_move == number,
        clock_ms=left_ms,
        clock_runs=seat.clock.since_ms is not None,
        used_ms=state.agreement.clock_ms - left_ms,
        away_ms=_away_ms(state, number, now_ms),
        secret=(seat.secret or "") if is_own or state.phase is DuelPhase.OVER else "",
        rows=tuple(row(state, guess) for guess in state.guesses if guess.seat == number),
        is_winner=state.winner == number,
    )


def row(state: DuelState, guess: Guess) -> DuelRowView:
    """One guess with its answer in the duel's format: both players see it alike (R17.6)."""
    marks = _marks(state, guess)
    number = sum(one.seat == guess.seat and one.turn <= guess.turn for one in state.guesses)
    by_position = state.agreement.format is DuelFormat.PER_POSITION
    exact, misplaced = (None, None) if by_position else feedback.totals(marks)
    return DuelRowView(
        key=f"guess-{guess.turn}",
        number=number,
        digits=guess.digits,
        marks=marks if by_position else None,
        exact=exact,
        misplaced=misplaced,
        took_ms=guess.took_ms,
        credited_ms=guess.credited_ms,
    )


def keys(state: DuelState, viewer: AccountId) -> tuple[DuelKeyView, ...]:
    """The digit keys, coloured from the viewer's own guesses; plain in totals only, where there is nothing to colour from."""
    known: dict[str, Mark] = {}
    if state.agreement.format is DuelFormat.PER_POSITION:
        own = seating.seat_of(state, viewer)
        guesses = (guess for guess in state.guesses if guess.seat == own)
        known = feedback.best([(guess.digits, _marks(state, guess)) for guess in guesses])
    return tuple(DuelKeyView(digit, known.get(digit)) for digit in DIGITS)


def _marks(state: DuelState, guess: Guess) -> tuple[Mark, ...]:
    return feedback.marks(seating.target_of(state, guess.seat), guess.digits)


def _away_ms(state: DuelState, number: SeatNo, now_ms: int) -> int | None:
    seat = state.seats[number]
    if seat.away_since_ms is None or not seat.away_shown:
        return None
    return max(0, seat.away_since_ms + state.grace_ms - now_ms)
