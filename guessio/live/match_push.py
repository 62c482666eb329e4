"""A message about one step of a match, in the making for one viewer."""

from __future__ import annotations

from dataclasses import dataclass, field

from guessio.engine.match.state import MatchState
from guessio.engine.match.views import RowView, SeatView
from guessio.rules.terms import AccountId, SeatNo


@dataclass(slots=True)
class Push:
    """What is known of the step, what it touches on the viewer's screen, and what was put together so far."""

    state: MatchState
    viewer: AccountId
    own: SeatNo
    now_ms: int
    seats: tuple[SeatView, ...]
    is_new_screen: bool = False
    rows: list[RowView] = field(default_factory=list[RowView])
    has_turn: bool = False
    has_seats: bool = False
    has_skill: bool = False
    has_reveal: bool = False
    parts: list[str] = field(default_factory=list[str])
    toasts: list[str] = field(default_factory=list[str])
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    cues: list[str] = field(default_factory=list[str])
