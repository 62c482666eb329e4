"""An application on a database of its own, and people signed in to it without a provider."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from guessio import bootstrap, clock, config
from guessio.rules.terms import AccountId
from guessio.services import sessions
from guessio.store import accounts, database, schema
from guessio.store.accounts import NewAccount
from guessio.web.guards import ACCOUNT_KEY, TOKEN_KEY

SECRET = "a signing key for tests alone, long enough 0123456789"


def fresh_app(folder: Path, **environ: str) -> Flask:
    """An application with nothing running beside it. Its database is empty: SQLite in `folder` unless DATABASE_URL is given.

    `bootstrap.start(app)` begins the background work; without it, tests move time and call `tables.run_due` themselves.
    """
    settings = config.read({"GUESSIO_INSTANCE": str(folder), "SECRET_KEY": SECRET, "GUESSIO_LIMITS": "off", **environ})
    app = bootstrap.create_app(settings, testing=True)
    with app.app_context():
        if not database.is_sqlite():
            _empty_postgres()
        schema.metadata.create_all(database.engine())
    return app


def _empty_postgres() -> None:
    schema.metadata.drop_all(database.engine())
    with database.write() as conn:
        conn.execute(text("DROP TABLE IF EXISTS alembic_version"))


def new_account(username: str, *, display_name: str = "", is_bot: bool = False, email: str = "") -> AccountId:
    """An account, made as a first sign-in makes it; again the same one when it is there."""
    new = NewAccount(
        subject=None if is_bot else f"https://issuer.example {username}",
        email=None if is_bot else email or f"{username}@example.org",
        username=username,
        display_name=display_name or username,
        is_bot=is_bot,
        created_ms=clock.now_ms(),
    )
    with database.write() as conn:
        made = accounts.add(conn, new)
        if made is not None:
            return made
        found = accounts.find_by_username(conn, username)
    assert found is not None
    return found.id


def client(app: Flask, username: str, base_url: str = "http://localhost") -> FlaskClient:
    """A browser in which the account of that name is signed in; the account is made if need be. Ends its earlier session."""
    account_id = new_account(username)
    browser = app.test_client()
    token = sessions.start(account_id)
    with browser.session_transaction(base_url=base_url) as cookie:
        cookie.permanent = True
        cookie[ACCOUNT_KEY] = account_id
        cookie[TOKEN_KEY] = token
    return browser


def csrf(browser: FlaskClient, page: str = "/sign-in") -> str:
    """A token for a form of this browser, as a page carries it."""
    answer = browser.get(page, follow_redirects=True)
    return answer.text.partition('"X-CSRFToken": "')[2].partition('"')[0]


def post(browser: FlaskClient, path: str, fields: dict[str, str] | None = None, *, htmx: bool = False) -> TestResponse:
    """Send a form as a page of this browser does, with its token."""
    headers = {"X-CSRFToken": csrf(browser), **({"HX-Request": "true", "HX-Request-Type": "partial"} if htmx else {})}
    return browser.post(path, data=fields or {}, headers=headers)
