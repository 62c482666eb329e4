"""The first page: Home for who is signed in, the welcome for guests.

- `pages/home/home.html`: `page`, a services.home.HomePage.
- `pages/accounts/welcome.html`: `notice`, why a session is no more, or nothing.
"""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from guessio.services import home as service
from guessio.web import guards, render, wording

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> Response:
    """Home, or the welcome for a guest."""
    if guards.current_actor() is None:
        ended = guards.ended_because()
        return render.page("pages/accounts/welcome.html", notice=wording.SIGNED_OUT[ended] if ended else "")
    return render.page("pages/home/home.html", page=service.page(guards.required_actor().account_id))
