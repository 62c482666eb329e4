"""Whole duels over a running server, as two people at their browsers see them (SPEC 17, issue 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from guessio.rules.terms import SecretRule
from tests.kit.duellist import Duellist
from tests.kit.server import Server
from tests.kit.standing import stranger

pytestmark = [pytest.mark.db, pytest.mark.live]

Sit = Callable[[str], Duellist]


@pytest.fixture
def sit(server: Server) -> Iterator[Sit]:
    """Sign somebody in whom nobody knows yet."""
    people: list[Duellist] = []

    def sit(name: str) -> Duellist:
        person = Duellist(server.url, stranger(name))
        person.sign_in()
        people.append(person)
        return person

    yield sit
    for person in people:
        person.close()


def meet(sit: Sit, clock: int = 10, **terms: object) -> tuple[Duellist, Duellist]:
    """Mira offers, Nova, who looks at the lobby already, sees the row come and takes it."""
    mira, nova = sit("mira"), sit("nova")
    nova.open_lobby()
    nova.wait_until_streaming()
    mira.make_offer(clock, **terms)  # type: ignore[arg-type]
    mira.wait_until_streaming()
    nova.wait_for(lambda: mira.username in nova.offers, "the offer")
    assert nova.take_offer(mira.username).status == 200
    for person in (mira, nova):
        person.wait_for(lambda person=person: bool(person.duel_id), "the duel")
        person.wait_until_streaming()
    assert mira.duel_id == nova.duel_id
    return mira, nova


def choose(mira: Duellist, nova: Duellist, secrets: tuple[str, str]) -> None:
    for person, secret in zip((mira, nova), secrets, strict=True):
        assert person.set_secret(secret).status == 204
    for person in (mira, nova):
        person.wait_for(lambda person=person: person.duel.phase == "playing", "the first move")


def mover(mira: Duellist, nova: Duellist) -> Duellist:
    mira.wait_for(lambda: mira.duel.can_act or nova.duel.can_act or mira.duel.phase == "over", "somebody's turn")
    return mira if mira.duel.can_act else nova


def play_out(mira: Duellist, nova: Duellist, secrets: tuple[str, str], rule: SecretRule = SecretRule.REPEATS) -> None:
    """Both guess sensibly, telling that their turn has come as the page's script does, until one breaks the other's secret. Up to then
    no byte that came back may hold the other's."""
    while mira.duel.phase != "over":
        actor = mover(mira, nova)
        if not actor.duel.can_act:
            continue
        turn = actor.duel.turn
        assert secrets[actor is mira].encode() not in bytes_of(actor)
        lag = actor.seen().body if actor.duel.sent else ""
        answer = actor.duel_guess(actor.sensible_guess(rule), turn=turn, lag=lag)
        assert answer.status == 204, answer.text
        for person in (mira, nova):
            person.wait_for(lambda person=person, turn=turn: person.duel.phase == "over" or person.duel.turn > turn, "the next turn")
    nova.wait_for(lambda: nova.duel.phase == "over", "the end")


def bytes_of(person: Duellist) -> bytes:
    return b"\n".join(part.headers.encode() + part.body for part in person.shown)


def test_a_duel_by_position_is_played_to_its_end_and_again(sit: Sit) -> None:
    """R17.4, R17.6: no byte tells a secret before the end; in the rematch the other moves first."""
    mira, nova = meet(sit, length=5)
    secrets = ("77105", "40494")
    choose(mira, nova, secrets)
    first = mover(mira, nova)
    play_out(mira, nova, secrets)
    for person in (mira, nova):
        text = person.page.text.replace(" ", "")
        assert all(secret in text for secret in secrets)
        assert person.missed == []
    old = mira.duel_id
    assert mira.rematch().status == 204
    nova.wait_for(lambda: "wants a rematch" in nova.duel.rematch, "the offer of a rematch")
    assert nova.rematch().status == 204
    for person in (mira, nova):
        person.wait_for(lambda person=person: person.duel_id not in ("", old), "the rematch")
        person.wait_until_streaming()
    choose(mira, nova, ("11111", "22222"))
    assert mover(mira, nova) is not first


def test_a_duel_by_totals_shows_counts_and_never_a_place(sit: Sit) -> None:
    """R17.3."""
    mira, nova = meet(sit, length=5, repeats="all_different", format="totals_only")
    secrets = ("04172", "93586")
    choose(mira, nova, secrets)
    play_out(mira, nova, secrets, SecretRule.ALL_DIFFERENT)
    before_end = [part.body.decode() for part in (*mira.shown, *nova.shown)]
    rows = [text for text in before_end if 'class="guess"' in text]
    assert rows
    assert not any('data-mark="absent"' in text for text in rows)
    record = mira.wire.send("GET", f"/duels/history/{mira.duel_id}")
    assert record.status_code == 200


def test_nobody_ready_is_a_draw_by_itself(sit: Sit) -> None:
    """R17.5."""
    mira, nova = meet(sit, clock=1)
    for person in (mira, nova):
        person.wait_for(lambda person=person: person.duel.phase == "over", "the end")
        assert "draw" in person.page.text.lower()


def test_a_flag_falls_by_itself(sit: Sit) -> None:
    mira, nova = meet(sit, clock=1)
    choose(mira, nova, ("1234", "5678"))
    loser = mover(mira, nova)
    winner = nova if loser is mira else mira
    for person in (mira, nova):
        person.wait_for(lambda person=person: person.duel.phase == "over", "the end")
    assert "You won" in winner.page.text
    assert loser.duel_guess("0000", turn=1).status == 422


def test_a_broken_line_is_brought_up_to_date(sit: Sit) -> None:
    """R5.2."""
    mira, nova = meet(sit)
    choose(mira, nova, ("1234", "5678"))
    actor = mover(mira, nova)
    other = nova if actor is mira else mira
    other.drop_stream()
    assert actor.duel_guess("0000").status == 204
    other.wait_for(lambda: other.duel.can_act, "one's turn")
    assert [row.digits for row in other.duel.their_rows] == ["0000"]
    other.resign()
    actor.wait_for(lambda: actor.duel.phase == "over", "the end")


def test_a_crash_of_the_server_while_a_clock_runs_costs_nobody_the_duel(server: Server, sit: Sit) -> None:
    """R1.13: the clock of 3 s (1 minute, shortened) would be long gone."""
    mira, nova = meet(sit, clock=1)
    choose(mira, nova, ("1234", "5678"))
    server.kill()
    server.start()
    for person in (mira, nova):
        person.wait_until_streaming()
    actor = mover(mira, nova)
    assert actor.duel.phase == "playing"
    assert actor.duel_guess("9999").status == 204


def test_the_computer_takes_ones_offer_and_plays(sit: Sit) -> None:
    """R17.7."""
    mira = sit("mira")
    mira.make_offer(10)
    mira.wait_until_streaming()
    assert mira.play_computer().status == 200
    assert mira.set_secret("6067").status == 204
    mira.wait_for(lambda: mira.duel.phase == "playing", "the computer's secret")
    mira.wait_for(lambda: mira.duel.can_act, "one's turn")
    assert mira.duel_guess("0000").status == 204
    mira.wait_for(lambda: mira.duel.phase == "over" or bool(mira.duel.own_rows and mira.duel.their_rows), "a guess of each")
