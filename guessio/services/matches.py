"""Playing a match: what a player sends and the page they see. Whoever holds no seat gets nothing, not even that the match exists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from guessio import clock
from guessio.engine.machine import Rejected
from guessio.engine.match import view
from guessio.engine.match.commands import Forfeit, MatchCommand, PickSkill, SubmitGuess, UseSkill
from guessio.engine.match.state import MatchState
from guessio.engine.match.views import MatchView
from guessio.rules.terms import AccountId, Refusal, SeatNo, Skill, TableId, TableKind
from guessio.services import tables
from guessio.services.shelf import Loaded
from guessio.services.tables import Outcome


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match as one player sees it, and the version of the table that this is. `was_away` when the seat was being kept (R7.2)."""

    version: int
    view: MatchView
    was_away: bool


def page(actor: AccountId, match: TableId) -> MatchPage | None:
    """What the match's page shows `actor`; None for an unknown match and for one in which they never had a seat."""
    loaded = _seated(actor, match)
    if loaded is None:
        return None
    shown = view.view_for(cast(MatchState, loaded.state), actor, clock.now_ms())
    was_away = any(seat.is_own and seat.away_ms is not None for seat in shown.seats)
    return MatchPage(loaded.version, shown, was_away)


def guess(actor: AccountId, match: TableId, turn: int, digits: str) -> Outcome:
    """Guess in turn number `turn`, once however often it is sent (R1.6, R1.12). Surrounding blanks do not count."""
    return _send(actor, match, SubmitGuess(actor, turn, digits.strip()))


def use_skill(actor: AccountId, match: TableId, turn: int, target: SeatNo | None) -> Outcome:
    """Use one's skill in turn number `turn`, on the seat `target` where it needs one (R6.2)."""
    return _send(actor, match, UseSkill(actor, turn, target))


def pick_skill(actor: AccountId, match: TableId, skill: str) -> Outcome:
    """Pick a skill by its name (R6.1). Refusals: BAD_CHOICE for a name that is none; those of the engine."""
    try:
        picked = Skill(skill)
    except ValueError:
        return Rejected(Refusal.BAD_CHOICE) if _seated(actor, match) else None
    return _send(actor, match, PickSkill(actor, picked))


def forfeit(actor: AccountId, match: TableId) -> Outcome:
    """Leave the match for good, once (R7.3)."""
    return _send(actor, match, Forfeit(actor))


def _seated(actor: AccountId, match: TableId) -> Loaded | None:
    """The table as it is now, if it is a match in which `actor` holds or held a seat."""
    loaded = tables.load(match)
    return loaded if loaded is not None and _has_seat(actor, loaded) else None


def _send(actor: AccountId, match: TableId, command: MatchCommand) -> Outcome:
    # Kind and members of a table never change, so what this process last knew of it is enough to decide who may send.
    known = tables.peek(match) or tables.load(match)
    if known is None or not _has_seat(actor, known):
        return None
    return tables.dispatch(match, command)


def _has_seat(actor: AccountId, loaded: Loaded) -> bool:
    return loaded.kind is TableKind.MATCH and actor in tables.machine(loaded.kind).members(loaded.state)
