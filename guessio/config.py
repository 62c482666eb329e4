"""The environment turned into one frozen `Settings`; every variable stands in `VARIABLES`, which the documentation is checked against."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

GOOGLE_ISSUER = "https://accounts.google.com"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PRODUCTION = "production"
DEVELOPMENT = "development"
SECRET_KEY_MIN = 32
SECRET_KEY_VARIETY = 10
METRICS_TOKEN_MIN = 20
WEAK_SECRETS = ("changeme", "change-me", "secret", "password", "example", "development")
LOG_LEVELS = ("debug", "info", "warning", "error")


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


class BadSettings(Exception):
    """The environment can't be used; `problems` names every setting at fault, each with what to do."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("guessIo can't start:\n" + "\n".join(f"  - {problem}" for problem in problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may differ between two installations."""

    production: bool
    port: int
    port_fixed: bool
    host: str
    url: str
    database_url: str
    secret_key: str
    oidc_issuer: str
    oidc_client_id: str
    oidc_client_secret: str
    workers: int
    speed: float
    proxies: int
    limits: bool
    metrics_token: str
    log_level: str
    instance: Path

    @property
    def demo_provider(self) -> bool:
        """Whether the demo identity provider stands in for a configured one (development only, R12.1)."""
        return not self.production and not self.oidc_client_id

    def on_port(self, port: int) -> Settings:
        """The same settings on the port that was really had; an address made from the port follows it."""
        url = f"http://127.0.0.1:{port}" if self.url == f"http://127.0.0.1:{self.port}" else self.url
        return replace(self, port=port, url=url)

    @property
    def sqlite(self) -> bool:
        """Whether the database is SQLite, which allows one process only."""
        return self.database_url.startswith("sqlite")


def read(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of an environment. Raises: BadSettings naming every missing or weak one."""
    problems: list[str] = []
    settings = _parse({name: value.strip() for name, value in environ.items() if value.strip()}, problems)
    _check(settings, problems)
    if settings.production:
        _check_production(settings, problems)
    if problems:
        raise BadSettings(problems)
    return settings if settings.secret_key else _with_kept_secret(settings)


def _parse(given: Mapping[str, str], problems: list[str]) -> Settings:
    environment = given.get("GUESSIO_ENV", DEVELOPMENT).lower()
    if environment not in (DEVELOPMENT, PRODUCTION):
        problems.append(f"GUESSIO_ENV is {environment!r}: use development or production")
    production = environment == PRODUCTION
    port = _whole(given, "PORT", 8000, 0, 65535, problems)
    instance = Path(given.get("GUESSIO_INSTANCE", "instance")).absolute()
    return Settings(
        production=production,
        port=port,
        port_fixed="PORT" in given,
        host=given.get("GUESSIO_HOST", "127.0.0.1"),
        url=given.get("GUESSIO_URL", "" if production else f"http://127.0.0.1:{port}").rstrip("/"),
        database_url=_database_url(given.get("DATABASE_URL", ""), production, instance),
        secret_key=given.get("SECRET_KEY", ""),
        oidc_issuer=given.get("OIDC_ISSUER", GOOGLE_ISSUER).rstrip("/"),
        oidc_client_id=given.get("OIDC_CLIENT_ID", ""),
        oidc_client_secret=given.get("OIDC_CLIENT_SECRET", ""),
        workers=_whole(given, "WEB_CONCURRENCY", 1, 1, 512, problems),
        speed=_speed(given.get("GUESSIO_SPEED", "1"), problems),
        proxies=_whole(given, "GUESSIO_PROXIES", 0, 0, 8, problems),
        limits=_switch(given.get("GUESSIO_LIMITS", "on").lower(), problems),
        metrics_token=given.get("GUESSIO_METRICS_TOKEN", ""),
        log_level=given.get("GUESSIO_LOG", "info" if production else "warning").lower(),
        instance=instance,
    )


def _whole(given: Mapping[str, str], name: str, default: int, least: int, most: int, problems: list[str]) -> int:
    text = given.get(name, str(default))
    if text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    problems.append(f"{name} is {text!r}: use a whole number from {least} to {most}")
    return default


def _switch(text: str, problems: list[str]) -> bool:
    if text not in ("on", "off"):
        problems.append(f"GUESSIO_LIMITS is {text!r}: use on or off")
    return text != "off"


def _speed(text: str, problems: list[str]) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if 1 <= speed <= 1000:
        return speed
    problems.append(f"GUESSIO_SPEED is {text!r}: use a number from 1 to 1000")
    return 1.0


def _database_url(text: str, production: bool, instance: Path) -> str:
    """The address with the driver that is installed; the plain `postgres://` of many hosts is understood."""
    if not text:
        return "" if production else f"sqlite:///{instance / 'guessio.sqlite3'}"
    for prefix in ("postgres://", "postgresql://"):
        if text.startswith(prefix):
            return "postgresql+psycopg://" + text.removeprefix(prefix)
    return text


def _check(settings: Settings, problems: list[str]) -> None:
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


def _with_kept_secret(settings: Settings) -> Settings:
    """A random signing key, made once and kept, so that a restart keeps people signed in."""
    return replace(settings, secret_key=kept(settings.instance / "secret_key", lambda: secrets.token_urlsafe(48)))


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text of a private file, made when it isn't there; of two processes that make it at once, the first one's counts."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
