"""The production server itself, spoken to without a browser's manners."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.kit import server as servers
from tests.kit.server import Server

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def gunicorn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One gunicorn worker without a proxy in front."""
    with servers.running(servers.sqlite_url(tmp_path_factory.mktemp("site")), workers=1) as server:
        yield server


def said(server: Server, request: str) -> str:
    """What comes back for these very bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        answer = b""
        # What the server doesn't want to read it may leave unread, and then the line is broken off at any moment.
        with suppress(OSError):
            line.sendall(request.replace("\n", "\r\n").encode())
            line.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            while chunk := line.recv(65536):
                answer += chunk
    return answer.decode(errors="replace")


def test_headers_of_a_proxy_that_is_not_configured_count_for_nothing(gunicorn: Server) -> None:
    """Not for gunicorn either, which would believe them from this machine."""
    plain = "GET /sign-in HTTP/1.1\nHost: localhost\nConnection: close\n"
    forged = "SCRIPT_NAME: /sign-in\nPATH_INFO: /metrics\nX-Forwarded-Proto: https\nX-Forwarded-Ssl: on\nX-Forwarded-Prefix: /evil\n"
    answer = said(gunicorn, plain + forged + "\n")
    assert answer.startswith("HTTP/1.1 200 ")
    assert "evil" not in answer
    with gunicorn.player("mira") as mira:
        # Over TLS a form must name the page that it comes from: the request would be refused if it passed for one.
        headers = {"X-Forwarded-Proto": "https", "X-CSRFToken": mira.csrf_token}
        assert mira.wire.http.post(f"{gunicorn.url}/search/leave", headers=headers, allow_redirects=False, timeout=20).status_code == 303
        assert "guessio_database_up 1.0" in mira.wire.http.get(f"{gunicorn.url}/metrics", timeout=20).text


@pytest.mark.parametrize(
    "request_text",
    [
        "POST /search HTTP/1.1\nHost: localhost\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n",
        "POST /search HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked, identity\n\n0\n\n",
        "POST /search HTTP/1.1\nHost: localhost\nContent-Length: 4\nContent-Length: 5\n\nabcd",
        "POST /search HTTP/1.1\nHost: localhost\nContent-Length: -1\n\n",
        "GET / HTTP/1.1\nHost: localhost\nBad Name: x\n\n",
        "GET /" + "a" * 10_000 + " HTTP/1.1\nHost: localhost\n\n",
        "GET / HTTP/1.1\nHost: localhost\nX-Long: " + "a" * 100_000 + "\n\n",
        "NONSENSE\n\n",
    ],
)
def test_requests_that_can_be_read_in_two_ways_are_not_read(gunicorn: Server, request_text: str) -> None:
    answer = said(gunicorn, request_text)
    assert answer == "" or answer.split()[1] in ("400", "413", "414", "431", "501"), answer[:200]
    assert "Traceback" not in answer
