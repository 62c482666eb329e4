"""Signing in and out, and choosing a username (R12.1-R12.3).

What its templates are given, besides what every page has:
- `pages/accounts/sign_in.html`: `next` (path to return to), `problem` (a sentence, or nothing), `provider` ("Google", a host name, or
  "the demo sign-in"), `is_demo`. It posts `next` to /sign-in. `sign_in_needed` shows the same page with status 401.
- `pages/accounts/username.html`: `username` (what stands in the field), `problem` (a sentence, or nothing), `shortest`, `longest`,
  `minutes` (time for choosing). It posts `username` to /username; /sign-out gives the sign-up up.
- `pages/accounts/suspended.html` (from `errors.account_state`, status 403): `is_banned`, `reason`, `until_ms` (or None), `username`.
- `pages/accounts/welcome.html` (from the home page's view, for guests): `notice` (a sentence, or nothing).
- `errors/error.html`: `status`, `title`, `text`, `action_label`, `action_url`, `request_id` (for 5xx, else empty).
- `fragments/errors/message.html`: `text`, `tone`, `action_label`, `action_url`, for `#message`; `fragments/errors/line.html`: the same
  and `place`, the id of the element it replaces.
All of them are plain forms with `csrf_token`; none needs JavaScript.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, redirect, request, session
from werkzeug.wrappers import Response as AnyResponse

from guessio import clock
from guessio.adapters import openid
from guessio.config import GOOGLE_ISSUER, Settings
from guessio.rules import tunables
from guessio.services import accounts
from guessio.services.accounts import Identity, Rejected, SignUp
from guessio.web import errors, guards, limits, render, wording

blueprint = Blueprint("accounts", __name__)
SIGN_UP_KEY = "sign_up"
NEXT_KEY = "next"
PROBLEMS = (
    (openid.SignInDenied, 400, "denied"),
    (openid.EmailNotVerified, 403, "unverified"),
    (openid.ProviderDown, 503, "down"),
    (openid.SignInFailed, 400, "failed"),
)


@blueprint.get("/sign-in")
def sign_in() -> AnyResponse:
    """The page to sign in from; somebody who is signed in goes straight on."""
    target = guards.own_path(request.args.get("next"))
    if guards.current_actor() is not None:
        return redirect(target, 303)
    ended = guards.ended_because()
    return sign_in_page(target, wording.SIGNED_OUT[ended] if ended else "")


@blueprint.post("/sign-in")
@limits.signing_in
def begin() -> AnyResponse:
    """Send the browser to the identity provider."""
    target = guards.own_path(request.form.get("next"))
    session[NEXT_KEY] = target
    try:
        response = openid.begin(current_app, _callback_address())
    except openid.SignInFailed as error:
        return _problem(error, target)
    response.status_code = 303
    return response


@blueprint.get("/sign-in/callback")
@limits.signing_in
def callback() -> AnyResponse:
    """Back from the provider: signed in, or on to choose a username."""
    target = guards.own_path(session.get(NEXT_KEY))
    try:
        claims = openid.finish(current_app)
    except openid.SignInFailed as error:
        return _problem(error, target)
    result = accounts.sign_in(_identity(claims))
    if isinstance(result, SignUp):
        _keep_sign_up(result, target)
        return redirect("/username", 303)
    guards.sign_in(result)
    return redirect(target, 303)


@blueprint.get("/username")
def choose_username() -> AnyResponse:
    """The form of a first sign-in."""
    sign_up = _sign_up()
    if sign_up is None:
        return redirect("/" if guards.current_actor() else "/sign-in", 303)
    return _username_page(200, sign_up.suggestion)


@blueprint.post("/username")
@limits.signing_in
def take_username() -> AnyResponse:
    """Make the account, or say what is wrong with the name and keep the form."""
    sign_up = _sign_up()
    wanted = request.form.get("username", "").strip()
    if sign_up is None:
        return redirect("/" if guards.current_actor() else "/sign-in", 303)
    result = accounts.create(sign_up, wanted)
    if isinstance(result, Rejected):
        return errors.refuse(result) if render.wants_fragment() else _username_refused(result, wanted)
    target = guards.own_path(session.get(NEXT_KEY))
    guards.sign_in(result)
    return redirect(target, 303)


@blueprint.post("/sign-out")
def sign_out() -> AnyResponse:
    """End the session and its streams; also gives up a sign-up that waits for a username."""
    guards.sign_out()
    return redirect("/", 303)


def sign_in_page(target: str, problem: str, status: int = 200) -> Response:
    """The sign-in page, with a sentence about what went wrong if something did."""
    return render.page("pages/accounts/sign_in.html", status, next=target, problem=problem)


def provider_words(settings: Settings) -> dict[str, Any]:
    """How pages call the configured provider."""
    if settings.demo_provider:
        name = "the demo sign-in"
    else:
        name = "Google" if settings.oidc_issuer == GOOGLE_ISSUER else urlsplit(settings.oidc_issuer).hostname or ""
    return {"provider": name, "is_demo": settings.demo_provider}


def _callback_address() -> str:
    """Where the provider sends the browser back to: the public address, or in development the loopback name in use."""
    site = current_app.config["SITE_URL"]
    here = urlsplit(request.host_url)
    if not current_app.config["PRODUCTION"] and here.hostname in openid.LOOPBACK:
        site = request.host_url.rstrip("/")
    return f"{site}/sign-in/callback"


def _problem(error: openid.SignInFailed, target: str) -> Response:
    """The sign-in page again, which says why it came to nothing."""
    current_app.logger.info("sign-in failed: %s", type(error).__name__)
    status, words = next((status, words) for kind, status, words in PROBLEMS if isinstance(error, kind))
    return sign_in_page(target, wording.SIGN_IN_PROBLEMS[words], status)


def _identity(claims: dict[str, Any]) -> Identity:
    """The parts of the provider's claims that are used, as text whatever was sent."""

    def text(name: str) -> str:
        value = claims.get(name)
        return value if isinstance(value, str) else ""

    return Identity(
        issuer=claims["iss"],
        subject=claims["sub"],
        email=text("email")[:320],
        name=text("name"),
        given_name=text("given_name"),
        family_name=text("family_name"),
        picture=text("picture"),
    )


def _keep_sign_up(sign_up: SignUp, target: str) -> None:
    """Let the browser carry it, signed and hidden from scripts: nothing is stored before a username is chosen (R12.2)."""
    guards.sign_out()
    session[SIGN_UP_KEY] = asdict(sign_up)
    session[NEXT_KEY] = target


def _sign_up() -> SignUp | None:
    kept = session.get(SIGN_UP_KEY)
    return SignUp(**kept) if kept else None


def _username_refused(rejected: Rejected, wanted: str) -> Response:
    sentence = wording.sentence(rejected.refusal, rejected.detail)
    sign_up = _sign_up()
    if sign_up is None or sign_up.expired(clock.now_ms()):
        target = guards.own_path(session.get(NEXT_KEY))
        session.clear()
        return sign_in_page(target, sentence, errors.UNPROCESSABLE)
    return _username_page(errors.UNPROCESSABLE, wanted, sentence)


def _username_page(status: int, username: str, problem: str = "") -> Response:
    return render.page(
        "pages/accounts/username.html",
        status,
        username=username[: tunables.USERNAME_MAX],
        problem=problem,
        shortest=tunables.USERNAME_MIN,
        longest=tunables.USERNAME_MAX,
        minutes=max(1, tunables.SIGN_UP_MS // 60_000),
    )
