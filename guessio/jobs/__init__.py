"""Timed work of the services: greenlets that sleep until there is something to do. May import services and what lies below them."""

from __future__ import annotations

from guessio.jobs import fills, upkeep


def start() -> None:
    """Begin all timed work of this process."""
    fills.start()
    upkeep.start()


def stop() -> None:
    """End it."""
    upkeep.stop()
    fills.stop()
