"""Choosing a match and waiting for its players (R3).

- `pages/play/play.html`: `page`, a services.play.PlayPage. The query may choose beforehand: ?type=&difficulty=&players=.
- `pages/play/search.html` and `fragments/play/search_seats.html`: `search`, a services.play.SearchView.
A search that has led to a match answers with a redirect to it; one that is over, with a redirect to /play.
"""

from __future__ import annotations

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from guessio.services import matchmaking
from guessio.services import play as service
from guessio.services.play import Rejected, SearchView
from guessio.services.sessions import Actor
from guessio.web import errors, guards, render

blueprint = Blueprint("play", __name__)


@blueprint.get("/play")
@guards.signed_in
def play(_actor: Actor) -> Response:
    """The form for a new match."""
    choices = (request.args.get(name, "") for name in ("type", "difficulty", "players"))
    return render.page("pages/play/play.html", page=service.offer(*choices))


@blueprint.post("/search")
@guards.signed_in
def begin(actor: Actor) -> Response:
    """Begin a search, or go on with the same one; a second tap changes nothing."""
    group = service.choice(*(request.form.get(name, "") for name in ("type", "difficulty", "players")))
    if isinstance(group, Rejected):
        return errors.refuse(group)
    refused = matchmaking.search(actor.account_id, group)
    return redirect("/search", 303) if refused is None else errors.refuse(refused)


@blueprint.get("/search")
@guards.signed_in
def waiting(actor: Actor) -> Response:
    """The page of one's search, or its seats alone."""
    found = service.find(actor.account_id)
    if not isinstance(found, SearchView):
        return redirect(f"/match/{found}" if found else "/play", 303)
    show = render.fragment if render.wants_fragment() else render.page
    return show("fragments/play/search_seats.html" if render.wants_fragment() else "pages/play/search.html", search=found)


@blueprint.post("/search/leave")
@guards.signed_in
def leave(actor: Actor) -> Response:
    """Leave the search; whoever is in a match by now goes there instead."""
    matchmaking.leave(actor.account_id)
    found = service.find(actor.account_id)
    return redirect(f"/match/{found}" if isinstance(found, str) else "/play", 303)
