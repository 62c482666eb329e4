"""Figures for whoever runs the site, in the form that Prometheus reads; for this machine and holders of a token only."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from guessio import clock, figures
from guessio.adapters import noticeboard
from guessio.adapters.noticeboard import Notice
from guessio.config import LOOPBACK, Settings
from guessio.services import heartbeat, queues
from guessio.web import errors

blueprint = Blueprint("metrics", __name__)
log = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FOLDER = "figures"
# What a proxy adds: a request that carries any of them came from elsewhere, whatever its last stage was.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via")


@blueprint.get("/metrics")
def show() -> Response:
    """The figures of all workers of this machine, each under its name; 404 for whoever may not see them."""
    settings: Settings = current_app.extensions["guessio.settings"]
    if not (_has_token(settings.metrics_token) or _is_this_machine()):
        return errors.answer(404)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Everyone(settings.instance / FOLDER))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _has_token(token: str) -> bool:
    given = request.headers.get("Authorization", "")
    return bool(token) and hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


def _is_this_machine() -> bool:
    """Whether the request was made on this machine, by its own address; one that a proxy handed on was not."""
    host = urlsplit(f"//{request.host}").hostname
    return request.remote_addr in LOOPBACK and host in LOOPBACK and not any(name in request.headers for name in FORWARDED)


class _Everyone:
    """Collects what the other workers left, what this one knows by now, and what the database says of all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        """All families, each with the samples of every worker."""
        own = Notice(heartbeat.worker(), clock.now_ms(), figures.taken())
        others = [one for one in noticeboard.fresh(self._folder, own.at_ms) if one.worker != own.worker]
        yield from _merged([own, *others])
        yield from _shared()


def _merged(notices: Iterable[Notice]) -> Iterable[Metric]:
    families: dict[str, Metric] = {}
    for notice in notices:
        for family in notice.families:
            metric = families.setdefault(family.name, Metric(family.name, family.meaning, family.kind))
            for name, labels, value in family.samples:
                metric.add_sample(name, {**labels, "worker": notice.worker}, value)
    return families.values()


def _shared() -> Iterator[Metric]:
    """What is the same whichever worker is asked."""
    answers = GaugeMetricFamily("guessio_database_up", "Whether the database answered")
    waiting = GaugeMetricFamily("guessio_searching", "People who wait for a match", labels=["type", "difficulty", "players"])
    try:
        for group, people in queues.lengths().items():
            waiting.add_metric([group.type, group.difficulty, str(group.players)], people)
        answers.add_metric([], 1)
    except Exception as error:
        # An outage is what these figures are looked at for: say so, and show the rest.
        log.warning("the lines can't be counted: %s", type(error).__name__)
        answers.add_metric([], 0)
    yield answers
    yield waiting
