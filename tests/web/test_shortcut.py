"""The short way of a guess: taken when nothing is doubtful, and never a way around a check."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from guessio.rules.terms import AccountState
from guessio.services import matches, sessions
from guessio.store import database, schema
from guessio.web import limits, shortcut
from tests.kit.fake_clock import FakeClock
from tests.web.test_matches import At, M

LONG = "the long way"
PATH = f"/match/{M}/guess"


@pytest.fixture
def long_ways(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which paths took the long way."""
    taken: list[str] = []
    whole = app.full_dispatch_request

    def noted():
        taken.append(LONG)
        return whole()

    monkeypatch.setattr(app, "full_dispatch_request", noted)
    return taken


@pytest.fixture
def at(fake_clock: FakeClock, app: Flask, long_ways: list[str]) -> At:
    """A match in its first turn, whose players have each sent a form before."""
    made = At(app, fake_clock).to_turn()
    for seat in (0, 1):
        assert made.send(seat, "guess", turn=99, guess="1234").status_code in (409, 422)
    long_ways.clear()
    return made


def mover(at: At) -> int:
    assert at.state.turn is not None
    return at.state.turn.seat


def guess(at: At, digits: str = "5678", **changes: object):
    """The guess of whoever has the turn, with something about it changed."""
    seat = mover(at)
    assert at.state.turn is not None
    headers = {"X-CSRFToken": at.tokens[seat], "HX-Request": "true", "HX-Request-Type": "partial", **changes.pop("headers", {})}
    given = {"path": PATH, "data": {"turn": at.state.turn.number, "guess": digits}, "headers": headers, **changes}
    return at.browsers[seat].post(given.pop("path"), **given)


def made(at: At) -> int:
    return len(at.state.rounds[-1].guesses)


def test_a_plain_guess_takes_it_and_has_the_headers_of_every_answer(at: At, long_ways: list[str]) -> None:
    short = guess(at)
    assert (short.status_code, short.data, long_ways, made(at)) == (204, b"", [], 1)
    assert short.headers["X-Content-Type-Options"] == "nosniff"
    assert len(short.headers["X-Request-Id"]) == 12
    long = guess(at, "5679", query_string="", data="turn=2&guess=567%39", content_type=shortcut.FORM)
    assert (long.status_code, long_ways, made(at)) == (204, [LONG], 2)
    assert {name for name, _ in long.headers} - {name for name, _ in short.headers} <= {"Content-Type", "Vary"}


def test_a_repeat_counts_once(at: At, long_ways: list[str]) -> None:
    """R1.12."""
    seat = mover(at)
    assert guess(at).status_code == 204
    again = at.browsers[seat].post(PATH, data={"turn": 1, "guess": "5678"}, headers={"X-CSRFToken": at.tokens[seat], "HX-Request": "true"})
    assert (again.status_code, made(at), long_ways) == (204, 1, [])


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"headers": {"X-CSRFToken": ""}}, 400),
        ({"headers": {"X-CSRFToken": "forged"}}, 400),
        ({"headers": {"HX-Request": ""}}, 303),
        ({"headers": {"HX-Boosted": "true"}}, 303),
        ({"headers": {"HX-Request-Type": "full"}}, 303),
        ({"path": "/match/another/guess"}, 404),
        ({"data": {"turn": 1, "guess": "1123"}}, 422),
        ({"data": {"turn": 1, "guess": "１２３４"}}, 422),
        ({"data": {"turn": 7, "guess": "5678"}}, 409),
        ({"data": {"turn": "-1", "guess": "5678"}}, 409),
        ({"data": {"guess": "5678" * 5000}}, 413),
        ({"data": b"turn=1&guess=5678", "content_type": "text/plain"}, 409),
    ],
)
def test_what_is_doubtful_takes_the_long_way_and_is_answered_there(at: At, long_ways: list[str], changes: dict, status: int) -> None:
    answer = guess(at, **changes)
    assert (answer.status_code, long_ways) == (status, [LONG])


def test_another_players_form_token_is_worth_nothing(at: At, long_ways: list[str]) -> None:
    assert guess(at, headers={"X-CSRFToken": at.tokens[1 - mover(at)]}).status_code == 400
    assert (made(at), long_ways) == (0, [LONG])


def test_it_ends_with_the_session_and_with_the_right_to_play(at: At, long_ways: list[str]) -> None:
    """R12.3, R12.4."""
    account = at.state.seats[mover(at)].account
    with database.write() as conn:
        conn.execute(update(schema.accounts).where(schema.accounts.c.id == account).values(state=AccountState.BANNED))
    sessions.refresh(account)
    assert guess(at).status_code == 403
    sessions.end_for(account)
    assert guess(at).status_code == 401
    assert (made(at), long_ways) == (0, [LONG, LONG])


def test_over_tls_the_page_must_be_one_of_this_site(at: At, long_ways: list[str]) -> None:
    tls = {"wsgi.url_scheme": "https"}
    assert guess(at, environ_overrides=tls, headers={"Referer": "https://elsewhere.example/"}).status_code == 400
    assert guess(at, environ_overrides=tls).status_code == 400
    assert (made(at), long_ways) == (0, [LONG, LONG])
    assert guess(at, environ_overrides=tls, headers={"Referer": f"https://localhost/match/{M}"}).status_code == 204
    assert (made(at), len(long_ways)) == (1, 2)


def test_requests_are_counted_once_whichever_way_they_take(at: At, long_ways: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_is_on", True)
    at.app.before_request_funcs[None].append(limits._count_request)  # pyright: ignore[reportPrivateUsage]
    limits._counts.clear()  # pyright: ignore[reportPrivateUsage]
    account = at.state.seats[mover(at)].account
    assert guess(at, "1123").status_code == 422
    assert limits._counts == {f"account {account}": 1}  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(limits, "EVERYTHING", 1)
    assert guess(at).status_code == 429
    assert made(at) == 0


def test_while_the_database_is_away_it_says_so(at: At, long_ways: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("saving", None, Exception("gone"))

    monkeypatch.setattr(matches, "guess", away)
    assert guess(at).status_code == 503
    assert long_ways == [LONG]


@pytest.mark.parametrize(("changes", "status"), [({"data": {"turn": 1, "guess": "1123"}}, 422), ({"path": "/match/another/guess"}, 404)])
def test_the_long_way_does_not_ask_the_table_again(at: At, monkeypatch: pytest.MonkeyPatch, changes: dict, status: int) -> None:
    asked: list[object] = []
    ask = matches.guess
    monkeypatch.setattr(matches, "guess", lambda *of: asked.append(of) or ask(*of))
    assert (guess(at, **changes).status_code, len(asked)) == (status, 1)
