"""A small OpenID Connect provider for development: choose a ready person and be signed in (R12.1).

It lives under a path of the development server, so that it needs no port of its own, answers on this machine only, and is never
part of a production start. It keeps nothing: a code is a signed text, so that any process of the same installation can redeem it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, current_app, jsonify, redirect, request
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.wrappers import Response as AnyResponse

PATH = "/demo-idp"
TEMPLATES = str(Path(__file__).parents[2] / "templates")
CLIENT_ID = "guessio-demo"
REALM = "demo"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
CODE_LIFETIME_S = 60
TOKEN_LIFETIME_S = 600
REDEEMED_KEPT = 10_000
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
OWN_NAME = re.compile(r"[a-z0-9_-]{1,40}")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to sign in as."""

    id: str
    given_name: str
    family_name: str = ""
    verified: bool = True

    @property
    def name(self) -> str:
        """Given and family name."""
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def email(self) -> str:
        """An address that reaches nobody."""
        return f"{self.id}@example.org"


PEOPLE = (
    Person("mira", "Mira", "K"),
    Person("nova", "Nova", "Seven"),
    Person("juno", "Juno", "B"),
    Person("fern", "Fern", "Four"),
    Person("tessel", "Tessel"),
    Person("orbit", "Orbit", "Twenty"),
    Person("sable", "Sable", "Nine", verified=False),
)
_BY_ID = {person.id: person for person in PEOPLE}


def new_key() -> str:
    """A fresh signing key as PEM text, for the caller to keep."""
    return RSAKey.generate_key(2048).as_pem(private=True).decode()


def create(issuer: str, secret: str, key_pem: str, client_secret: str) -> Flask:
    """The provider as an app of its own, to be mounted at the path of `issuer`. `secret` signs its codes."""
    key = RSAKey.import_key(key_pem, {"use": "sig", "alg": "RS256"})
    key.ensure_kid()
    codes = Codes(secret)
    app = Flask(__name__, static_folder=None, template_folder=TEMPLATES)
    app.before_request(_local_only)
    app.after_request(_guarded)
    app.add_url_rule("/.well-known/openid-configuration", "discovery", lambda: jsonify(_metadata(issuer)))
    app.add_url_rule("/jwks", "jwks", lambda: jsonify({"keys": [key.as_dict(private=False)]}))
    app.add_url_rule("/authorize", "choose", _choose)
    app.add_url_rule("/authorize", "chosen", lambda: _chosen(codes), methods=["POST"])
    app.add_url_rule("/token", "token", lambda: _token(issuer, key, codes, client_secret), methods=["POST"])
    return app


class Codes:
    """Authorization codes: signed, short-lived, each good once in this process."""

    def __init__(self, secret: str) -> None:
        self._signer = URLSafeTimedSerializer(secret, salt="demo identity provider code")
        self._redeemed: OrderedDict[str, None] = OrderedDict()

    def grant(self, person: Person, request_args: Mapping[str, str]) -> str:
        """A code for that person, bound to what the request said."""
        bound = {name: request_args[name] for name in ("redirect_uri", "nonce", "code_challenge")}
        return self._signer.dumps({**bound, "person": person.id, "once": secrets.token_hex(8)})

    def redeem(self, form: Mapping[str, str]) -> tuple[dict[str, str], int] | None:
        """What a code stands for and when it was made (Unix seconds), once, if it comes with its verifier and way back."""
        try:
            granted, made = self._signer.loads(form.get("code", ""), max_age=CODE_LIFETIME_S, return_timestamp=True)
        except BadData:
            return None
        if form.get("redirect_uri") != granted["redirect_uri"] or granted["once"] in self._redeemed:
            return None
        self._redeemed[granted["once"]] = None
        if len(self._redeemed) > REDEEMED_KEPT:
            self._redeemed.popitem(last=False)
        return (granted, int(made.timestamp())) if _proven(form.get("code_verifier", ""), granted["code_challenge"]) else None


def _proven(verifier: str, challenge: str) -> bool:
    """Whether the verifier is the one whose SHA-256 was announced (PKCE, RFC 7636)."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return VERIFIER.fullmatch(verifier) is not None and hmac.compare_digest(digest, challenge.encode())


def _local_only() -> Response | None:
    """Neither from another machine nor through a proxy that stands on this one."""
    here = request.remote_addr in LOOPBACK and urlsplit(request.host_url).hostname in LOOPBACK
    return None if here else _refused("This page answers on this machine only.", 403)


def _guarded(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response


def _choose() -> AnyResponse:
    return _problem() or _page("demo/choose.html", people=PEOPLE, action=f"{request.root_path}{request.full_path}")


def _chosen(codes: Codes) -> AnyResponse:
    problem = _problem()
    if problem is not None:
        return problem
    person = None if "deny" in request.form else _person(request.form.get("person", ""))
    return _back(error="access_denied") if person is None else _back(code=codes.grant(person, request.args))


def _token(issuer: str, key: RSAKey, codes: Codes, client_secret: str) -> Response:
    if not _client_is_known(client_secret):
        return _token_error("invalid_client", 401)
    if request.form.get("grant_type") != "authorization_code":
        return _token_error("unsupported_grant_type")
    granted = codes.redeem(request.form)
    return _token_error("invalid_grant") if granted is None else jsonify(_tokens(issuer, key, *granted))


def _metadata(issuer: str) -> dict[str, Any]:
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "jwks_uri": f"{issuer}/jwks",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "profile", "email"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
    }


def _problem() -> AnyResponse | None:
    """What is wrong with an authorization request: shown here when the way back can't be trusted, else sent back."""
    args = request.args
    back = urlsplit(args.get("redirect_uri", ""))
    if args.get("client_id") != CLIENT_ID or back.scheme != "http" or back.hostname not in LOOPBACK:
        return _refused("This request doesn't come from the development server on this machine.", 400)
    if args.get("response_type") != "code":
        return _back(error="unsupported_response_type")
    if not args.get("nonce") or args.get("code_challenge_method") != "S256" or not args.get("code_challenge"):
        return _back(error="invalid_request")
    return None


def _back(**answer: str) -> AnyResponse:
    """Return to the site with an answer and the state it gave."""
    uri = request.args["redirect_uri"]
    joint = "&" if urlsplit(uri).query else "?"
    return redirect(f"{uri}{joint}{urlencode({**answer, 'state': request.args.get('state', '')})}", 303)


def _person(wanted: str) -> Person | None:
    """A ready person, or anybody whose short name was typed in: tests need more people than a list holds."""
    wanted = wanted.strip().lower()
    if wanted in _BY_ID:
        return _BY_ID[wanted]
    return Person(wanted, wanted.replace("_", " ").replace("-", " ").title().strip()) if OWN_NAME.fullmatch(wanted) else None


def _client_is_known(client_secret: str) -> bool:
    given = request.authorization
    identity = (given.username, given.password) if given else (request.form.get("client_id"), request.form.get("client_secret"))
    return identity[0] == CLIENT_ID and hmac.compare_digest((identity[1] or "").encode(), client_secret.encode())


def _tokens(issuer: str, key: RSAKey, granted: dict[str, str], made_s: int) -> dict[str, Any]:
    person = _person(granted["person"])
    assert person is not None, "codes are made for people only"  # noqa: S101
    claims = {
        "iss": issuer,
        "sub": f"demo-{person.id}",
        "aud": CLIENT_ID,
        "iat": made_s,
        "exp": made_s + TOKEN_LIFETIME_S,
        "nonce": granted["nonce"],
        "email": person.email,
        "email_verified": person.verified,
        "name": person.name,
        "given_name": person.given_name,
        "family_name": person.family_name,
    }
    id_token = jwt.encode({"alg": "RS256", "kid": key.kid, "typ": "JWT"}, claims, key)
    return {"access_token": secrets.token_urlsafe(24), "token_type": "Bearer", "expires_in": TOKEN_LIFETIME_S, "id_token": id_token}


def _token_error(error: str, status: int = 400) -> Response:
    response = jsonify({"error": error})
    response.status_code = status
    return response


def _page(template: str, status: int = 200, **context: Any) -> Response:
    return Response(current_app.jinja_env.get_template(template).render(context), status, mimetype="text/html")


def _refused(reason: str, status: int) -> Response:
    return _page("demo/refused.html", status, reason=reason)
