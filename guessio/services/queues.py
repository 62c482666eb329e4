"""How many people wait for each choice of match."""

from __future__ import annotations

from guessio.services import play
from guessio.services.play import Group
from guessio.store import database, searches


def lengths() -> dict[Group, int]:
    """People in each line, the empty ones too. Raises: what the database raises."""
    with database.read() as conn:
        waiting = searches.everybody(conn)
    return {group: len(waiting.get(group, ())) for group in play.GROUPS}
