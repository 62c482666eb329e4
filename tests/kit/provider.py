"""The demo identity provider on a port of its own, for tests that go through a sign-in without a server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

import requests
from flask.testing import FlaskClient
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import TestResponse

from guessio.adapters import demo_provider
from tests.kit import ports, signed_in

CLIENT_SECRET = "known to this test's two sides"


class _Silent(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:
        """Say nothing."""


@cache
def _key() -> str:
    return demo_provider.new_key()


@dataclass(frozen=True)
class Provider:
    """A running provider, and how a browser goes through it."""

    issuer: str

    @property
    def settings(self) -> dict[str, str]:
        """The environment of an application that signs in here."""
        return {"OIDC_ISSUER": self.issuer, "OIDC_CLIENT_ID": demo_provider.CLIENT_ID, "OIDC_CLIENT_SECRET": CLIENT_SECRET}

    def leave(self, browser: FlaskClient, next: str = "/") -> str:
        """Press the sign-in button; the provider's address that the browser is sent to."""
        return signed_in.post(browser, "/sign-in", {"next": next}).headers["Location"]

    def choose(self, address: str, **fields: str) -> str:
        """Choose a person (`person="mira"`) or refuse (`deny="yes"`); the address on the site that the browser is sent back to."""
        with requests.Session() as http:
            http.trust_env = False
            answer = http.post(address, data=fields, allow_redirects=False, timeout=10)
        return answer.headers.get("Location", "")

    def sign_in(self, browser: FlaskClient, person: str, next: str = "/") -> TestResponse:
        """The whole way there and back; the site's answer to the return."""
        return browser.get(path_of(self.choose(self.leave(browser, next), person=person)))


def path_of(address: str) -> str:
    """An address without scheme and host, as the test client wants it."""
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


@contextmanager
def running() -> Iterator[Provider]:
    """A provider for the length of a `with` block."""
    port = ports.free()
    issuer = f"http://127.0.0.1:{port}{demo_provider.PATH}"
    site = demo_provider.create(issuer, signed_in.SECRET, _key(), CLIENT_SECRET)
    mounted = DispatcherMiddleware(lambda environ, start_response: [], {demo_provider.PATH: site})
    server = make_server("127.0.0.1", port, mounted, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Provider(issuer)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
