"""The duel lobby, duels in play, and what became of them (R17).

A command that took effect answers 204, because both players get its fragments over the stream; a form sent without a script is sent
back to the duel by 303. A refusal answers 422 with a sentence beside the entry, a guess for an earlier turn 409 with the fresh board. To
everybody but its two players a duel does not exist: 404.

- `pages/duel/lobby.html`: `page`, a services.duel_lobby.LobbyPage. `pages/duel/offer.html`: `offer`, an OfferPage.
- `pages/duel/duel.html`: what live.duel_screen.context gives, and `version`, `was_away`, `record_url`.
- `pages/duel/history.html`: `page`, a services.duel_history.DuelHistoryPage. `pages/duel/record.html`: `record`, a DuelRecord.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from flask_wtf.csrf import generate_csrf
from werkzeug.wrappers import Response as AnyResponse

from guessio import clock
from guessio.live import duel_screen, fragments
from guessio.rules.terms import Refusal, TableId
from guessio.services import duel_history, duel_lobby, duel_offers, duel_record, duel_rematch, duel_terms, duels, tables
from guessio.services.duel_lobby import OfferPage
from guessio.services.duels import DuelPage, Outcome, Rejected
from guessio.services.sessions import Actor
from guessio.web import errors, render, wording
from guessio.web.guards import signed_in

blueprint = Blueprint("duels", __name__)
TURNS_MAX_DIGITS = 9
TERMS = ("clock", "length", "repeats", "format")
LINK = "link"
OFFER_GONE = "Somebody was quicker, or it was taken back. There are more in the lobby, and you can offer a duel yourself."


@blueprint.get("/duels")
@signed_in
def lobby(actor: Actor) -> AnyResponse:
    """The offers to take, one's own, and the form for a new one; whoever plays a duel is led to it."""
    running = duel_lobby.running(actor.account_id)
    if running is not None:
        return redirect(f"/duel/{running}", 303)
    return render.page("pages/duel/lobby.html", page=duel_lobby.page(actor.account_id, request.args))


@blueprint.post("/duels")
@signed_in
def make(actor: Actor) -> AnyResponse:
    """Put up an offer."""
    terms = duel_terms.read(request.form)
    if isinstance(terms, Rejected):
        return _refuse(terms)
    made = duel_offers.make(actor.account_id, terms, is_public=request.form.get("visibility") != LINK)
    return _refuse(made) if isinstance(made, Rejected) else _lead("/duels")


@blueprint.post("/duels/withdraw")
@signed_in
def withdraw(actor: Actor) -> AnyResponse:
    """Take one's own offer back; the lobby leads to the duel if somebody took it first."""
    duel_offers.withdraw(actor.account_id)
    return _lead("/duels")


@blueprint.post("/duels/computer")
@signed_in
def computer(actor: Actor) -> AnyResponse:
    """Play the computer on the form's terms, or on those of one's own offer."""
    terms = duel_terms.read(request.form) if any(request.form.get(name) for name in TERMS) else None
    return _led(terms if isinstance(terms, Rejected) else duel_offers.computer(actor.account_id, terms))


@blueprint.get("/duels/offer/<offer>")
@signed_in
def offer(actor: Actor, offer: str) -> AnyResponse:
    """An offer behind its link."""
    found = duel_lobby.offer(actor.account_id, offer)
    if not isinstance(found, OfferPage):
        return redirect(f"/duel/{found}", 303)
    if found.is_gone:
        return errors.answer(404, OFFER_GONE, "That offer is gone", action=("To the duels", "/duels"))
    return render.page("pages/duel/offer.html", offer=found)


@blueprint.post("/duels/offer/<offer>/take")
@signed_in
def take(actor: Actor, offer: str) -> AnyResponse:
    """Take somebody's offer."""
    return _led(duel_offers.take(actor.account_id, offer))


@blueprint.get("/duels/history")
@signed_in
def history(actor: Actor) -> AnyResponse:
    """One page of one's duels."""
    page = duel_history.page(actor.account_id, request.args.get("filter", ""), request.args.get("page", ""))
    return render.page("pages/duel/history.html", page=page)


@blueprint.get("/duels/history/<duel>")
@signed_in
def record(actor: Actor, duel: str) -> AnyResponse:
    """One finished duel, for those who played it."""
    found = duel_record.find(actor.account_id, TableId(duel))
    return errors.answer(404) if found is None else render.page("pages/duel/record.html", record=found)


@blueprint.get("/duel/<duel>")
@signed_in
def show(actor: Actor, duel: str) -> AnyResponse:
    """The duel as it stands, and its end; long after it, its record."""
    page = duels.page(actor.account_id, TableId(duel))
    if page is not None:
        return _page(page)
    if duel_record.find(actor.account_id, TableId(duel)) is not None:
        return redirect(f"/duels/history/{duel}", 303)
    return errors.answer(404)


@blueprint.post("/duel/<duel>/secret")
@signed_in
def secret(actor: Actor, duel: str) -> AnyResponse:
    """Choose the number that the other must break, and be ready."""
    sent = request.form.get("secret", "")
    return _answer(actor, TableId(duel), duels.set_secret(actor.account_id, TableId(duel), sent), sent, is_secret=True)


@blueprint.post("/duel/<duel>/seen")
@signed_in
def seen(actor: Actor, duel: str) -> AnyResponse:
    """The page has got its turn: gives the measured delay, sealed, to be sent with the guess."""
    measured = duels.seen(actor.account_id, TableId(duel), _turn(), request.form.get("sent", ""))
    if measured is None:
        return errors.answer(404)
    if isinstance(measured, Rejected):
        return Response(status=errors.UNPROCESSABLE)
    return Response(measured, mimetype="text/plain", headers={"Cache-Control": "no-store"})


@blueprint.post("/duel/<duel>/guess")
@signed_in
def guess(actor: Actor, duel: str) -> AnyResponse:
    """A guess for the turn that it names."""
    sent = request.form.get("guess", "")
    outcome = duels.guess(actor.account_id, TableId(duel), _turn(), sent, request.form.get("lag", ""))
    return _answer(actor, TableId(duel), outcome, sent)


@blueprint.post("/duel/<duel>/resign")
@signed_in
def resign(actor: Actor, duel: str) -> AnyResponse:
    """Give the duel up."""
    return _answer(actor, TableId(duel), duels.resign(actor.account_id, TableId(duel)))


@blueprint.post("/duel/<duel>/rematch")
@signed_in
def rematch(actor: Actor, duel: str) -> AnyResponse:
    """Offer a rematch, or agree to one."""
    wanted = duel_rematch.want(actor.account_id, TableId(duel))
    if wanted is None:
        return errors.answer(404)
    if isinstance(wanted, Rejected):
        return _refuse(wanted)
    return Response(status=204) if wanted == duel and render.wants_fragment() else _lead(f"/duel/{wanted}")


def _turn() -> int:
    """The turn that a form names; -1, which is none, for anything but a small number."""
    text = request.form.get("turn", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= TURNS_MAX_DIGITS else -1


def _lead(url: str) -> AnyResponse:
    """Lead the page on, whether a script or the browser itself sent the form."""
    return Response(status=204, headers={"HX-Redirect": url}) if render.wants_fragment() else redirect(url, 303)


def _led(begun: TableId | Rejected) -> AnyResponse:
    return _refuse(begun) if isinstance(begun, Rejected) else _lead(f"/duel/{begun}")


def _refuse(rejected: Rejected, *, is_secret: bool = False) -> Response:
    status = errors.REFUSAL_STATUS.get(rejected.refusal, errors.UNPROCESSABLE)
    if status == 404:
        return errors.answer(404)
    return errors.answer(status, wording.duel_sentence(rejected.refusal, rejected.detail, is_secret=is_secret))


def _answer(actor: Actor, duel: TableId, outcome: Outcome, typed: str = "", *, is_secret: bool = False) -> AnyResponse:
    """The answer to a command: see the module's text."""
    if outcome is None:
        return errors.answer(404)
    if not isinstance(outcome, Rejected):
        return Response(status=204) if render.wants_fragment() else redirect(f"/duel/{duel}", 303)
    if not render.wants_fragment():
        return _refused_page(actor, duel, outcome, typed, is_secret)
    response = _refuse(outcome, is_secret=is_secret)
    if outcome.refusal is Refusal.STALE_TURN:
        _add_fresh(response, actor, duel)
    return response


def _add_fresh(response: Response, actor: Actor, duel: TableId) -> None:
    """The whole of `#table` as this player sees it now, for a page that was behind, and which version that is."""
    loaded = tables.load(duel)
    if loaded is not None:
        whole = fragments.whole(loaded.kind, loaded.state, actor.account_id, loaded.version, clock.now_ms())
        response.data = response.get_data() + whole.encode()
        response.headers[render.TABLE_VERSION] = str(loaded.version)


def _refused_page(actor: Actor, duel: TableId, refused: Rejected, typed: str, is_secret: bool) -> AnyResponse:
    """The page again with the sentence beside the entry, for a form that was sent without a script."""
    page = duels.page(actor.account_id, duel)
    if page is None:
        return errors.answer(404)
    response = _page(page, wording.duel_sentence(refused.refusal, refused.detail, is_secret=is_secret), typed)
    response.status_code = errors.REFUSAL_STATUS.get(refused.refusal, errors.UNPROCESSABLE)
    return response


def _page(page: DuelPage, refused: str = "", typed: str = "") -> Response:
    context = duel_screen.context(page.view, generate_csrf(), refused, typed[: page.view.length], page.rematch)
    returning = page.was_away and page.view.can_resign
    return render.page("pages/duel/duel.html", version=page.version, record_url=page.record_url, was_away=returning, **context)
