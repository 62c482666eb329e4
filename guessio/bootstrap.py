"""The one place where everything is wired together."""

from __future__ import annotations

import hashlib
import hmac
from functools import cache
from pathlib import Path

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from guessio import bus, cli, config, jobs
from guessio.adapters import demo_provider, openid
from guessio.config import Settings
from guessio.jobs import figures
from guessio.live import duel_pages, fragments, hub
from guessio.live import presence as streams
from guessio.rules import tunables
from guessio.services import bots, duel_offers, duel_results, matchmaking, presence, readiness, results, sessions, tables
from guessio.store import database
from guessio.web import (
    accounts,
    achievements,
    duels,
    errors,
    guards,
    health,
    history,
    home,
    live,
    logs,
    matches,
    metrics,
    play,
    profiles,
    render,
    security,
    wording,
)

DATABASE_PATIENCE_S = 45
ROOT = Path(__file__).resolve().parents[1]
NOUNS = (accounts, home, play, matches, duels, live, history, achievements, profiles, health, metrics)


def create_app(settings: Settings | None = None, *, testing: bool = False) -> Flask:
    """The application, ready to answer but with nothing running beside it yet. Raises: BadSettings."""
    settings = settings or config.read()
    app = Flask("guessio", root_path=str(ROOT), static_folder="static", template_folder="templates")
    app.testing = testing
    app.extensions["guessio.settings"] = settings
    app.config["SITE_URL"] = settings.url
    # All templates stay in memory (-1): there are some hundred, and a bounded cache takes a lock for each piece that includes another.
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "cache_size": -1}
    tunables.shorten(settings.speed)
    logs.start(settings)
    database.init(app, settings)
    sessions.listen()
    _install_web(app, settings)
    _install_sign_in(app, settings)
    return app


def _install_web(app: Flask, settings: Settings) -> None:
    security.install(app, settings)
    guards.install(app)
    render.install(app)
    errors.install(app, unavailable=(*database.AWAY, *tables.UNDECIDED))
    app.jinja_env.filters["sentence"] = wording.sentence
    app.context_processor(lambda: accounts.provider_words(settings))
    fragments.use(app.jinja_env)
    for noun in NOUNS:
        app.register_blueprint(noun.blueprint)
    live.install(app)
    cli.install(app, prepare)


def _install_sign_in(app: Flask, settings: Settings) -> None:
    """The configured provider, or in development the demo one under a path of this very server."""
    if not settings.demo_provider:
        openid.install(app, openid.Provider(settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret))
        return
    issuer = f"http://127.0.0.1:{settings.port}{demo_provider.PATH}"
    client_secret = hmac.digest(settings.secret_key.encode(), b"demo client", hashlib.sha256).hex()

    @cache
    def provider() -> Flask:
        # Made when it is first asked for: its key takes a moment to make.
        key = config.kept(settings.instance / "demo_identity_key.pem", demo_provider.new_key)
        return demo_provider.create(issuer, settings.secret_key, key, client_secret)

    mounts = {demo_provider.PATH: lambda environ, start_response: provider()(environ, start_response)}
    app.wsgi_app = DispatcherMiddleware(app.wsgi_app, mounts)
    # A demo person stays the same account when the port changes.
    openid.install(app, openid.Provider(issuer, demo_provider.CLIENT_ID, client_secret, realm=demo_provider.REALM))


def prepare(app: Flask) -> int:
    """Bring the schema up to date and fill the pool of bots; how many were made. A second time changes nothing."""
    database.upgrade(app)
    return bots.seed()


def start(app: Flask) -> None:
    """Begin what runs beside the requests: the bus to other processes, the tables' timers, streams, the scheduled work.

    When the app is being tested nothing moves by itself: no other processes, no scheduled work.
    """
    if not app.testing:
        bus.start(app.extensions["guessio.settings"])
    matchmaking.start()
    duel_offers.start()
    results.start()
    duel_results.start()
    tables.start(app)
    presence.start()
    hub.start(app)
    duel_pages.start(app)
    streams.start()
    if not app.testing:
        jobs.start()
        _leave_figures(app.extensions["guessio.settings"])


def _leave_figures(settings: Settings) -> None:
    """Let any worker of this machine answer for all of them; on SQLite there is one."""
    if not settings.sqlite:
        figures.start(settings.instance / metrics.FOLDER)


def await_database() -> None:
    """Give the database a while to answer: a worker that can't start makes its master give up, and its other workers with it."""
    readiness.wait(DATABASE_PATIENCE_S)


def read_templates(app: Flask) -> None:
    """Make every template ready: the first pages would wait for that, and one that is broken ends the start instead of a page."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


def end_streams() -> None:
    """Send every open stream its end, so that the process can go within seconds; the pages come back by themselves."""
    hub.stop()


def stop(app: Flask) -> None:
    """End what `start` began for `app`, in the opposite order, and give its database up."""
    figures.stop()
    jobs.stop()
    duel_pages.stop()
    hub.stop()
    presence.stop()
    tables.stop()
    bus.stop()
    with app.app_context():
        database.close()
