"""Commands for the person who runs the site: `flask --app wsgi prepare`, and `settings`."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from guessio.config import VARIABLES


def install(app: Flask, prepare: Callable[[Flask], int]) -> None:
    """Add the commands to `flask`. `prepare` makes an installation ready and gives the number of new bots."""

    @app.cli.command("prepare")
    def make_ready() -> None:
        """Bring the database up to date and fill the pool of bots. A second time changes nothing."""
        made = prepare(app)
        print(f"The database is ready; {made} bots were added.")

    @app.cli.command("settings")
    def settings() -> None:
        """List every setting, its default and its meaning, as a Markdown table."""
        print(settings_table())


def settings_table() -> str:
    """All settings as a Markdown table, the one that the documentation holds."""
    rows = [f"| `{variable.name}` | {variable.default} | {variable.meaning} |" for variable in VARIABLES]
    return "\n".join(["| Variable | Without it | Meaning |", "|---|---|---|", *rows])
