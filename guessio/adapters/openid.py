"""Sign-in by OpenID Connect: authorization code with PKCE (S256), state and nonce, against any issuer with discovery (R12.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth, OAuthError
from flask import Flask
from joserfc.errors import JoseError
from requests.exceptions import RequestException
from werkzeug.wrappers import Response

NAME = "identity"
TIMEOUT_S = 5
DENIALS = ("access_denied", "consent_required", "login_required", "interaction_required")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class SignInFailed(Exception):
    """The answer of the provider can't be trusted, or it refused: begin again."""


class SignInDenied(SignInFailed):
    """The person said no at the provider."""


class EmailNotVerified(SignInFailed):
    """The provider hasn't verified the person's e-mail address."""


class ProviderDown(SignInFailed):
    """The provider can't be reached or answers nonsense."""


@dataclass(frozen=True, slots=True)
class Provider:
    """The configured issuer. `realm` is what its subjects are known under, when that isn't the issuer's address."""

    issuer: str
    client_id: str
    client_secret: str
    realm: str = ""


def install(app: Flask, provider: Provider) -> None:
    """Register the provider with the app. Nothing is asked of it before the first sign-in."""
    oauth = OAuth(app)
    # A proxy of the environment has no way to an issuer on this machine.
    loopback = urlsplit(provider.issuer).hostname in LOOPBACK
    oauth.register(
        NAME,
        client_id=provider.client_id,
        client_secret=provider.client_secret or None,
        server_metadata_url=f"{provider.issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile email",
            "code_challenge_method": "S256",
            "default_timeout": TIMEOUT_S,
            "trust_env": not loopback,
            **({} if provider.client_secret else {"token_endpoint_auth_method": "none"}),
        },
    )
    app.extensions["guessio.openid"] = (oauth.create_client(NAME), provider)


def form_targets(app: Flask) -> tuple[str, ...]:
    """The origins to which the sign-in form may be redirected, for the content security policy."""
    client, provider = app.extensions["guessio.openid"]
    addresses = (provider.issuer, client.server_metadata.get("authorization_endpoint", provider.issuer))
    return tuple(dict.fromkeys("{0.scheme}://{0.netloc}".format(urlsplit(address)) for address in addresses))


def begin(app: Flask, redirect_uri: str) -> Response:
    """Send the browser to the provider; state, nonce and code verifier wait in the signed session. Raises: ProviderDown."""
    client, provider = app.extensions["guessio.openid"]
    try:
        metadata = client.load_server_metadata()
        if metadata.get("issuer", "").rstrip("/") != provider.issuer:
            client.server_metadata.pop("_loaded_at", None)
            raise ProviderDown("the discovery document names another issuer")
        return client.authorize_redirect(redirect_uri, prompt="select_account")
    except (RequestException, RuntimeError, ValueError) as error:
        raise ProviderDown(str(error)) from error


def finish(app: Flask) -> dict[str, Any]:
    """The verified claims of the person who has come back from the provider. Raises: SignInFailed and its kinds.

    Authlib compares state and nonce, sends the code verifier, and checks the signature, issuer, audience and lifetime.
    The access token is dropped here (R12.1).
    """
    client, provider = app.extensions["guessio.openid"]
    try:
        claims = _claims(client, provider)
    except OAuthError as error:
        if error.error in DENIALS:
            raise SignInDenied(error.error) from error
        raise SignInFailed(error.error) from error
    except RequestException as error:
        raise ProviderDown(str(error)) from error
    except (AuthlibBaseError, JoseError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise SignInFailed(type(error).__name__) from error
    if not isinstance(claims.get("sub"), str) or not claims["sub"]:
        raise SignInFailed("no identity in the answer")
    if claims.get("email_verified") is not True or not isinstance(claims.get("email"), str):
        raise EmailNotVerified(provider.issuer)
    return {**claims, "iss": provider.realm or provider.issuer}


def _claims(client: Any, provider: Provider) -> dict[str, Any]:
    """The identity token's claims, completed from the user info endpoint by issuers that keep the address there."""
    audience = {"essential": True, "values": [provider.client_id]}
    issuer = {"essential": True, "values": [client.load_server_metadata()["issuer"]]}
    token = client.authorize_access_token(claims_options={"iss": issuer, "aud": audience})
    claims = dict(token.get("userinfo") or {})
    if claims and "email" not in claims and "userinfo_endpoint" in client.server_metadata:
        more = client.userinfo(token=token)
        if more.get("sub") == claims.get("sub"):
            claims = {**more, **claims}
    return claims
