"""Choosing a match, waiting, leaving: over HTTP (R3)."""

from __future__ import annotations

import pytest
from flask import Flask

from guessio.rules import tunables, week
from guessio.services import matchmaking
from tests.kit import signed_in
from tests.kit.fake_clock import FakeClock

DUO = {"type": "casual", "difficulty": "standard", "players": "2"}


def test_a_search_leads_to_its_page_and_a_full_group_to_the_match(app: Flask) -> None:
    ada, bo = signed_in.client(app, "ada"), signed_in.client(app, "bo")
    answer = signed_in.post(ada, "/search", DUO)
    assert (answer.status_code, answer.location) == (303, "/search")
    assert "1 of 2" in ada.get("/search").text
    signed_in.post(bo, "/search", DUO)
    match = ada.get("/search").location
    assert match.startswith("/match/")
    assert bo.get("/search").location == match
    assert match in ada.get("/").text


def test_a_double_tap_is_one_search(app: Flask) -> None:
    ada = signed_in.client(app, "ada")
    for _ in range(2):
        assert signed_in.post(ada, "/search", DUO).location == "/search"
    assert "1 of 2" in ada.get("/search").text


def test_the_seats_alone_for_a_request_that_replaces_them(app: Flask) -> None:
    ada = signed_in.client(app, "ada")
    signed_in.post(ada, "/search", DUO)
    text = ada.get("/search", headers={"HX-Request": "true", "HX-Request-Type": "partial"}).text
    assert 'id="search-seats"' in text
    assert "<html" not in text


def test_while_the_week_turns_ranked_waits_and_casual_does_not(fake_clock: FakeClock, app: Flask) -> None:
    """R9.5: who was queued is led to the form, which says why; Ranked opens again by itself."""
    ranked = {**DUO, "type": "ranked"}
    fake_clock.now_ms = week.ends(week.key(fake_clock.now_ms)) - 1_000
    ada, bo = signed_in.client(app, "ada"), signed_in.client(app, "bo")
    signed_in.post(ada, "/search", ranked)
    fake_clock.advance(1_000)
    matchmaking.run_due()
    assert ada.get("/search").location == "/play"
    assert "The week is turning over" in ada.get("/play").text
    refused = signed_in.post(bo, "/search", ranked)
    assert refused.status_code == 422
    assert "Ranked opens again" in refused.text
    assert signed_in.post(bo, "/search", DUO).status_code == 303
    fake_clock.advance(tunables.RANKED_CLOSED_MS)
    assert "The week is turning over" not in ada.get("/play").text
    assert signed_in.post(ada, "/search", ranked).location == "/search"


def test_leaving_leads_to_the_form_and_again_changes_nothing(app: Flask) -> None:
    ada = signed_in.client(app, "ada")
    signed_in.post(ada, "/search", DUO)
    for _ in range(2):
        answer = signed_in.post(ada, "/search/leave")
        assert (answer.status_code, answer.location) == (303, "/play")
    assert ada.get("/search").location == "/play"


def test_leaving_too_late_leads_to_the_match(app: Flask) -> None:
    ada, bo = signed_in.client(app, "ada"), signed_in.client(app, "bo")
    for one in (ada, bo):
        signed_in.post(one, "/search", DUO)
    assert signed_in.post(ada, "/search/leave").location.startswith("/match/")


@pytest.mark.parametrize("fields", [{}, {**DUO, "players": "9"}, {**DUO, "type": "custom"}, {**DUO, "difficulty": "<b>"}])
@pytest.mark.parametrize("htmx", [False, True])
def test_a_bad_choice_is_refused_in_words(app: Flask, fields: dict[str, str], htmx: bool) -> None:
    ada = signed_in.client(app, "ada")
    answer = signed_in.post(ada, "/search", fields, htmx=htmx)
    assert answer.status_code == 422
    assert ("<html" in answer.text) is not htmx


def test_a_search_beside_a_live_match_is_refused(app: Flask) -> None:
    ada, bo = signed_in.client(app, "ada"), signed_in.client(app, "bo")
    for one in (ada, bo):
        signed_in.post(one, "/search", DUO)
    assert signed_in.post(ada, "/search", {**DUO, "players": "3"}).status_code == 422


def test_the_form_takes_choices_from_its_address(app: Flask) -> None:
    ada = signed_in.client(app, "ada")
    text = ada.get("/play?type=casual&difficulty=hardcore&players=4").text
    for value in ("casual", "hardcore", "4"):
        assert f'value="{value}" checked' in text
    assert ada.get("/play?players=99").status_code == 200


@pytest.mark.parametrize("path", ["/play", "/search", "/matches", "/matches/x", "/profile", "/achievements"])
def test_guests_are_asked_to_sign_in(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 401


def test_a_post_without_a_token_is_refused(app: Flask) -> None:
    ada = signed_in.client(app, "ada")
    assert ada.post("/search", data=DUO).status_code == 400
    assert ada.get("/search").location == "/play"
