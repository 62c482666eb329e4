"""Answers for load balancers: alive, and ready to serve."""

from __future__ import annotations

from flask import Blueprint, Response

from guessio.services import readiness

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """200 as long as the process answers at all."""
    return Response("ok\n", mimetype="text/plain", headers={"Cache-Control": "no-store"})


@blueprint.get("/readyz")
def ready() -> Response:
    """200 when people can be served, else 503 with the reason."""
    problem = readiness.problem()
    return Response(f"{problem or 'ready'}\n", 503 if problem else 200, mimetype="text/plain", headers={"Cache-Control": "no-store"})
