"""A person at a browser, as a script: signs in, searches, plays, and keeps every byte that the server showed.

Usable on its own against a running development server:

    from tests.kit.player import Player
    mira, nova = Player("http://127.0.0.1:8000", "mira"), Player("http://127.0.0.1:8000", "nova")
    for person in (mira, nova):
        person.sign_in()
        person.search("casual", "standard", 2)
    mira.wait_for(lambda: mira.board.can_guess or nova.board.can_guess, "somebody's turn")

The page is held as a tree that takes the stream's updates as a browser's would, so what `board` says is what a person would see.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import requests

from tests.kit import page as pages
from tests.kit.board import Board, read_board
from tests.kit.page import Element
from tests.kit.stream import RETRY_S, Stream
from tests.kit.wire import PATIENCE_S, Shown, Wire

MESSAGE_PLACES = {"guess": "guess-message", "skill": "guess-message", "pick": "pick-message"}


@dataclass(frozen=True)
class Answer:
    """What a command came back with."""

    status: int
    body: str
    target: str = ""
    """Where the server wants a refusal to be shown, as a selector."""
    version: int = 0
    """Of the whole table that the answer brings, if it brings one."""

    @property
    def done(self) -> bool:
        """Whether the server accepted the command."""
        return self.status in (200, 204)

    @property
    def text(self) -> str:
        """The answer's words."""
        return pages.parse(self.body).text


class Player:
    """One browser of one person. Close it, or use it in a `with` block."""

    def __init__(self, base_url: str, name: str, *, others: Sequence[str] = (), username: str = "", seed: int | None = None) -> None:
        """`others` are further addresses of the same site, to go to when the first one refuses."""
        self.wire = Wire(base_url, *others)
        self.name = name
        self.username = username or name
        self.chance = random.Random(seed if seed is not None else name)
        self.page: Element = pages.parse("")
        self.url = ""
        self.missed: list[str] = []
        """Targets of updates that the page did not have: something was pushed to a place that is not there."""
        self.navigations = 0
        self._changed = threading.Condition(threading.RLock())
        self._stream: Stream | None = None
        self._fresh = 0

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- pages --------------------------------------------------------------------------------------------------------

    def open(self, path: str) -> int:
        """Load a page as a browser does, and follow its stream. Gives the status."""
        answer = self.wire.send("GET", path)
        self._show(answer)
        return answer.status_code

    def close(self) -> None:
        """Close the page: its stream ends, and no beacon says so."""
        with self._changed:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.end()

    def drop_stream(self) -> None:
        """Break the stream's connection, as a bad network does; it comes back by itself."""
        with self._changed:
            if self._stream is not None:
                self._stream.cut()

    def _show(self, answer: requests.Response, instead_of: Stream | None = None) -> None:
        """Make this the page. With `instead_of` only if that stream's page is still the one shown: a later navigation wins."""
        if "html" not in answer.headers.get("Content-Type", ""):
            return
        with self._changed:
            if instead_of is not None and self._stream is not instead_of:
                return
            self.page = pages.parse(answer.text)
            self.url = answer.url
            self._fresh = 0
            old, self._stream = self._stream, None
            place = self.page.by_id("stream")
            if place is not None and place.get("data-live"):
                address = urljoin(answer.url, place.get("data-live"))
                self._stream = Stream(self, self.wire.stream_http, address, f"{self.chance.getrandbits(64):x}")
            new = self._stream
            self._changed.notify_all()
        if old is not None:
            old.end()
        if new is not None:
            new.start()

    @property
    def path(self) -> str:
        """The path of the page that is open."""
        return urlsplit(self.url).path

    # --- signing in ---------------------------------------------------------------------------------------------------

    def sign_in(self) -> None:
        """Sign in at the demo provider, and choose the username when this is the first time."""
        self.arrive_signed_in()
        if self.path == "/username":
            answer = self.choose_username(self.username)
            if self.path == "/username":
                raise AssertionError(f"{self.name} could not choose {self.username!r}: {answer.text}")

    def arrive_signed_in(self) -> None:
        """Go through the provider and stop where the site sends the browser then (home, or the choice of a username)."""
        self._show(self.wire.send("GET", "/sign-in"))
        answer = self.wire.send("POST", "/sign-in", self._token())
        chosen = self.wire.send("POST", self._provider_form(answer), {"person": self.name}, base=answer.url)
        self._show(chosen)

    def _provider_form(self, answer: requests.Response) -> str:
        for form in pages.parse(answer.text).all("form"):
            if "authorize" in form.get("action"):
                return form.get("action")
        raise AssertionError(f"{self.name} did not reach the provider but {answer.url}: {answer.status_code}")

    def choose_username(self, username: str) -> Answer:
        """Send the choice; the page shown afterwards says whether it was taken."""
        answer = self.wire.send("POST", "/username", {**self._token(), "username": username})
        self._show(answer)
        return Answer(answer.status_code, answer.text)

    def sign_out(self) -> None:
        """Sign out here."""
        self._show(self.wire.send("POST", "/sign-out", self._token()))

    # --- playing ------------------------------------------------------------------------------------------------------

    def search(self, type: str = "casual", difficulty: str = "standard", players: int = 2) -> Answer:
        """Look for a match; the page then shows the search, or the match if the group was complete."""
        if not self._token():
            self.open("/play")
        fields = {"type": type, "difficulty": difficulty, "players": str(players)}
        answer = self.wire.send("POST", "/search", {**self._token(), **fields})
        self._show(answer)
        return Answer(answer.status_code, answer.text)

    def leave_search(self) -> Answer:
        """Stop looking."""
        answer = self.wire.send("POST", "/search/leave", self._token())
        self._show(answer)
        return Answer(answer.status_code, answer.text)

    @property
    def match_id(self) -> str:
        """The match whose page is open, or an empty text."""
        parts = self.path.split("/")
        return parts[2] if len(parts) > 2 and parts[1] == "match" else ""

    @property
    def board(self) -> Board:
        """What the match's page says now."""
        with self._changed:
            return read_board(self.page, self.path)

    def guess(self, digits: str, *, turn: int | None = None, match_id: str = "") -> Answer:
        """Send a guess for the turn that the page shows, or for another."""
        return self._command("guess", {"guess": digits, "turn": str(self.board.turn if turn is None else turn)}, match_id)

    def pick_skill(self, skill: str, *, match_id: str = "") -> Answer:
        """Pick one's skill."""
        return self._command("pick", {"skill": skill}, match_id)

    def use_skill(self, target: int | None = None, *, turn: int | None = None, match_id: str = "") -> Answer:
        """Use one's skill, on the seat `target` where it needs one."""
        fields = {"turn": str(self.board.turn if turn is None else turn)}
        return self._command("skill", fields if target is None else {**fields, "target": str(target)}, match_id)

    def forfeit(self, *, match_id: str = "") -> Answer:
        """Leave the match for good."""
        return self._command("forfeit", {}, match_id)

    def _command(self, verb: str, fields: dict[str, str], match_id: str) -> Answer:
        place = "skill-message" if verb == "skill" and "target" in fields else MESSAGE_PLACES.get(verb, "")
        answer = self.post(f"/match/{match_id or self.match_id}/{verb}", fields, target=place)
        if answer.body:
            with self._changed:
                pages.answer(self.page, answer.body, answer.target or f"#{place}")
                self._note_fresh(answer.version)
                self._changed.notify_all()
        return answer

    def post(self, path: str, fields: dict[str, str], *, token: bool = True, target: str = "") -> Answer:
        """Send a form as htmx does. `target` is the id of the element that the answer would replace."""
        headers = {"HX-Request": "true", "Accept": "text/html", "HX-Current-URL": self.url}
        if target:
            headers["HX-Target"] = f"p#{target}"
        if token:
            headers["X-CSRFToken"] = self.csrf_token
        answer = self.wire.send("POST", path, fields, headers=headers)
        version = int(answer.headers.get("X-Table-Version", "0"))
        return Answer(answer.status_code, answer.text, answer.headers.get("HX-Retarget", ""), version)

    def _note_fresh(self, version: int) -> None:
        """The stream's steps up to there are on the page; if it was ahead of the answer, ask for the whole, as the browser does."""
        self._fresh = max(self._fresh, version)
        if self._stream is not None and version and int(self._stream.version or 0) > version:
            self._fresh = 0
            self._stream.version = "0"
            self._stream.cut()

    # --- waiting ------------------------------------------------------------------------------------------------------

    def wait_for(self, holds: Callable[[], bool], what: str, *, within_s: float = PATIENCE_S) -> None:
        """Wait until what this player is shown makes `holds()` true. Raises: TimeoutError with what is shown instead."""
        deadline = time.monotonic() + within_s
        with self._changed:
            while not holds():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"{self.name} waited {within_s:g} s for {what}; {self.path} shows {self.page.text[:600]!r}")
                self._changed.wait(min(left, 0.5))

    def wait_for_news(self, seconds: float) -> None:
        """Wait until the page changes, `seconds` at most."""
        with self._changed:
            self._changed.wait(seconds)

    def wait_until_streaming(self, *, within_s: float = PATIENCE_S) -> None:
        """Wait until the server has accepted this page's stream."""
        self.wait_for(lambda: self._stream is not None and self._stream.is_open, "an open stream", within_s=within_s)

    @property
    def streams_from(self) -> str:
        """The server at which this page's stream is open, or an empty text."""
        stream = self._stream
        if stream is None or not stream.is_open:
            return ""
        parts = urlsplit(stream.url)
        return f"{parts.scheme}://{parts.netloc}"

    # --- what the stream says (called from its thread) ------------------------------------------------------------------

    def stream_answered(self, response: requests.Response, body: bytes) -> None:
        """Keep the answer to the request for a stream."""
        self.wire.record(f"GET {response.url}", response, body)

    def stream_sent(self, chunk: bytes) -> None:
        """Keep what came over the stream."""
        self.wire.record("stream", None, chunk)

    def stream_opened(self, stream: Stream, *, again: bool) -> bool:
        """A page without a version of its own is loaded anew after a gap, as in the browser."""
        with self._changed:
            reload = again and self.page.first(attribute="data-reload-on-gap") is not None
            self._changed.notify_all()
        return not reload or self._navigate(self.url, stream)

    def stream_refused(self, stream: Stream) -> None:
        """No connection could be made: the next attempt goes to another address of the site, if it has several."""
        parts = urlsplit(stream.url)
        self.wire.move_on(f"{parts.scheme}://{parts.netloc}")
        stream.url = urljoin(self.wire.base_url, f"{parts.path}?{parts.query}")

    def stream_said(self, stream: Stream, message: dict[str, str]) -> bool:
        """Show one message; whether the stream goes on."""
        event, data = message.get("event", ""), message.get("data", "")
        if event == "navigate":
            return self._navigate(data, stream)
        with self._changed:
            if self._stream is not stream:
                return False
            version = message.get("id", "")
            if not event and data and not (version and int(version) <= self._fresh):
                self.missed += pages.update(self.page, data)
            stream.version = version or stream.version
            go = read_board(self.page, self.path).go
            self._changed.notify_all()
        if go:
            return self._navigate(go, stream)
        return event != "signed-out"

    def _navigate(self, url: str, stream: Stream) -> bool:
        """Load the page that this one leads to; that page has a stream of its own."""
        parts = urlsplit(url)
        while not stream.ended.is_set():
            answer = self.wire.send("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path)
            if answer.status_code < 500:
                self.navigations += 1
                self._show(answer, instead_of=stream)
                return False
            stream.ended.wait(RETRY_S)
        return False

    @property
    def shown(self) -> tuple[Shown, ...]:
        """Everything that the server has sent to this player so far."""
        return tuple(self.wire.shown)

    @property
    def csrf_token(self) -> str:
        """The token that this page's forms carry."""
        with self._changed:
            body = self.page.first("body")
            if body is not None and body.get("hx-headers:inherited"):
                return str(json.loads(body.get("hx-headers:inherited")).get("X-CSRFToken", ""))
            field = next((e for e in self.page.all("input") if e.get("name") == "csrf_token"), None)
            return field.get("value") if field is not None else ""

    def _token(self) -> dict[str, str]:
        return {"csrf_token": self.csrf_token} if self.csrf_token else {}
