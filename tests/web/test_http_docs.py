"""docs/http.md lists every route of the app, with its method, and none that is not there."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask

ROW = re.compile(r"^\| (GET|POST) \| `(/[^`]*)` \|", re.MULTILINE)
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "http.md"


def routes_of(app: Flask) -> set[tuple[str, str]]:
    return {(method, str(rule)) for rule in app.url_map.iter_rules() for method in rule.methods or () if method not in ("HEAD", "OPTIONS")}


def test_every_route_is_documented(app: Flask) -> None:
    documented = set(ROW.findall(DOCUMENT.read_text()))
    assert sorted(routes_of(app) - documented) == []


def test_every_documented_route_exists(app: Flask) -> None:
    documented = set(ROW.findall(DOCUMENT.read_text()))
    assert sorted(documented - routes_of(app)) == []
