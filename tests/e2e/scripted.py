"""A server that sends a page exactly what a test tells it to, for what the page's own modules do with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, redirect, render_template_string, request  # noqa: TID251 - pages of the test's own
from werkzeug.serving import make_server

from guessio.bootstrap import ROOT
from guessio.live import fragments

BEAT_MS = 5_000
TABLE = """{% extends "layouts/game.html" %}
{% block live_url %}/live?table=t&amp;v={{ version }}{% endblock %}
{% block main %}<div id="table" data-grace="60000" data-title="Round 1"><p id="shown">{{ version }}</p><ol id="rows"></ol>
<form id="pad" method="post" action="/guess" hx-post="/guess" hx-target="#message" hx-swap="outerHTML">
<input id="guess" name="guess" aria-label="Guess"><button class="btn" data-busy="Sending…"><span>Send</span></button></form>
<div id="message"></div><a id="away" href="/plain">Away</a></div>{% endblock %}"""
PLAIN = """{% extends "layouts/app.html" %}{% block main %}<p id="plain">Plain</p>{% endblock %}"""
STEP = """id: {0}
data: <hx-partial hx-target="#shown" hx-swap="innerMorph">{0}</hx-partial>
data: <hx-partial hx-target="#rows" hx-swap="beforeend"><li>{0}</li></hx-partial>
data: <hx-partial hx-target="#news" hx-swap="beforeend"><p data-say="polite">Step {0}.</p></hx-partial>

"""
WHOLE = """id: {0}
data: <hx-partial hx-target="#shown" hx-swap="innerMorph">{0}</hx-partial>
data: <hx-partial hx-target="#rows" hx-swap="innerHTML">{1}</hx-partial>

"""


def rows_to(version: int) -> str:
    """The rows of a table that has reached that version by single steps."""
    return "".join(f"<li>{number}</li>" for number in range(2, version + 1))


@dataclass
class Script:
    """What the server does: tests change it by `set`, which wakes the streams, and read what was asked of it."""

    version: int = 1
    status: int = 200
    app_version: str = "one"
    beat_ms: int = BEAT_MS
    silent: bool = False
    named: list[str] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    open: int = 0
    stale: int = 0
    """When above 0: a guess is answered with the whole table at this version, as one for an earlier turn is."""
    hold: threading.Event = field(default_factory=threading.Event)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def set(self, **values: Any) -> None:
        """Change some of it."""
        with self.changed:
            for name, value in values.items():
                setattr(self, name, value)
            self.changed.notify_all()

    def stream(self, shown: int, has_table: bool) -> Iterator[str]:
        """What one page is sent: the newest version, messages by name, and beats."""
        told = 0
        self.open += 1
        try:
            while True:
                if self.silent:
                    text = ""
                elif has_table and shown < self.version:
                    text = STEP.format(self.version) if shown else WHOLE.format(self.version, rows_to(self.version))
                    shown = self.version
                    self.sent.append(shown)
                elif told < len(self.named):
                    text = self.named[told]
                    told += 1
                else:
                    text = ": beat\n\n"
                if text:
                    yield text
                with self.changed:
                    self.changed.wait(0.1)
        finally:
            self.open -= 1


def application(script: Script) -> Flask:
    """Pages with the real layouts and modules around a table of one number."""
    app = Flask("scripted", root_path=str(ROOT))
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals.update(asset=lambda path: f"/static/{path}", csrf_token=lambda: "token", app_version="one", me=True, theme="")
    fragments.use(app.jinja_env)

    @app.get("/table")
    def table() -> str:
        return render_template_string(TABLE, version=script.version)

    @app.get("/plain")
    def plain() -> str:
        return render_template_string(PLAIN)

    @app.post("/guess")
    def guess() -> Any:
        script.guesses.append(request.form["guess"])
        if script.stale:
            fresh = f'<hx-partial hx-target="#rows" hx-swap="innerHTML">{rows_to(script.stale)}</hx-partial>'
            return f'<p id="message">Too late</p>{fresh}', 409, {"X-Table-Version": str(script.stale), "HX-Retarget": "#message"}
        script.hold.wait(10)
        return redirect("/plain", 303)

    @app.post("/live/left")
    def left() -> Any:
        script.left.append(request.form["tab"])
        return "", 204

    @app.get("/live")
    def live() -> Any:
        known = request.headers.get("Last-Event-ID", "")
        script.asked.append({"v": request.args.get("v", ""), "last": known, "tab": request.args["tab"], "status": script.status})
        if script.status != 200:
            return "", script.status, {"Retry-After": "1"}
        body = script.stream(int(request.args.get("v") or 0), "table" in request.args)
        return Response(
            body,
            mimetype="text/event-stream",
            headers={"X-App-Version": script.app_version, "X-Beat-Ms": str(script.beat_ms), "Cache-Control": "no-store"},
        )

    return app


class ScriptedServer:
    """The script's application on a free port, in threads of this process."""

    def __init__(self) -> None:
        self.script = Script()
        self._server = make_server("127.0.0.1", 0, application(self.script), threaded=True)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of the site."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        """Serve no more."""
        self.script.hold.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
