"""Every setting of the environment, by its name: what the documentation is checked against."""

from __future__ import annotations

from dataclasses import dataclass

GOOGLE_ISSUER = "https://accounts.google.com"


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting of the environment: its name, what holds without it, and what it means."""

    name: str
    default: str
    meaning: str


VARIABLES: tuple[Variable, ...] = (
    Variable("GUESSIO_ENV", "development", "`development` or `production`. Production refuses to start with missing or weak settings."),
    Variable("PORT", "8000", "Port to listen on. When it isn't given and 8000 is taken, `make run` takes the next free one."),
    Variable("GUESSIO_HOST", "127.0.0.1", "Address to listen on. Keep it behind a reverse proxy; `0.0.0.0` is for containers."),
    Variable("GUESSIO_URL", "http://127.0.0.1:PORT", "Where people reach the site, and sign-in returns to. https in production."),
    Variable("DATABASE_URL", "an SQLite file in GUESSIO_INSTANCE", "`sqlite:////path/to/file` or `postgresql://user@host/name`."),
    Variable("SECRET_KEY", "random, kept in GUESSIO_INSTANCE", "Signs cookies. 32 characters or more, the same for all workers."),
    Variable("OIDC_ISSUER", GOOGLE_ISSUER, "OpenID Connect issuer that people sign in with."),
    Variable("OIDC_CLIENT_ID", "none", "Client id at the issuer. Without it a development server offers demo people to sign in as."),
    Variable("OIDC_CLIENT_SECRET", "none", "Client secret at the issuer. Required in production."),
    Variable("WEB_CONCURRENCY", "1", "Number of gunicorn workers. More than one needs Postgres."),
    Variable("GUESSIO_SPEED", "1", "Divides every duration of the rules, for trying things out. Must be 1 in production."),
    Variable("GUESSIO_PROXIES", "0", "Number of reverse proxies in front whose X-Forwarded headers are trusted."),
    Variable("GUESSIO_LIMITS", "on", "`off` lifts the coarse request limits, for load tests. Must be on in production."),
    Variable("GUESSIO_METRICS_TOKEN", "none", "Opens `/metrics` to whoever sends it as a bearer token. Without it, to this machine alone."),
    Variable("GUESSIO_LOG", "warning; in production info", "Least level to log: debug, info, warning, error. Requests are info."),
    Variable("GUESSIO_INSTANCE", "instance", "Directory of the development database and of secrets made at the first start."),
)
