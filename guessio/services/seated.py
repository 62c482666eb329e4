"""Who had which seat of a finished match, as one of them sees it."""

from __future__ import annotations

from dataclasses import dataclass

from guessio.rules.terms import AccountId, SeatNo
from guessio.services.people import Person


@dataclass(frozen=True, slots=True)
class Seated:
    """The people by seat as they are called today: a deleted account's old name is gone everywhere."""

    viewer: AccountId
    people: dict[SeatNo, Person]

    def name(self, seat: SeatNo | None) -> str:
        """What the seat's player is called; empty for no seat."""
        return "" if seat is None else self.people[seat].name

    def is_own(self, seat: SeatNo | None) -> bool:
        """Whether the seat is the viewer's."""
        return seat is not None and self.people[seat].account == self.viewer
