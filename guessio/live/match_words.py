"""What is said of each event of a match: sentences for the live regions, toasts, and the names of sounds. One sentence an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guessio.engine.match import view
from guessio.engine.match.events import (
    CountdownStarted,
    GuessMarked,
    InactivityWarned,
    MatchEvent,
    PickStarted,
    RoundEnded,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatWatched,
    SkillPicked,
    SkillUsed,
    TurnSkipped,
    TurnStarted,
)
from guessio.engine.match.views import RowView
from guessio.live import match_screen, painting, spoken
from guessio.live.match_push import Push
from guessio.rules import rounds, tunables
from guessio.rules.terms import MatchPhase, Skill

POLITE = "polite"
ASSERTIVE = "assertive"


def tell(push: Push, event: MatchEvent) -> None:
    """Add to the message what is said of `event` to its viewer; nothing of events that speak for themselves."""
    teller = _TELLERS.get(type(event))
    if teller is not None:
        teller(push, event)


def _say(push: Push, how: str, text: str, icon: str = "") -> None:
    """A sentence for the live region; with an `icon` also a toast."""
    push.said.append((how, text))
    if icon:
        push.toasts.append(painting.toast(icon, text))


def _name(push: Push, seat: int) -> str:
    return push.seats[seat].name


def _guess(push: Push, event: GuessMarked) -> None:
    if event.seat == push.own:
        push.cues.append("guess")
    if push.is_new_screen:
        return  # the result of the round says what this guess was
    row = push.rows[-1]
    push.said.append((POLITE, guessed(row, row.name, spoken.tiles(row.digits, row.marks))))


def guessed(row: RowView, name: str, tiles: str) -> str:
    """What is said of a guess of somebody with that name; `tiles` is what `spoken.tiles` says of its digits."""
    if row.is_own:
        return f"Guess {row.number}: {tiles}."
    if row.marks is not None:
        return f"{name} guessed {spoken.apart(row.digits)}: {tiles}."
    return f"{name} guessed {spoken.apart(row.digits)}."


def _turn(push: Push, event: TurnStarted) -> None:
    if event.seat != push.own:
        push.said.append((POLITE, f"{_name(push, event.seat)} is guessing."))
        return
    remaining_ms, _ = view.clock(push.state, push.now_ms)
    used, limit = len(push.state.rounds[-1].guesses), rounds.limit(len(push.state.seats))
    push.said.append((ASSERTIVE, own_turn(used + 1, limit, remaining_ms, is_extra=event.extra)))
    push.cues.append("turn")


def own_turn(guess: int, limit: int, remaining_ms: int | None, *, is_extra: bool) -> str:
    """What is said to the player whose turn begins."""
    return f"{'Extra' if is_extra else 'Your'} turn. Guess {guess} of {limit}. {spoken.seconds(remaining_ms)} seconds."


def _skipped(push: Push, event: TurnSkipped) -> None:
    if event.seat == push.own:
        if event.frozen_by is None:
            push.said.append((POLITE, "Time is up. Turn skipped."))
        else:
            push.said.append((POLITE, f"{_name(push, event.frozen_by)} froze you. This turn is skipped."))
    elif event.frozen_by is None:
        push.said.append((POLITE, f"{_name(push, event.seat)} ran out of time."))
    else:
        push.said.append((POLITE, f"{_name(push, event.seat)} is frozen and misses a turn."))


def _skill(push: Push, event: SkillUsed) -> None:
    target = "" if event.target is None else _name(push, event.target)
    if event.seat == push.own:
        _own_skill(push, event.skill, target)
    elif event.skill is Skill.FREEZE and event.target == push.own:
        _say(push, ASSERTIVE, f"{_name(push, event.seat)} froze you. You miss your next turn.", "freeze")
        push.cues.append("hit")
    elif event.skill is Skill.FREEZE:
        _say(push, POLITE, f"{_name(push, event.seat)} froze {target}.", "freeze")
    else:
        text = f"{_name(push, event.seat)} used {spoken.SKILL_NAMES[event.skill]}."
        _say(push, POLITE, text, spoken.SKILL_ICONS[event.skill])


def _own_skill(push: Push, skill: Skill, target: str) -> None:
    match skill:
        case Skill.REVEAL:
            place, digit = view.view_for(push.state, push.viewer, push.now_ms).revealed[-1]
            _say(push, ASSERTIVE, f"Place {place + 1} is {digit}.", "reveal")
        case Skill.EXTRA_TURN:
            _say(push, ASSERTIVE, "You guess once more right after this guess.", "extra")
        case Skill.FREEZE:
            _say(push, ASSERTIVE, f"{target} misses the next turn.", "freeze")
        case Skill.XRAY:
            _say(push, ASSERTIVE, f"You see the marks of {target} until the round ends.", "eye")


def _presence(push: Push, event: SeatAway | SeatBack | SeatLeft) -> None:
    name = _name(push, event.seat)
    if event.seat == push.own:
        if isinstance(event, SeatLeft):
            push.said.append((ASSERTIVE, "You left the match. It counts as a loss."))
        return
    match event:
        case SeatAway():
            grace = spoken.seconds(tunables.AWAY_GRACE_MS)
            push.said.append((POLITE, f"{name} is away. The seat is kept for {grace} seconds."))
        case SeatBack():
            push.said.append((POLITE, f"{name} is back."))
        case SeatLeft():
            _say(push, POLITE, f"{name} left the match.", "door")


def _opening(push: Push, event: PickStarted | CountdownStarted) -> None:
    remaining_ms, _ = view.clock(push.state, push.now_ms)
    if isinstance(event, CountdownStarted):
        push.said.append((POLITE, f"Round 1 starts in {spoken.seconds(remaining_ms)} seconds."))
    elif event.seat == push.own:
        push.said.append((ASSERTIVE, f"Pick a skill, {spoken.seconds(remaining_ms)} seconds."))
        push.cues.append("turn")
    else:
        push.said.append((POLITE, f"{_name(push, event.seat)} is picking a skill."))


def _picked(push: Push, event: SkillPicked) -> None:
    own = view.skill_view(push.state, push.viewer)
    if event.seat == push.own and event.timed_out and own is not None:
        push.said.append((POLITE, f"Time is up. {spoken.SKILL_NAMES[own.skill]} was picked for you."))


def _round_end(push: Push, event: RoundEnded) -> None:
    result = view.round_result(push.state, push.viewer, event.number)
    push.cues.append("round-won" if result.is_own_win else "round-lost")
    said = f"{match_screen.headline(result)}. The code was {spoken.apart(result.code)}."
    if len(result.scores) == 2 and push.own is not None:
        said += f" Score {result.scores[push.own]} to {result.scores[1 - push.own]}."
    remaining_ms, _ = view.clock(push.state, push.now_ms)
    if push.state.phase is MatchPhase.PAUSE:
        said += f" Next round in {spoken.seconds(remaining_ms)} seconds."
    push.said.append((ASSERTIVE, said))


def _watched(push: Push, _event: SeatWatched) -> None:
    _say(push, ASSERTIVE, "You’re being monitored.", "eye")
    push.cues.append("hit")


def _inactive(push: Push, _event: InactivityWarned) -> None:
    _say(push, POLITE, "Nobody has guessed for a whole rotation. One more and the match is cancelled.")


_TELLERS: dict[type[MatchEvent], Callable[[Push, Any], None]] = {
    GuessMarked: _guess,
    TurnStarted: _turn,
    TurnSkipped: _skipped,
    SkillUsed: _skill,
    SeatWatched: _watched,
    InactivityWarned: _inactive,
    SeatAway: _presence,
    SeatBack: _presence,
    SeatLeft: _presence,
    PickStarted: _opening,
    CountdownStarted: _opening,
    SkillPicked: _picked,
    RoundEnded: _round_end,
}
