"""Ends the duel offers of makers who stay away: asleep until the next one is due, woken when the offers change (R17.1)."""

from __future__ import annotations

from guessio.jobs.sleeper import Sleeper
from guessio.services import duel_offers
from guessio.services.withdrawal import TOPIC

_sleeper = Sleeper(lambda: duel_offers.run_due(), [TOPIC], "offers could not be ended")

start = _sleeper.start
stop = _sleeper.stop
