"""What is wrong with settings: in any installation, and before strangers may come. Each problem names the setting and what to do."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from guessio.config.settings import Settings
from guessio.config.variables import GOOGLE_ISSUER

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SECRET_KEY_MIN = 32
SECRET_KEY_VARIETY = 10
METRICS_TOKEN_MIN = 20
WEAK_SECRETS = ("changeme", "change-me", "secret", "password", "example", "development")
LOG_LEVELS = ("debug", "info", "warning", "error")


def check(settings: Settings, problems: list[str]) -> None:
    """Add what is wrong with these settings to `problems`."""
    _check_all(settings, problems)
    if settings.production:
        _check_production(settings, problems)


def _check_all(settings: Settings, problems: list[str]) -> None:
    """What no installation may have."""
    _check_database(settings, problems)
    if not re.fullmatch(r"[0-9A-Za-z.:_-]+", settings.host):
        problems.append(f"GUESSIO_HOST is {settings.host!r}: use an address or name of this machine")
    if settings.instance.exists() and not settings.instance.is_dir():
        problems.append(f"GUESSIO_INSTANCE is {str(settings.instance)!r}: use a directory")
    if settings.metrics_token and len(settings.metrics_token) < METRICS_TOKEN_MIN:
        problems.append(f"GUESSIO_METRICS_TOKEN is shorter than {METRICS_TOKEN_MIN} characters: use a random one, or none")
    if settings.log_level not in LOG_LEVELS:
        problems.append(f"GUESSIO_LOG is {settings.log_level!r}: use one of {', '.join(LOG_LEVELS)}")
    if settings.url and not _is_address(settings.url):
        problems.append(f"GUESSIO_URL is {settings.url!r}: use an address like https://play.example.org, without a path")
    if not _is_address(settings.oidc_issuer, with_path=True):
        problems.append(f"OIDC_ISSUER is {settings.oidc_issuer!r}: use the issuer's https address")
    if settings.demo_provider and (settings.host not in LOOPBACK or settings.proxies):
        problems.append("OIDC_CLIENT_ID is missing: the demo sign-in stays on this machine, without other GUESSIO_HOST or GUESSIO_PROXIES")
    if settings.oidc_client_id == "" and (settings.oidc_client_secret or settings.oidc_issuer != GOOGLE_ISSUER):
        problems.append("OIDC_CLIENT_ID is missing although other OIDC settings are given")


def _check_database(settings: Settings, problems: list[str]) -> None:
    """One database that can be opened, and that bears the workers."""
    if settings.database_url and not settings.database_url.startswith(("sqlite:", "postgresql+psycopg:")):
        problems.append("DATABASE_URL has an unknown kind: use sqlite:///… or postgresql+psycopg://…")
    elif settings.database_url and not _names_database(settings.database_url):
        problems.append("DATABASE_URL names no database: sqlite:////path/to/file, or postgresql://user@host:5432/name")
    if settings.sqlite and settings.workers > 1:
        problems.append(f"WEB_CONCURRENCY is {settings.workers}: SQLite serves one worker only; use 1 or a Postgres DATABASE_URL")


def _check_production(settings: Settings, problems: list[str]) -> None:
    """What must be given, and given well, before strangers may come."""
    weakness = _secret_weakness(settings.secret_key)
    if weakness:
        problems.append(f"SECRET_KEY {weakness}: set {SECRET_KEY_MIN} or more random characters, the same for all workers")
    if not settings.database_url:
        problems.append("DATABASE_URL is missing: name the database")
    if not settings.url.startswith("https://"):
        problems.append("GUESSIO_URL is missing or not https: set the public address, such as https://play.example.org")
    if not settings.oidc_client_id:
        problems.append("OIDC_CLIENT_ID is missing: there is no demo sign-in in production")
    if not settings.oidc_client_secret:
        problems.append("OIDC_CLIENT_SECRET is missing")
    if not settings.oidc_issuer.startswith("https://"):
        problems.append("OIDC_ISSUER is not https")
    if settings.speed != 1:
        problems.append("GUESSIO_SPEED must be 1")
    if not settings.limits:
        problems.append("GUESSIO_LIMITS must be on")


def _secret_weakness(secret: str) -> str:
    if not secret:
        return "is missing"
    if len(secret) < SECRET_KEY_MIN:
        return f"is shorter than {SECRET_KEY_MIN} characters"
    if len(set(secret)) < SECRET_KEY_VARIETY or any(word in secret.lower() for word in WEAK_SECRETS):
        return "is easy to guess"
    return ""


def _names_database(url: str) -> bool:
    """Whether there is a file or a database at the end of the address, and a port that could be one."""
    parts = urlsplit(url)
    try:
        _ = parts.port
    except ValueError:
        return False
    return len(parts.path) > 1 and parts.path != "/:memory:"


def _is_address(text: str, *, with_path: bool = False) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    plain = not parts.query and not parts.fragment and not parts.username
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain and (with_path or not parts.path)
