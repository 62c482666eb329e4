"""Timed work of the services: greenlets that sleep until there is something to do. May import services and what lies below them."""

from __future__ import annotations

from guessio.jobs import fills, offers, upkeep


def start() -> None:
    """Begin all timed work of this process."""
    fills.start()
    offers.start()
    upkeep.start()


def stop() -> None:
    """End it."""
    upkeep.stop()
    offers.stop()
    fills.stop()
