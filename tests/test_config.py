"""Settings: what holds without any, and what a production start refuses by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from guessio import config
from guessio.config import reading

GOOD = {
    "GUESSIO_ENV": "production",
    "GUESSIO_URL": "https://play.example.org",
    "DATABASE_URL": "postgresql://guessio@db/guessio",
    "SECRET_KEY": "Zq3vX8pLw0Rk7TnBy5HcJ2mGd9SfUa4E",
    "OIDC_CLIENT_ID": "client",
    "OIDC_CLIENT_SECRET": "hidden",
}


def test_nothing_needs_to_be_set_for_development(tmp_path: Path) -> None:
    settings = config.read({"GUESSIO_INSTANCE": str(tmp_path)})
    assert (settings.port, settings.url, settings.production) == (8000, "http://127.0.0.1:8000", False)
    assert settings.database_url == f"sqlite:///{tmp_path}/guessio.sqlite3"
    assert settings.demo_provider


def test_the_signing_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    first = config.read({"GUESSIO_INSTANCE": str(tmp_path)}).secret_key
    assert len(first) >= config.SECRET_KEY_MIN
    assert config.read({"GUESSIO_INSTANCE": str(tmp_path)}).secret_key == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_a_good_production_start_is_accepted() -> None:
    settings = config.read(GOOD)
    assert settings.production
    assert not settings.demo_provider
    assert settings.oidc_issuer == config.GOOGLE_ISSUER
    assert settings.database_url == "postgresql+psycopg://guessio@db/guessio"


BAD: list[tuple[str, str | None]] = [
    ("SECRET_KEY", None),
    ("SECRET_KEY", "short"),
    ("SECRET_KEY", "a" * 64),
    ("SECRET_KEY", "please-changeme-please-changeme-0123456789"),
    ("DATABASE_URL", None),
    ("DATABASE_URL", "mysql://db/guessio"),
    ("GUESSIO_URL", None),
    ("GUESSIO_URL", "http://play.example.org"),
    ("GUESSIO_URL", "https://play.example.org/game"),
    ("OIDC_CLIENT_ID", None),
    ("OIDC_CLIENT_SECRET", None),
    ("OIDC_ISSUER", "http://accounts.example.org"),
    ("GUESSIO_SPEED", "20"),
    ("GUESSIO_LIMITS", "off"),
    ("GUESSIO_ENV", "prod"),
    ("GUESSIO_LOG", "loud"),
    ("PORT", "eighty"),
    ("PORT", "70000"),
    ("GUESSIO_PROXIES", "-1"),
    ("DATABASE_URL", "sqlite://"),
    ("DATABASE_URL", "sqlite:///:memory:"),
    ("DATABASE_URL", "postgresql://guessio@db"),
    ("DATABASE_URL", "postgresql://guessio@db:port/guessio"),
    ("OIDC_ISSUER", "accounts.example.org"),
    ("GUESSIO_HOST", "0.0.0.0 8000"),
    ("GUESSIO_HOST", "http://0.0.0.0"),
    ("GUESSIO_INSTANCE", __file__),
    ("GUESSIO_LIMITS", "perhaps"),
    ("GUESSIO_METRICS_TOKEN", "short"),
    ("GUESSIO_SPEED", "fast"),
    ("GUESSIO_URL", "https://user:pass@play.example.org"),
    ("GUESSIO_URL", "https://play.example.org:99999"),
    ("PORT", "-1"),
    ("WEB_CONCURRENCY", "0"),
    ("WEB_CONCURRENCY", "many"),
]


def test_every_setting_has_a_bad_value_here() -> None:
    assert {name for name, _ in BAD} == {variable.name for variable in config.VARIABLES}


@pytest.mark.parametrize(("name", "value"), BAD)
def test_each_missing_or_weak_setting_is_refused_by_name(name: str, value: str | None) -> None:
    environ = {key: text for key, text in {**GOOD, name: value}.items() if text is not None}
    with pytest.raises(config.BadSettings) as refused:
        config.read(environ)
    assert [problem for problem in refused.value.problems if problem.startswith(name)]


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(config.BadSettings) as refused:
        config.read({"GUESSIO_ENV": "production", "GUESSIO_SPEED": "20"})
    named = {problem.split()[0] for problem in refused.value.problems}
    assert {"SECRET_KEY", "DATABASE_URL", "GUESSIO_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "GUESSIO_SPEED"} <= named


def test_a_refusal_never_shows_the_secret() -> None:
    with pytest.raises(config.BadSettings) as refused:
        config.read({**GOOD, "SECRET_KEY": "abcabc123"})
    assert "abcabc123" not in str(refused.value)


def test_several_workers_need_postgres(tmp_path: Path) -> None:
    with pytest.raises(config.BadSettings, match="WEB_CONCURRENCY"):
        config.read({"WEB_CONCURRENCY": "3", "GUESSIO_INSTANCE": str(tmp_path)})
    assert config.read({**GOOD, "WEB_CONCURRENCY": "3"}).workers == 3


def test_a_provider_is_configured_wholly_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(config.BadSettings, match="OIDC_CLIENT_ID"):
        config.read({"OIDC_ISSUER": "https://issuer.example", "GUESSIO_INSTANCE": str(tmp_path)})


@pytest.mark.parametrize("reachable", [{"GUESSIO_HOST": "0.0.0.0"}, {"GUESSIO_PROXIES": "1"}])
def test_the_demo_sign_in_is_not_offered_to_other_machines(tmp_path: Path, reachable: dict[str, str]) -> None:
    with pytest.raises(config.BadSettings, match="OIDC_CLIENT_ID"):
        config.read({"GUESSIO_INSTANCE": str(tmp_path), **reachable})
    assert config.read({**GOOD, **reachable})


def test_an_address_made_from_the_port_follows_it(tmp_path: Path) -> None:
    settings = config.read({"GUESSIO_INSTANCE": str(tmp_path)})
    assert settings.on_port(8003).url == "http://127.0.0.1:8003"
    assert config.read(GOOD).on_port(8003).url == "https://play.example.org"


def test_every_setting_that_is_read_is_documented() -> None:
    source = Path(reading.__file__).read_text()
    read = set(re.findall(r'(?:given\.get\(|_whole\(given, )"([A-Z_]+)"', source))
    assert read == {variable.name for variable in config.VARIABLES}
