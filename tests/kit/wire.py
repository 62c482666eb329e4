"""The HTTP side of a player: one cookie jar, and a record of everything that was shown over it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from urllib.parse import urljoin

import requests

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Shown:
    """Something that the server sent: an answer with its headers, or bytes of the stream."""

    what: str
    status: int
    headers: str
    body: bytes


class Wire:
    """Sends requests as one browser does. `shown` holds every byte that came back, in order.

    Several addresses are one site with a process behind each: when one refuses, the next one is used from then on.
    """

    def __init__(self, base_url: str, *others: str) -> None:
        self.base_urls = tuple(url.rstrip("/") for url in (base_url, *others))
        self.base_url = self.base_urls[0]
        self.shown: list[Shown] = []
        self.http = _session()
        self.stream_http = _session()
        self.stream_http.cookies = self.http.cookies
        self._lock = threading.Lock()

    def send(
        self, method: str, path: str, data: dict[str, str] | None = None, *, base: str = "", headers: dict[str, str] | None = None
    ) -> requests.Response:
        """One request, redirects followed; `base` is the page that a relative path starts from."""
        used = self.base_url
        url = urljoin(base or f"{used}/", path)
        try:
            answer = self.http.request(method, url, data=data, headers=headers, timeout=PATIENCE_S)
        except requests.ConnectionError:
            self.move_on(used)
            raise
        for step in (*answer.history, answer):
            self.record(f"{step.request.method} {step.url}", step, step.content)
        return answer

    def move_on(self, failed: str) -> None:
        """Use the next address from now on, if the one that failed is still in use."""
        with self._lock:
            if failed == self.base_url:
                place = self.base_urls.index(failed)
                self.base_url = self.base_urls[(place + 1) % len(self.base_urls)]

    def record(self, what: str, answer: requests.Response | None, body: bytes) -> None:
        """Keep what was shown: an answer, or with None a piece of the stream."""
        headers = "" if answer is None else "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        with self._lock:
            self.shown.append(Shown(what, 200 if answer is None else answer.status_code, headers, body))


def _session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False  # a proxy of the environment has no way to this machine
    session.headers["User-Agent"] = "guessIo test player"
    return session
