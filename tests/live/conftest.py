"""Fragments are drawn with the application's own templates, without an application beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from guessio.live import fragments
from guessio.web import wording

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def templates() -> Flask:
    """An application that does nothing but hold the templates, with all that fragments may use."""
    app = Flask("templates", root_path=str(ROOT), template_folder="templates")
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals["asset"] = lambda path: f"/static/{path}"
    app.jinja_env.filters["sentence"] = wording.sentence
    fragments.use(app.jinja_env)
    return app
