"""Every byte that a player is sent, over pages, answers and the stream, in whole random matches: no code or nonce before its round has
ended, none of a round that was never played, nobody else's marks unless X-Ray Vision shows them (R1.2, R1.7, R6.2, requirement 40)."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace

import gevent
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from guessio import bus
from guessio.engine import match
from guessio.engine.match import NewSeat, sight
from guessio.engine.match.state import MatchState
from guessio.rules.terms import Difficulty, MatchPhase, MatchType, Skill, TableId, TableKind
from guessio.services import tables
from tests.kit import eavesdropper, signed_in
from tests.kit.builders import a_random_deal
from tests.kit.eavesdropper import Seen
from tests.kit.fake_clock import FakeClock

M = TableId("m-1")
NAMES = ("ada_l", "bo_b", "cy_c", "di_d")
HTMX = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Target": "p#guess-message"}
MOVES_MOST = 500
SEEDS = int(os.environ.get("GUESSIO_SCAN", "1"))
"""Matches of each kind; GUESSIO_SCAN=20 looks at more of them."""


class Person:
    """One player's browser and open stream."""

    def __init__(self, app: Flask, name: str) -> None:
        self.account = signed_in.new_account(name)
        self.browser: FlaskClient = signed_in.client(app, name)
        self.token = signed_in.csrf(self.browser, "/play")
        self.stream: TestResponse | None = None

    def open_stream(self, version: int) -> None:
        self.close()
        self.stream = self.browser.get(f"/live?table={M}&v={version}", buffered=False)
        assert self.stream.status_code == 200

    def close(self) -> None:
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def heard(self) -> str:
        """All that the stream has to say by now; a notice that is sent last marks its end."""
        if self.stream is None:
            return ""
        bus.publish(f"account:{self.account}", bus.Announce("info", "that was all"))
        text, body = "", iter(self.stream.response)
        while "that was all" not in text:
            text += next(body).decode()
        return "\n".join(line.removeprefix("data: ") for line in text.splitlines())


class Match:
    """A match with somebody who reads everything that each player gets."""

    def __init__(self, app: Flask, clock: FakeClock, seed: int, players: int, difficulty: Difficulty) -> None:
        self.clock, self.chance = clock, random.Random(seed)
        self.seen = [Seen() for _ in range(players)]
        bot = players - 1 if players > 2 and self.chance.random() < 0.5 else None
        self.people = {seat: Person(app, NAMES[seat]) for seat in range(players) if seat != bot}
        self.stranger = Person(app, "zoe_z")
        self.strangers: list[str] = []
        seats = tuple(
            NewSeat(
                self.people[seat].account if seat != bot else signed_in.new_account("botty", is_bot=True), name, name, "", seat == bot, 900
            )
            for seat, name in enumerate(NAMES[:players])
        )
        deal = a_random_deal(players, self.chance)
        deal = replace(deal, fallback_skills=tuple(self.chance.choice((Skill.XRAY, Skill.REVEAL)) for _ in range(players)))
        step = match.new(M, MatchType.CASUAL, difficulty, True, seats, deal, clock.now_ms)
        tables.create(TableKind.MATCH, step.state, step.events)

    @property
    def state(self) -> MatchState:
        loaded = tables.load(M)
        assert loaded is not None
        return loaded.state

    def hear(self, seat: int, answer: TestResponse) -> None:
        eavesdropper.listen(self.state, seat, f"{answer.headers}\n{answer.text}", self.seen[seat])

    def hear_streams(self) -> None:
        for _ in range(3):
            gevent.sleep(0)
        for seat, person in self.people.items():
            eavesdropper.listen(self.state, seat, person.heard(), self.seen[seat])

    def send(self, seat: int, what: str, **fields: object) -> None:
        form = {name: str(value) for name, value in fields.items()}
        headers = {"X-CSRFToken": self.people[seat].token, **(HTMX if self.chance.random() < 0.9 else {})}
        self.hear(seat, self.people[seat].browser.post(f"/match/{M}/{what}", data=form, headers=headers))

    def look(self, seat: int) -> None:
        """Load a page and come back to the stream with the version that it showed, or with an older one."""
        person = self.people[seat]
        self.hear(seat, person.browser.get(f"/match/{M}", follow_redirects=True))
        loaded = tables.load(M)
        assert loaded is not None
        person.open_stream(max(0, loaded.version - self.chance.choice((0, 1, 3, 100))))
        for path in (f"/match/{M}", f"/match/{M}/results", f"/matches/{M}", f"/live?table={M}"):
            answer = self.stranger.browser.get(path)
            assert answer.status_code == 404
            self.strangers += eavesdropper.secrets_in(self.state, answer.text)
            assert 'id="row-' not in answer.text

    def move(self) -> None:
        """Something that a player, an impatient one or the clock might do."""
        state, chance = self.state, self.chance
        luck, anybody = chance.random(), chance.choice(sorted(self.people))
        on_turn = state.turn.seat if state.turn else None
        code = state.deal.codes[max(len(state.rounds), 1) - 1]
        digits = code if luck > 0.96 else "".join(chance.sample("0123456789", len(code)))
        if luck < 0.1:
            self.look(anybody)
        elif luck < 0.17 and on_turn != anybody:
            # Not on turn: refused. Never the code itself, which would come back as what was typed.
            self.send(anybody, "guess", turn=chance.choice((1, state.turns_taken + 1)), guess=digits if digits != code else digits[::-1])
        elif luck < 0.19 and state.turns_taken > 12:
            self.send(anybody, "forfeit")
        elif state.phase is MatchPhase.PICKING and state.picker in self.people and luck < 0.6:
            self.send(state.picker, "pick", skill=chance.choice(tuple(Skill)))
        elif state.turn is None or on_turn not in self.people:
            self.pass_time()
        elif luck < 0.4:
            target = chance.choice((None, *range(len(state.seats))))
            self.send(on_turn, "skill", turn=state.turn.number, **({} if target is None else {"target": target}))
        elif luck < 0.43:
            self.pass_time()
        else:
            self.send(on_turn, "guess", turn=state.turn.number, guess=digits)

    def pass_time(self) -> None:
        tables.run_due(self.clock.advance(max((self.state.until_ms or 0) - self.clock.now_ms, 0)))

    def play(self) -> None:
        for seat in self.people:
            self.look(seat)
        for _ in range(MOVES_MOST):
            if self.state.phase is MatchPhase.OVER:
                break
            self.move()
            self.hear_streams()
        assert self.state.phase is MatchPhase.OVER
        for seat, person in self.people.items():
            for path in (f"/match/{M}", f"/match/{M}/results", f"/matches/{M}", "/matches", "/", "/profile"):
                answer = person.browser.get(path, follow_redirects=True)
                self.seen[seat].findings += eavesdropper.secrets_in(self.state, answer.text)


@pytest.fixture
def matches(fake_clock: FakeClock, app: Flask) -> Iterator[list[Match]]:
    """The matches of a test, whose streams end with it."""
    made: list[Match] = []
    yield made
    for one in made:
        for person in one.people.values():
            person.close()


@pytest.mark.parametrize("difficulty", list(Difficulty))
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_no_byte_tells_more_than_the_rules(
    fake_clock: FakeClock, app: Flask, matches: list[Match], seed: int, players: int, difficulty: Difficulty
) -> None:
    played = Match(app, fake_clock, seed, players, difficulty)
    matches.append(played)
    played.play()
    assert [finding for seen in played.seen for finding in seen.findings] == played.strangers == []
    heard = [played.seen[seat] for seat in played.people]
    assert min(seen.texts for seen in heard) > 10
    assert min(seen.own_marks for seen in heard) > 0
    assert sum(seen.foreign_rows for seen in heard) > 5


def test_a_leak_in_the_views_would_be_found(
    fake_clock: FakeClock, app: Flask, matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sight, "by_xray", lambda *_: True)
    played = Match(app, fake_clock, 1, 3, Difficulty.STANDARD)
    matches.append(played)
    played.play()
    found = [finding for seen in played.seen for finding in seen.findings]
    for kind in ("marks of seat", "marks in words", "the key"):
        assert any(finding.startswith(kind) for finding in found), kind


# --- the eavesdropper is not deaf ---------------------------------------------------------------------------------------


@pytest.fixture
def told(fake_clock: FakeClock, app: Flask, matches: list[Match]) -> Match:
    """A match of two in which the first player has guessed."""
    told = Match(app, fake_clock, 5, 2, Difficulty.STANDARD)
    matches.append(told)
    while told.state.turn is None:
        told.pass_time()
    told.send(told.state.turn.seat, "guess", turn=1, guess="5678" if told.state.deal.codes[0] != "5678" else "5679")
    return told


def found(told: Match, seat: int | None, text: str) -> list[str]:
    seen = Seen()
    eavesdropper.listen(told.state, seat, text, seen)
    return seen.findings


def test_it_finds_codes_in_every_spelling(told: Match) -> None:
    code = told.state.deal.codes[0]
    tiles = "".join(f"<span>{digit}</span>" for digit in code)
    for text in (
        code,
        f'data-code="{code}"',
        " ".join(code),
        ", ".join(code),
        f"<p>{tiles}</p>",
        f"<p>it is {code}.</p>",
        f"X-Hint: {code}\n",
    ):
        assert found(told, 0, text), text
    assert found(told, 0, told.state.deal.codes[2])
    assert not found(told, 0, f"{code}0")


def test_it_finds_nonces_and_the_seed(told: Match) -> None:
    assert found(told, 0, told.state.deal.nonces[0])
    assert found(told, 0, told.state.deal.nonces[2])
    assert found(told, 0, told.state.deal.seed)


def test_it_finds_marks_that_are_somebody_elses(told: Match) -> None:
    guesser = told.state.rounds[0].guesses[0].seat
    own = told.people[guesser].browser.get(f"/match/{M}").text
    assert found(told, guesser, own) == []
    assert found(told, 1 - guesser, own)
    assert found(told, None, own)
    key = '<button class="key" value="5" data-mark="right">5</button>'
    assert found(told, 1 - guesser, key)
    assert found(told, 1 - guesser, '<p id="pad-known"><span class="tile" data-mark="right">5</span></p>')
    assert found(told, 1 - guesser, '<span data-say="polite">Guess 1: 5 right place, 6 elsewhere, 7 elsewhere, 8 elsewhere.</span>')
    assert found(told, 1 - guesser, '<li id="row-r1-g1"><span aria-label="5 right place">5</span></li>')
    assert found(told, 1 - guesser, '<span class="tile" data-mark="right">5</span>')
