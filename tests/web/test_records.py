"""Home, matches, details, profiles and achievements: over HTTP (R11, SPEC 10, SPEC 18)."""

from __future__ import annotations

import pytest
from flask import Flask

from guessio.services import sessions
from guessio.web.guards import ACCOUNT_KEY, TOKEN_KEY
from tests.kit import signed_in
from tests.kit.actors import Play
from tests.kit.builders import account
from tests.services.crowd import seated, settled


def browser_of(app: Flask, seat: int):
    """A browser signed in as who holds a seat of the builders' matches."""
    browser = app.test_client()
    with browser.session_transaction() as cookie:
        cookie[ACCOUNT_KEY] = account(seat)
        cookie[TOKEN_KEY] = sessions.start(account(seat))
    return browser


@pytest.fixture
def won(app: Flask) -> str:
    """A settled match that ada won against bo."""
    seated()
    play = Play.in_round(2)
    play.win_round(0)
    play.next_round()
    return settled(play.win_round(0))


def test_the_list_and_home_show_the_match(app: Flask, won: str) -> None:
    ada = browser_of(app, 0)
    for path in ("/", "/matches", "/profile"):
        text = ada.get(path).text
        assert f"/matches/{won}" in text, path
        assert "bo" in text
    assert won not in ada.get("/matches?filter=losses").text
    assert won in browser_of(app, 1).get("/matches?filter=losses").text


def test_details_show_codes_to_participants_and_404_to_everybody_else(app: Flask, won: str) -> None:
    answer = browser_of(app, 0).get(f"/matches/{won}")
    assert answer.status_code == 200
    for code in ("1234", "5678"):
        assert all(digit in answer.text for digit in code)
    stranger = signed_in.client(app, "stranger")
    assert stranger.get(f"/matches/{won}").status_code == 404
    assert stranger.get("/matches/unknown").status_code == 404


def test_a_profile_is_public_and_never_shows_the_address(app: Flask) -> None:
    signed_in.new_account("mira_k", email="mira@example.org")
    answer = app.test_client().get("/u/Mira_K")
    assert answer.status_code == 200
    assert "mira_k" in answer.text
    assert "example.org" not in answer.text
    assert app.test_client().get("/u/nobody").status_code == 404


def test_new_achievements_lose_their_mark_when_seen(app: Flask, won: str) -> None:
    ada = browser_of(app, 0)
    assert "/achievements/seen" in ada.get("/achievements").text
    for _ in range(2):
        answer = signed_in.post(ada, "/achievements/seen")
        assert (answer.status_code, answer.location) == (303, "/achievements")
    assert "/achievements/seen" not in ada.get("/achievements").text


def test_guests_are_welcomed(app: Flask) -> None:
    answer = app.test_client().get("/")
    assert answer.status_code == 200
    assert "/sign-in" in answer.text


@pytest.mark.parametrize("query", ["?filter=%00", "?filter=wins&page=99999999999999999999", "?page=-1", "?page=²"])
def test_odd_queries_get_a_page(app: Flask, won: str, query: str) -> None:
    assert browser_of(app, 0).get(f"/matches{query}").status_code == 200
