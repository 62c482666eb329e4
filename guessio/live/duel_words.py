"""What is said of each event of a duel: sentences for the live regions, and the names of sounds. One sentence an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessio.engine.duel import seating, view
from guessio.engine.duel.events import DuelEnded, DuelEvent, GuessMarked, SeatAway, SeatBack, SecretSet, TurnStarted
from guessio.live import duel_screen, spoken
from guessio.rules import clocks, tunables
from guessio.rules.terms import DuelPhase

if TYPE_CHECKING:
    from guessio.live.duel_parts import Push

POLITE = "polite"
ASSERTIVE = "assertive"


def tell(push: Push, event: DuelEvent) -> None:
    """Add to the message what is said of `event` to its viewer."""
    match event:
        case SecretSet():
            _ready(push, event)
        case GuessMarked():
            _guess(push, event)
        case TurnStarted():
            _turn(push, event)
        case SeatAway() | SeatBack():
            _presence(push, event)
        case DuelEnded():
            _end(push)
        case _:
            pass


def _ready(push: Push, event: SecretSet) -> None:
    if push.state.phase is not DuelPhase.CHOOSING:
        return  # the first move says that both are
    if event.seat == push.own:
        push.said.append((POLITE, f"Your secret is set and your clock stands. {push.rival_name} is still choosing."))
        push.cues.append("guess")
    else:
        push.said.append((POLITE, f"{push.rival_name} is ready."))


def _guess(push: Push, event: GuessMarked) -> None:
    if event.seat == push.own:
        push.cues.append("guess")
    if push.is_new_screen:
        return  # the end says what this guess was
    row = push.rows[-1][1]
    answer = spoken.secret_tiles(row.digits, row.marks) if row.marks is not None else f"{row.exact} in place, {row.misplaced} elsewhere"
    if event.seat == push.own:
        push.said.append((POLITE, f"Guess {row.number}: {answer}."))
    else:
        push.said.append((POLITE, f"{push.rival_name} guessed {spoken.apart(row.digits)}: {answer}."))


def _turn(push: Push, event: TurnStarted) -> None:
    if event.seat != push.own:
        push.said.append((POLITE, f"{push.rival_name} is guessing."))
        return
    left = clocks.left_at(push.state.seats[push.own].clock, push.now_ms)
    push.said.append((ASSERTIVE, f"Your turn. {spoken.duration(left)} left."))
    push.cues.append("turn")


def _presence(push: Push, event: SeatAway | SeatBack) -> None:
    if event.seat == push.own:
        return
    if isinstance(event, SeatAway):
        grace = spoken.seconds(tunables.DUEL_GRACE_MS)
        push.said.append((POLITE, f"{push.rival_name} is away. The duel waits {grace} seconds for them; their clock does not wait."))
    else:
        push.said.append((POLITE, f"{push.rival_name} is back."))


def _end(push: Push) -> None:
    shown = view.view_for(push.state, push.viewer, push.now_ms)
    push.cues.append("round-won" if shown.is_own_win else "round-lost")
    said = f"{duel_screen.headline(shown)}. {duel_screen.explanation(shown)}"
    secret = push.state.seats[seating.other(push.own)].secret
    if secret is not None:
        said += f" Their secret was {spoken.apart(secret)}."
    push.said.append((ASSERTIVE, said))
