"""The floor that costs are compared with: a Flask application that does nothing, behind the same app server."""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

from flask import Flask  # noqa: E402

app = Flask(__name__)


@app.post("/")
def nothing() -> tuple[str, int]:
    """The empty route."""
    return "", 204


@app.get("/readyz")
def ready() -> str:
    """For the harness, which waits for it as for the real one."""
    return "ready\n"
