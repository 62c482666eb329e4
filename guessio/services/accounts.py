"""Accounts: matched by the provider's subject alone, made once a username is chosen (R12.1, R12.2)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from guessio import clock
from guessio.engine.machine import Rejected
from guessio.rules import tunables, usernames
from guessio.rules.terms import AccountId, Refusal
from guessio.services import sessions
from guessio.store import accounts as rows
from guessio.store import database
from guessio.store.accounts import NewAccount

PICTURE_HOST = "googleusercontent.com"
PICTURE_URL_MAX = 1024
SUBJECT_MAX = 255
# What the browser carries of a provider's name until the username is chosen: display names are cut shorter still.
PROVIDER_NAME_KEPT = 100
SUGGESTIONS_TRIED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who the identity provider says has signed in, with an e-mail address that it has verified."""

    issuer: str
    subject: str
    email: str
    name: str
    given_name: str
    family_name: str
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUp:
    """A first sign-in that waits for a username. Nothing of it is stored; the browser carries it, signed (R12.2)."""

    subject: str
    email: str
    name: str
    avatar_url: str
    suggestion: str
    began_ms: int

    def expired(self, now_ms: int) -> bool:
        """Whether the time for choosing a username is over."""
        return now_ms >= self.began_ms + tunables.SIGN_UP_MS


def sign_in(identity: Identity) -> AccountId | SignUp:
    """The account of that subject, with its address and picture brought up to date, or the beginning of a new one."""
    subject = subject_key(identity.issuer, identity.subject)
    avatar_url = allowed_picture(identity.picture)
    with database.write() as conn:
        account = rows.find_by_subject(conn, subject)
        if account is not None:
            rows.refresh_contact(conn, account.id, identity.email, avatar_url)
            sessions.refresh(account.id)
            return account.id
    return SignUp(
        subject=subject,
        email=identity.email,
        name=identity.name[:PROVIDER_NAME_KEPT],
        avatar_url=avatar_url,
        suggestion=_free_suggestion(identity),
        began_ms=clock.now_ms(),
    )


def create(sign_up: SignUp, wanted: str) -> AccountId | Rejected:
    """Make the account under the wanted username, once.

    The same choice sent again leads to the account that the first one made.
    Refusals: SIGN_UP_EXPIRED, USERNAME_LENGTH, USERNAME_FORM, USERNAME_RESERVED, USERNAME_TAKEN.
    """
    if sign_up.expired(clock.now_ms()):
        return Rejected(Refusal.SIGN_UP_EXPIRED)
    refusal = usernames.validate(wanted)
    if refusal is not None:
        return Rejected(refusal)
    new = NewAccount(
        subject=sign_up.subject,
        email=sign_up.email,
        username=wanted,
        display_name=usernames.display_name(sign_up.name, wanted),
        avatar_url=sign_up.avatar_url,
        created_ms=clock.now_ms(),
    )
    with database.write() as conn:
        made = rows.add(conn, new)
        return made if made is not None else _already(rows.find_by_subject(conn, sign_up.subject), wanted)


def _already(own: rows.Account | None, wanted: str) -> AccountId | Rejected:
    """What a lost race means: somebody else has the name, or this very sign-up has been completed."""
    if own is None:
        return Rejected(Refusal.USERNAME_TAKEN, wanted)
    return own.id if own.username == wanted else Rejected(Refusal.SIGN_UP_EXPIRED)


def _free_suggestion(identity: Identity) -> str:
    """The first username on offer that nobody has, or nothing (R12.2)."""
    offers = islice(usernames.suggestions(identity.given_name, identity.family_name, identity.email), SUGGESTIONS_TRIED)
    with database.read() as conn:
        return next((offer for offer in offers if rows.find_by_username(conn, offer) is None), "")


def subject_key(issuer: str, subject: str) -> str:
    """What an account is matched by: issuer and subject together, since subjects are unique within an issuer only."""
    key = f"{issuer} {subject}"
    return key if len(key) <= SUBJECT_MAX else "sha256 " + hashlib.sha256(key.encode()).hexdigest()


def allowed_picture(url: str) -> str:
    """The picture's address if it is one that pages may load, else nothing: initials stand in for it (R12.2)."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    allowed = parts.scheme == "https" and host.endswith("." + PICTURE_HOST) and port is None and not parts.username
    return url if allowed and len(url) <= PICTURE_URL_MAX and url.isascii() and url.isprintable() else ""
