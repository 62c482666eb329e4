"""The list of one's matches, and the details of one (R11.3, R11.4).

- `pages/history/matches.html`: `page`, a services.history.HistoryPage, from ?filter=&page=.
- `pages/history/details.html`: `details`, a services.details.MatchDetails; 404 for everybody who had no seat.
"""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.wrappers import Response

from guessio.rules.terms import TableId
from guessio.services import details as match_details
from guessio.services import history as service
from guessio.services.sessions import Actor
from guessio.web import errors, guards, render

blueprint = Blueprint("history", __name__)


@blueprint.get("/matches")
@guards.signed_in
def matches(actor: Actor) -> Response:
    """One page of the list."""
    page = service.page(actor.account_id, request.args.get("filter", ""), request.args.get("page", ""))
    return render.page("pages/history/matches.html", page=page)


@blueprint.get("/matches/<match>")
@guards.signed_in
def details(actor: Actor, match: str) -> Response:
    """One saved match, for those who took part."""
    found = match_details.find(actor.account_id, TableId(match))
    return errors.answer(404) if found is None else render.page("pages/history/details.html", details=found)
