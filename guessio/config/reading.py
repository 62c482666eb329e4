"""From the environment to `Settings`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from guessio.config.checks import check
from guessio.config.keeping import kept
from guessio.config.settings import Settings
from guessio.config.variables import GOOGLE_ISSUER

PRODUCTION = "production"
DEVELOPMENT = "development"


class BadSettings(Exception):
    """The environment can't be used; `problems` names every setting at fault, each with what to do."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("guessIo can't start:\n" + "\n".join(f"  - {problem}" for problem in problems))


def read(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of an environment. Raises: BadSettings naming every missing or weak one."""
    problems: list[str] = []
    settings = _parse({name: value.strip() for name, value in environ.items() if value.strip()}, problems)
    check(settings, problems)
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


def _with_kept_secret(settings: Settings) -> Settings:
    """A random signing key, made once and kept, so that a restart keeps people signed in."""
    return replace(settings, secret_key=kept(settings.instance / "secret_key", lambda: secrets.token_urlsafe(48)))
