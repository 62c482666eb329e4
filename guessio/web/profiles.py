"""One's own profile, and the public one under a username (R11.2).

- `pages/profile/profile.html`: `profile`, a services.profiles.ProfileView.
"""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from guessio.services import profiles as service
from guessio.services.sessions import Actor
from guessio.web import errors, guards, render

blueprint = Blueprint("profiles", __name__)


@blueprint.get("/profile")
@guards.signed_in
def own(actor: Actor) -> Response:
    """One's own profile."""
    return render.page("pages/profile/profile.html", profile=service.own(actor.account_id))


@blueprint.get("/u/<username>")
def public(username: str) -> Response:
    """Anybody's profile, for anybody."""
    actor = guards.current_actor()
    found = service.public(username, actor.account_id if actor else None)
    return errors.answer(404) if found is None else render.page("pages/profile/profile.html", profile=found)
