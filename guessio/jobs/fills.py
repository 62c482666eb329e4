"""Seats bots in groups that stay short: asleep until the next seat is due, woken when a search begins or ends (R3.2)."""

from __future__ import annotations

from guessio.jobs.sleeper import Sleeper
from guessio.services import matchmaking, play

_sleeper = Sleeper(lambda: matchmaking.serve(), [f"search:{group}" for group in play.GROUPS], "seats could not be filled")

start = _sleeper.start
stop = _sleeper.stop
