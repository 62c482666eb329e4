"""A guess whose outcome is known before its request takes the long way (web/shortcut): handed on with the request, so that the table is
not asked again. Both ends of that are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from guessio.services.matches import Outcome

_KEY = "guessio.asked"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the table said of the guess: a refusal to be worded, or None where there is no such match for this player."""

    outcome: Outcome


def hand_on(environ: dict[str, Any], asked: Asked) -> None:
    """Send the outcome along with the request."""
    environ[_KEY] = asked


def handed_on(environ: dict[str, Any]) -> Asked | None:
    """The outcome that came along with the request; None when the table is still to be asked."""
    return environ.get(_KEY)
