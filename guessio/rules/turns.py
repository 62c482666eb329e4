"""Whose turn it is (R1.4, R7.4). `seats` is the number of seats that the match started with, numbered from 0."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from guessio.rules.terms import SeatNo


def opener(round_number: int, seats: int, left: AbstractSet[SeatNo]) -> SeatNo:
    """The seat that opens round `round_number` (from 1): (round - 1) mod seats, or the next one still in (R1.4).

    Raises:
        ValueError: nobody is seated any more.
    """
    found = _from((round_number - 1) % seats, seats, left)
    if found is None:
        raise ValueError("a round needs a seated player")
    return found


def following(seat: SeatNo, seats: int, left: AbstractSet[SeatNo]) -> SeatNo | None:
    """The next seat after `seat` that is still in, going round; `seat` itself if it is the only one, None if nobody is."""
    return _from((seat + 1) % seats, seats, left)


def _from(start: int, seats: int, left: AbstractSet[SeatNo]) -> SeatNo | None:
    order = (SeatNo((start + step) % seats) for step in range(seats))
    return next((seat for seat in order if seat not in left), None)
