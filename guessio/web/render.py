"""Turning templates into answers: the only caller of `flask.render_template`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flask import Flask, Response, make_response, render_template, request, send_from_directory

THEMES = ("light", "dark")
THEME_COOKIE = "theme"
PIECE_HEADERS = ("HX-Request", "HX-Boosted", "HX-History-Restore-Request", "HX-Request-Type")


def install(app: Flask) -> None:
    """Give every template `asset(path)` and `app_version`, and serve static files under addresses that change with their content."""
    static = Path(app.static_folder or "static")
    version = static_version(static)
    app.config["APP_VERSION"] = version
    app.jinja_env.globals["asset"] = lambda path: f"/static/v/{version}/{path}"
    app.jinja_env.globals["app_version"] = version
    app.context_processor(lambda: {"theme": theme()})

    @app.get("/static/v/<given>/<path:filename>")
    def versioned_static(given: str, filename: str) -> Response:
        # Modules and style sheets that name each other by relative paths stay within one version.
        response = send_from_directory(static, filename)
        if given == version:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def static_version(folder: Path) -> str:
    """A short name for the content of all static files together."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def theme() -> str:
    """The theme that this browser chose, or nothing for the system's; set on the server so that nothing flashes."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


TABLE_VERSION = "X-Table-Version"
"""Header of an answer that brings the whole of `#table`: its version, so that the page leaves out older steps of its stream."""


def page(template: str, status: int = 200, /, **context: Any) -> Response:
    """A whole page. Its template knows its `status`, unless its context means something else by the word."""
    return make_response(render_template(template, **{"status": status, **context}), status)


def fragment(template: str, status: int = 200, /, **context: Any) -> Response:
    """A piece of a page, for a request that replaces a piece."""
    return make_response(render_template(template, **context), status)


def loads_page() -> bool:
    """Whether a person will see the answer as a page: no piece, no stream, nothing that a script asked for in passing."""
    headers = request.headers
    by_hand = headers.get("Sec-Fetch-Dest", "document") == "document"
    return by_hand and not wants_fragment() and "text/event-stream" not in headers.get("Accept", "")


def wants_fragment() -> bool:
    """Whether the request replaces a piece of the page it comes from; a page from the browser's history is always whole."""
    return replaces_piece(map(request.headers.get, PIECE_HEADERS))


def replaces_piece(values: Iterable[str | None]) -> bool:
    """The same by the values of `PIECE_HEADERS`."""
    by_script, is_boosted, is_restored, kind = values
    return by_script == "true" and is_boosted != "true" and is_restored != "true" and kind != "full"
