"""A match in play: its page, and what a player sends.

A command that took effect answers 204, because every seat, the sender's too, gets its fragments over the stream; a form sent without
a script is sent back to the match by 303. A refusal answers 422 with a sentence beside the entry, a command for an earlier turn 409 with
the fresh board, and whoever has no seat gets 404 like for a match that does not exist.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from flask_wtf.csrf import generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from guessio.live import match_screen, painting
from guessio.rules.terms import MatchPhase, Refusal, SeatNo, TableId
from guessio.services import matches, standings, tips
from guessio.services import results as settlement
from guessio.services.matches import MatchPage, Outcome, Rejected
from guessio.services.sessions import Actor
from guessio.services.tips import Tip
from guessio.web import asked, errors, render, wording
from guessio.web.guards import signed_in

blueprint = Blueprint("matches", __name__, url_prefix="/match/<match>")
TURNS_MAX_DIGITS = 9
NOT_BOOKED = "The match is over, and its results are still being written down. Try again in a moment."


@blueprint.get("")
@signed_in
def show(actor: Actor, match: str) -> AnyResponse:
    """The match as it stands: picking, counting down, playing, or the result of a round; once over, its results."""
    page = matches.page(actor.account_id, TableId(match))
    if page is not None and page.view.phase is not MatchPhase.OVER:
        return _page(actor, page)
    if page is None and standings.show(actor.account_id, TableId(match)) is None:
        return errors.answer(404)
    return redirect(f"/match/{match}/results", 303)


@blueprint.get("/results")
@signed_in
def results(actor: Actor, match: str) -> AnyResponse:
    """What the match came to for this player; a match that goes on leads back to itself."""
    shown = standings.show(actor.account_id, TableId(match))
    if shown is not None:
        return render.page("pages/match/results.html", results=shown)
    page = matches.page(actor.account_id, TableId(match))
    if page is None:
        return errors.answer(404)
    if page.view.phase is not MatchPhase.OVER:
        return redirect(f"/match/{match}", 303)
    # Whoever comes before the settlement settles: it counts once, whoever does it.
    settlement.settle(TableId(match))
    shown = standings.show(actor.account_id, TableId(match))
    if shown is not None:
        return render.page("pages/match/results.html", results=shown)
    return errors.answer(503, NOT_BOOKED, "Nearly there", action=("Try again", f"/match/{match}/results"))


@blueprint.post("/guess")
@signed_in
def guess(actor: Actor, match: str) -> AnyResponse:
    """A guess for the turn that it names."""
    turn, sent = number(request.form.get("turn", "")), request.form.get("guess", "")
    known = asked.handed_on(request.environ)
    outcome = matches.guess(actor.account_id, TableId(match), turn, sent) if known is None else known.outcome
    return _answer(actor, TableId(match), outcome, typed=sent)


@blueprint.post("/skill")
@signed_in
def skill(actor: Actor, match: str) -> AnyResponse:
    """Use one's skill in the turn that it names, on a seat where it needs one."""
    target = SeatNo(number(request.form.get("target", ""))) if request.form.get("target") else None
    return _answer(actor, TableId(match), matches.use_skill(actor.account_id, TableId(match), number(request.form.get("turn", "")), target))


@blueprint.post("/pick")
@signed_in
def pick(actor: Actor, match: str) -> AnyResponse:
    """Pick a skill."""
    return _answer(actor, TableId(match), matches.pick_skill(actor.account_id, TableId(match), request.form.get("skill", "")))


@blueprint.post("/forfeit")
@signed_in
def forfeit(actor: Actor, match: str) -> AnyResponse:
    """Leave the match for good."""
    return _answer(actor, TableId(match), matches.forfeit(actor.account_id, TableId(match)))


def number(text: str) -> int:
    """A small number of a form; -1, which names no turn and no seat, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= TURNS_MAX_DIGITS else -1


def _answer(actor: Actor, match: TableId, outcome: Outcome, typed: str = "") -> AnyResponse:
    """The answer to a command: see the module's text."""
    if outcome is None:
        return errors.answer(404)
    if not isinstance(outcome, Rejected):
        return Response(status=204) if render.wants_fragment() else redirect(f"/match/{match}", 303)
    if not render.wants_fragment():
        return _refused_page(actor, match, outcome, typed)
    response = errors.refuse(outcome)
    if outcome.refusal is Refusal.STALE_TURN:
        _add_fresh(response, actor, match, outcome)
    return response


def _add_fresh(response: Response, actor: Actor, match: TableId, refused: Rejected) -> None:
    """The whole of `#table` as this player sees it now, for a page that was behind; the reason stands beside its entry.

    The page learns which version that is, because the stream may still be about to tell it of the steps up to there.
    """
    page = matches.page(actor.account_id, match)
    if page is None:
        return
    context = match_screen.context(page.view, refused=wording.sentence(refused.refusal, refused.detail))
    whole = painting.partial("#table", "outerHTML", painting.draw("match/table", context))
    response.data = response.get_data() + whole.encode()
    response.headers[render.TABLE_VERSION] = str(page.version)


def _refused_page(actor: Actor, match: TableId, refused: Rejected, typed: str) -> AnyResponse:
    """The page again with the sentence beside the entry, for a form that was sent without a script."""
    page = matches.page(actor.account_id, match)
    if page is None:
        return errors.answer(404)
    if page.view.phase is MatchPhase.OVER:
        return redirect(f"/match/{match}/results", 303)
    response = _page(actor, page, wording.sentence(refused.refusal, refused.detail), typed)
    response.status_code = errors.count_refusal(refused)
    return response


def _page(actor: Actor, page: MatchPage, refused: str = "", typed: str = "") -> Response:
    first_time = page.view.phase is MatchPhase.PICKING and tips.first_time(actor.account_id, Tip.SKILLS)
    context = match_screen.context(page.view, generate_csrf(), refused, typed[: page.view.digits])
    return render.page(
        "pages/match/match.html", version=page.version, returning=page.was_away and page.view.can_forfeit, first_time=first_time, **context
    )
