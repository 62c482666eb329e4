"""Who a request comes from, decided by the session alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, g, session
from flask_login import LoginManager, UserMixin, current_user, login_user

from guessio import clock
from guessio.rules.terms import AccountId
from guessio.services import sessions
from guessio.services.sessions import Actor, EndReason
from guessio.web import render

P = ParamSpec("P")
R = TypeVar("R")
ACCOUNT_KEY = "account"
TOKEN_KEY = "_user_id"  # noqa: S105 - where Flask-Login keeps it


class NotSignedIn(Exception):
    """The page needs somebody to be signed in."""


class MayNotPlay(Exception):
    """The account is suspended or banned, and sees its state only (R12.4)."""

    def __init__(self, actor: Actor) -> None:
        super().__init__(actor.state)
        self.actor = actor


class SignedInUser(UserMixin):
    """What Flask-Login keeps of a request's user: the actor, and the token that stands for the session."""

    def __init__(self, token: str, actor: Actor | None = None) -> None:
        self.token = token
        self.actor = actor

    def get_id(self) -> str:
        """The token: the cookie names a session, never an account."""
        return self.token


def install(app: Flask) -> None:
    """Tell Flask-Login how to find the user of a request, and give templates `me`."""
    manager = LoginManager()
    # Sessions are bound to a server record; a phone's address may change at any time.
    manager.session_protection = None  # pyright: ignore[reportAttributeAccessIssue] - Flask-Login documents None
    manager.init_app(app)
    manager.user_loader(_load)
    app.context_processor(lambda: {"me": current_actor()})


def _load(token: str) -> SignedInUser | None:
    # The page that says so when the database is away must not ask it again, also not through Flask-Login's own `current_user`.
    if g.get("guest_page"):
        return None
    actor = sessions.find(token)
    return SignedInUser(token, actor) if actor is not None else None


def current_actor() -> Actor | None:
    """Who is signed in, whatever the state of the account; None for a guest, and while the database can't be asked."""
    if g.get("guest_page"):
        return None
    return getattr(current_user, "actor", None)


def signed_in(view: Callable[Concatenate[Actor, P], R]) -> Callable[P, R]:
    """Give the view its actor as first argument. Raises: NotSignedIn (401), MayNotPlay (403 with the state of the account)."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        return view(required_actor(), *args, **kwargs)

    return guarded


def required_actor() -> Actor:
    """The active account that acts. Raises: NotSignedIn, MayNotPlay."""
    actor = current_actor()
    if actor is None:
        raise NotSignedIn
    if not actor.may_play(clock.now_ms()):
        raise MayNotPlay(actor)
    return actor


def sign_in(account_id: AccountId) -> None:
    """Begin a session with nothing carried over from before it: a cookie planted earlier is worth nothing afterwards."""
    earlier = session.get(TOKEN_KEY)
    session.clear()
    if earlier:
        sessions.end(earlier)
    session.permanent = True
    session[ACCOUNT_KEY] = account_id
    login_user(SignedInUser(sessions.start(account_id)))


def sign_out() -> None:
    """End this browser's session; a browser without one stays without."""
    token = session.get(TOKEN_KEY)
    session.clear()
    g.guest_page = True
    if token:
        sessions.end(token)


def ended_because() -> EndReason | None:
    """Why this browser is signed out although it still carries a session; kept until a page has told it."""
    account_id = session.get(ACCOUNT_KEY)
    if account_id is None or current_actor() is not None:
        return None
    if render.loads_page():
        session.clear()
    return sessions.why_ended(AccountId(account_id))


def own_path(target: Any, default: str = "/") -> str:
    """`target` if it is a path on this site, else `default`: nobody is sent elsewhere (requirement 36)."""
    if not isinstance(target, str) or not target.startswith("/") or len(target) > 500:
        return default
    # Browsers read a backslash as a slash and drop control characters: neither belongs into a path of ours.
    if target.startswith("//") or "\\" in target or not target.isprintable() or not target.isascii():
        return default
    parts = urlsplit(target)
    return default if parts.scheme or parts.netloc else target
