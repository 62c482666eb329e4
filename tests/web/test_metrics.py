"""/metrics tells what the site does, to whoever runs it and nobody else, and nothing about anybody."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from guessio import figures
from guessio.adapters import noticeboard
from guessio.adapters.noticeboard import Notice
from guessio.engine.match.commands import Forfeit
from guessio.rules.terms import TableId
from guessio.services import heartbeat, results, sweep, tables
from guessio.web import metrics
from tests.kit import postgres, signed_in
from tests.kit.fake_clock import FakeClock
from tests.kit.processes import until
from tests.kit.server import running
from tests.web.test_matches import PLAYERS, At, M

HERE = "http://127.0.0.1:8000"
TOKEN = "a token for a scraper alone 0123"


def scraped(browser: FlaskClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and its labels but the worker."""
    answer = browser.get("/metrics", base_url=HERE)
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted((name, value) for name, value in sample.labels.items() if name != "worker"))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# --- what it tells ------------------------------------------------------------------------------------------------------


def test_a_match_shows_in_the_figures(fake_clock: FakeClock, app: Flask) -> None:
    results.start()
    at = At(app, fake_clock).to_turn()
    browser = app.test_client()
    before = scraped(browser)

    def grew(name: str, **labels: str) -> float:
        key = (name, tuple(sorted(labels.items())))
        return scraped(browser).get(key, 0) - before.get(key, 0)

    at.guess(0, "5678")
    at.guess(0, "6789", turn=1)
    at.guess(1, "11")
    at.guess(1, "11", htmx=False)
    assert grew("guessio_command_seconds_count", kind="SubmitGuess", outcome="accepted") == 1
    assert grew("guessio_command_seconds_count", kind="SubmitGuess", outcome="refused") == 3
    assert grew("guessio_refusals_total", reason="stale_turn") == 1
    assert grew("guessio_refusals_total", reason="wrong_length") == 2
    assert grew("guessio_http_answers_total", status="2xx") >= 2
    assert grew("guessio_http_answers_total", status="4xx") == 3
    assert grew("guessio_save_batch_sum") == 1
    assert scraped(browser)["guessio_tables_armed", ()] == 1
    at.send(0, "forfeit")
    assert grew("guessio_settlements_total") == 0
    at.pass_time(60_000)
    assert grew("guessio_settlements_total") == 1


def test_a_command_to_no_table_and_one_that_fails_are_told_apart(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def outcomes() -> dict[str, float]:
        samples = figures.COMMANDS.collect()[0].samples
        return {one.labels["outcome"]: one.value for one in samples if one.name.endswith("_count") and one.labels["kind"] == "Forfeit"}

    before = outcomes()
    assert tables.dispatch(TableId("nowhere"), Forfeit(signed_in.new_account("mira"))) is None
    monkeypatch.setattr(tables, "_step", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tables.dispatch(TableId("nowhere"), Forfeit(signed_in.new_account("mira")))
    after = outcomes()
    assert [after[name] - before.get(name, 0) for name in ("unknown", "failed")] == [1, 1]


def test_a_sweep_tells_what_it_took_over(fake_clock: FakeClock, app: Flask) -> None:
    At(app, fake_clock).to_turn()
    browser = app.test_client()
    before = scraped(browser)
    fake_clock.advance(60_000)
    sweep.once()
    after = scraped(browser)
    assert after["guessio_sweeps_total", ()] - before["guessio_sweeps_total", ()] == 1
    assert after["guessio_overdue_total", ()] - before["guessio_overdue_total", ()] == 1


def test_the_lines_show_for_each_choice(app: Flask) -> None:
    person = signed_in.client(app, "mira")
    signed_in.post(person, "/search", {"type": "casual", "difficulty": "hardcore", "players": "3"})
    told = scraped(app.test_client())
    lines = {labels: people for (name, labels), people in told.items() if name == "guessio_searching"}
    assert len(lines) == 12
    assert {labels: people for labels, people in lines.items() if people} == {
        (("difficulty", "hardcore"), ("players", "3"), ("type", "casual")): 1
    }


def test_without_its_database_the_rest_is_shown(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = app.test_client()
    assert scraped(browser)["guessio_database_up", ()] == 1
    monkeypatch.setattr(metrics.queues, "lengths", lambda: 1 / 0)
    told = scraped(browser)
    assert told["guessio_database_up", ()] == 0
    assert ("guessio_streams", ()) in told


def test_no_figure_names_anybody(fake_clock: FakeClock, app: Flask) -> None:
    at = At(app, fake_clock).to_turn()
    at.guess(0, "5678")
    text = app.test_client().get("/metrics", base_url=HERE).text
    for private in (*PLAYERS, M, "5678", "example.org"):
        assert not re.search(rf"(?<![\w.]){re.escape(private)}(?![\w.])", text)
    names = {label for family in figures.taken() for _, labels, _ in family.samples for label in labels}
    assert names <= {"kind", "outcome", "reason", "status", "le"}


# --- several workers ----------------------------------------------------------------------------------------------------


def test_one_worker_answers_for_all_of_its_machine(fake_clock: FakeClock, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = app.extensions["guessio.settings"].instance / metrics.FOLDER
    monkeypatch.setattr(heartbeat, "_worker", "aaaaaaaaaaaaaaaa")
    noticeboard.post(folder, Notice("aaaaaaaaaaaaaaaa", fake_clock.now_ms, figures.taken()))
    noticeboard.post(folder, Notice("bbbbbbbbbbbbbbbb", fake_clock.now_ms, figures.taken()))
    noticeboard.post(folder, Notice("cccccccccccccccc", fake_clock.now_ms - noticeboard.FRESH_MS - 1, figures.taken()))
    (folder / "torn.json").write_bytes(b'{"worker')
    text = app.test_client().get("/metrics", base_url=HERE).text
    assert text.count("# TYPE guessio_streams gauge") == 1
    assert re.findall(r'guessio_streams\{worker="(\w)\w+"\}', text) == ["a", "b"]
    assert not (folder / "cccccccccccccccc.json").exists()


@pytest.mark.db
@pytest.mark.live
def test_two_real_workers_are_told_of_by_whichever_is_asked() -> None:
    url = postgres.fresh()
    try:
        with running(url, workers=2) as server, requests.Session() as http:
            http.trust_env = False

            def workers() -> set[str]:
                text = http.get(f"{server.url}/metrics", timeout=20).text
                return set(re.findall(r'guessio_bus_gaps_total\{worker="(\w+)"\} 1\.0', text))

            until(lambda: len(workers()) == 2, "the figures of both workers")
    finally:
        postgres.drop(url)


def test_a_notice_cannot_be_put_outside_its_folder(tmp_path: Path) -> None:
    for name in ("", "../x", "a/b", "AAAAAAAA"):
        with pytest.raises(ValueError, match="^" + re.escape(name)):
            noticeboard.post(tmp_path, Notice(name, 1, []))


# --- who may look -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}},
        {"base_url": "https://play.example.org"},
        {"headers": {"X-Forwarded-For": "127.0.0.1"}},
        {"headers": {"Forwarded": "for=127.0.0.1"}},
        {"headers": {"Via": "1.1 proxy"}},
        {"headers": {"X-Real-IP": "127.0.0.1"}},
        {"headers": {"Authorization": "Bearer "}, "environ_base": {"REMOTE_ADDR": "192.0.2.7"}},
    ],
)
def test_other_machines_find_nothing_there(app: Flask, change: dict[str, object]) -> None:
    answer = app.test_client().get("/metrics", **{"base_url": HERE, **change})  # type: ignore[arg-type]
    assert answer.status_code == 404
    assert "guessio_" not in answer.text


@pytest.mark.parametrize(("sent", "status"), [(f"Bearer {TOKEN}", 200), (f"Bearer {TOKEN}x", 404), (TOKEN, 404), ("Bearer é", 404)])
def test_a_token_opens_them_from_anywhere(tmp_path: Path, sent: str, status: int) -> None:
    app = signed_in.fresh_app(tmp_path, GUESSIO_METRICS_TOKEN=TOKEN)
    away = {"REMOTE_ADDR": "192.0.2.7"}
    answer = app.test_client().get("/metrics", base_url="https://play.example.org", environ_base=away, headers={"Authorization": sent})
    assert answer.status_code == status


def test_it_is_read_only_and_kept_by_nobody(app: Flask) -> None:
    browser = app.test_client()
    assert browser.post("/metrics", base_url=HERE).status_code == 405
    assert browser.get("/metrics", base_url=HERE).headers["Cache-Control"] == "no-store"


# --- what it costs ------------------------------------------------------------------------------------------------------


def test_counting_costs_a_guess_next_to_nothing() -> None:
    """All that is counted on the path of one guess, in processor time: about 5 µs where this was written; a guess takes 1,000 or more."""
    began = time.process_time()
    rounds = 2_000
    for _ in range(rounds):
        took = figures.now_s()
        figures.COMMANDS.labels("SubmitGuess", "accepted").observe(figures.now_s() - took)
        figures.SAVES.observe(1)
        figures.ANSWERS.labels("2xx").inc()
    assert (time.process_time() - began) / rounds < 50e-6
