"""The first page: Home for who is signed in, the welcome for guests.

- `pages/home/home.html`: `page`, a services.home.HomePage; `is_first_visit`, for the welcome tip (R6.3).
- `pages/accounts/welcome.html`: `notice`, why a session is no more, or nothing.
"""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response

from guessio.services import home as service
from guessio.services import tips
from guessio.services.tips import Tip
from guessio.web import guards, render, wording

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> Response:
    """Home, or the welcome for a guest."""
    if guards.current_actor() is None:
        ended = guards.ended_because()
        return render.page("pages/accounts/welcome.html", notice=wording.SIGNED_OUT[ended] if ended else "")
    actor = guards.required_actor()
    is_first_visit = tips.first_time(actor.account_id, Tip.WELCOME)
    return render.page("pages/home/home.html", page=service.page(actor.account_id), is_first_visit=is_first_visit)
