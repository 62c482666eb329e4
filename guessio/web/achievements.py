"""The achievements of who is signed in (SPEC 10).

- `pages/achievements/achievements.html`: `page`, a services.achievements.AchievementsPage.
"""

from __future__ import annotations

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from guessio.services import achievements as service
from guessio.services.sessions import Actor
from guessio.web import guards, render

blueprint = Blueprint("achievements", __name__)


@blueprint.get("/achievements")
@guards.signed_in
def achievements(actor: Actor) -> Response:
    """All 16, checked anew."""
    return render.page("pages/achievements/achievements.html", page=service.page(actor.account_id))


@blueprint.post("/achievements/seen")
@guards.signed_in
def seen(actor: Actor) -> Response:
    """Take the "new" marks off."""
    service.acknowledge(actor.account_id)
    return redirect("/achievements", 303)
