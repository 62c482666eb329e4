"""What the environment was turned into."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path


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
