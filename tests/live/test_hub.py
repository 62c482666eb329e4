"""The stream: nothing missed, nothing twice, nothing older than what the page has; and an end when there is one (R5.1, R5.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gevent
import pytest
from flask import Flask

from guessio import bus, figures
from guessio.engine.match.commands import Connect, Disconnect, SubmitGuess
from guessio.engine.match.events import GuessMarked, SeatAway, TurnStarted
from guessio.live import fragments, hub, presence
from guessio.live import stream as streams
from guessio.live.room import Room
from guessio.live.stream import Body
from guessio.rules import tunables
from guessio.rules.terms import Difficulty, MatchType, SeatNo, TableId, TableKind
from guessio.services import sessions, shelf, tables
from guessio.services.play import Group
from guessio.store import codec, database
from guessio.store import tables as rows
from tests.kit.builders import a_match, account
from tests.kit.fake_clock import FakeClock

M1 = TableId("m1")
ADA, BO, STRANGER = account(0), account(1), account(7)


@pytest.fixture(autouse=True)
def played(fake_clock: FakeClock, app: Flask, monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """A match in its first turn; every session lives, and presence is another test's."""
    monkeypatch.setattr(sessions, "alive_among", frozenset)
    monkeypatch.setattr(presence, "opened", lambda _account: None)
    monkeypatch.setattr(presence, "closed", lambda _account: None)
    tables.create(TableKind.MATCH, replace(a_match(at_ms=fake_clock.now_ms), id=M1))
    fake_clock.advance(tunables.COUNTDOWN_MS)
    tables.run_due(fake_clock.now_ms)
    return fake_clock


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int, int]]]:
    """Fragments as short texts, and a list of what was drawn: kind, viewer, version."""
    calls: list[tuple[str, int, int]] = []

    def step(_kind: Any, _state: Any, _events: Any, version: int, _now: int, _kept: Any) -> Callable[[int], str]:
        def shown_to(viewer: int) -> str:
            calls.append(("step", viewer, version))
            return f"step {version}"

        return shown_to

    def whole(_kind: Any, _state: Any, viewer: int, version: int, _now: int) -> str:
        calls.append(("whole", viewer, version))
        return f"whole {version}"

    monkeypatch.setattr(fragments, "step", step)
    monkeypatch.setattr(fragments, "whole", whole)
    return calls


def version() -> int:
    loaded = tables.load(M1)
    assert loaded is not None
    return loaded.version


def open_page(viewer: Any = ADA, shown: int | None = None, token_hash: str = "t", **query: str) -> Body:
    body = hub.new_stream(viewer, token_hash, {"table": M1, **query}, version() if shown is None else shown)
    assert body is not None
    return body


def read(body: Body) -> str:
    return next(body).decode()


def data(text: str) -> list[str]:
    return re.findall(r"^data: (.*)$", text, re.MULTILINE)


def read_until(body: Body, wanted: str) -> list[str]:
    got: list[str] = []
    while wanted not in got:
        got += data(read(body))
    return got


def guess(digits: str = "9876") -> int:
    loaded = tables.load(M1)
    assert loaded is not None
    turn = loaded.state.turn
    outcome = tables.dispatch(M1, SubmitGuess(account(turn.seat), turn.number, digits))
    assert isinstance(outcome, tables.Accepted)
    return outcome.version


def guess_elsewhere(time: FakeClock, digits: str = "9876") -> int:
    """A guess made by another process: it is in the database, and nobody here has heard of it."""
    with database.read() as conn:
        row = rows.find(conn, M1)
    assert row is not None
    state, machine = codec.decode(tables.machine(TableKind.MATCH).State, row.state), tables.machine(TableKind.MATCH)
    step = machine.apply(state, SubmitGuess(account(state.turn.seat), state.turn.number, digits), time.now_ms)
    with database.write() as conn:
        assert rows.save(conn, rows.Save(M1, row.version, codec.encode(step.state), machine.next_deadline(step.state), None))
    if database.is_sqlite():
        shelf.forget(M1)
    return row.version + 1


def until(condition: Callable[[], bool]) -> None:
    while not condition():
        gevent.sleep(0)


def test_a_table_that_pages_show_is_followed_until_the_last_of_them_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[TableId] = []
    monkeypatch.setattr(bus, "want", wanted.append)
    monkeypatch.setattr(bus, "let_go", wanted.remove)
    pages = [open_page(), open_page(BO)]
    for page in pages:
        read(page)
    assert wanted == [M1]
    pages[0].close()
    assert wanted == [M1]
    pages[1].close()
    assert wanted == []


def test_a_page_that_lacks_nothing_is_sent_a_hint_only(drawn: list[Any]) -> None:
    assert read(open_page()).startswith("retry: ")
    assert drawn == []


@pytest.mark.db
def test_steps_come_in_order_each_once_with_their_version_as_id(drawn: list[Any]) -> None:
    body = open_page()
    read(body)
    versions = [guess(digits) for digits in ("9876", "8765", "7654")]
    text = ""
    while f"id: {versions[-1]}\n" not in text:
        text += read(body)
    assert re.findall(r"id: (\d+)\ndata: step (\d+)\n\n", text) == [(str(one), str(one)) for one in versions]


def test_a_page_is_brought_up_to_date_by_the_steps_that_it_missed(drawn: list[Any]) -> None:
    shown = version()
    versions = [guess(digits) for digits in ("9876", "8765")]
    assert data(read(open_page(shown=shown))) == [f"step {one}" for one in versions]


@pytest.mark.parametrize("shown", [0, 1, 999_999_999])
def test_a_page_too_far_behind_or_with_a_version_that_never_was_is_shown_the_whole(drawn: list[Any], shown: int) -> None:
    for number in range(shelf.RECENT + 1):
        guess(f"{number}987"[:4] if number < 7 else f"{number}654")
    assert data(read(open_page(shown=shown))) == [f"whole {version()}"]


def test_a_step_is_drawn_once_for_all_streams_of_an_account(drawn: list[Any]) -> None:
    pages = [open_page(ADA), open_page(ADA), open_page(BO)]
    for page in pages:
        read(page)
    made = guess()
    for page in pages:
        assert data(read(page)) == [f"step {made}"]
    assert sorted(drawn) == [("step", ADA, made), ("step", BO, made)]


def test_a_step_made_between_drawing_the_page_and_opening_its_stream_is_sent(drawn: list[Any]) -> None:
    body = open_page()
    made = guess()
    assert data(read(body)) == [f"step {made}"]


@pytest.mark.db
def test_a_step_made_while_the_stream_catches_up_is_not_lost(drawn: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    body, shown = open_page(shown=0), version()
    real = tables.load

    def load(table_id: TableId) -> Any:
        loaded = real(table_id)
        monkeypatch.setattr(tables, "load", real)
        guess()
        return loaded

    monkeypatch.setattr(tables, "load", load)
    assert read_until(body, f"step {shown + 1}") == [f"whole {shown}", f"step {shown + 1}"]


@pytest.mark.db
def test_a_step_of_another_process_is_shown_when_it_is_told(drawn: list[Any], played: FakeClock) -> None:
    body = open_page()
    read(body)
    made = guess_elsewhere(played)
    bus.deliver(tables.topic(M1), bus.TableStepped(M1, made, ()))
    assert data(read(body)) == [f"step {made}"]


@pytest.mark.db
def test_a_step_that_nobody_told_of_is_found(drawn: list[Any], played: FakeClock) -> None:
    body = open_page()
    read(body)
    made = guess_elsewhere(played)
    if database.is_sqlite():
        tables.load(M1)
    hub.look_for_missed_steps()
    assert data(read(body)) == [f"whole {made}"]


def missed() -> float:
    return figures.MISSED_STEPS.collect()[0].samples[0].value


@pytest.mark.db
def test_a_step_that_is_told_of_a_moment_after_its_commit_was_not_missed(
    drawn: list[Any], played: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = open_page()
    read(body)
    made, before = guess_elsewhere(played), missed()
    if database.is_sqlite():
        tables.load(M1)
    monkeypatch.setattr(hub, "_let_others_tell", lambda: bus.deliver(tables.topic(M1), bus.TableStepped(M1, made, ())))
    hub.look_for_missed_steps()
    assert data(read(body)) == [f"step {made}"]
    assert missed() == before


@pytest.mark.db
def test_the_version_that_a_page_opens_with_was_not_missed(drawn: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_let_others_tell", lambda: pytest.fail("something was thought to be late"))
    read(open_page())
    hub.look_for_missed_steps()
    read(open_page(BO, shown=0))
    hub.look_for_missed_steps()


@pytest.mark.db
def test_the_version_that_several_pages_open_with_at_once_was_not_missed(drawn: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_let_others_tell", lambda: pytest.fail("something was thought to be late"))
    pages = [open_page(), open_page(BO)]
    for page in pages:
        hub.open_stream(page.stream)
    for page in pages:
        hub.catch_up(page.stream)
    hub.look_for_missed_steps()


@pytest.mark.db
def test_a_page_that_opens_with_an_older_version_than_another_is_not_left_behind(drawn: list[Any], played: FakeClock) -> None:
    """Both opened before a step, and the one that read its version earlier is told of the step all the same."""
    early, late = open_page(), open_page(BO)
    read(early)
    made = guess_elsewhere(played)
    read(late)
    bus.deliver(tables.topic(M1), bus.TableStepped(M1, made, ()))
    assert data(read(early)) == [f"step {made}"]


@pytest.mark.db
def test_steps_told_in_the_wrong_order_are_shown_once_and_never_backwards(drawn: list[Any], played: FakeClock) -> None:
    body = open_page()
    read(body)
    first = guess_elsewhere(played)
    second = guess_elsewhere(played, "8765")
    for one in (second, first, second):
        bus.deliver(tables.topic(M1), bus.TableStepped(M1, one, ()))
    assert data(read(body)) == [f"whole {second}"]
    third = guess("7654")
    assert data(read(body)) == [f"step {third}"]


def tell_of_guess(number: int, version: int) -> None:
    """What another process tells of the guess with that number, from 0, of a round of two."""
    events = (GuessMarked(1, number + 1, SeatNo(number % 2)), TurnStarted(number + 2, SeatNo((number + 1) % 2)))
    bus.deliver(tables.topic(M1), bus.TableStepped(M1, version, events))


@pytest.mark.db
@pytest.mark.parametrize("is_late", [False, True])
def test_steps_of_another_process_that_came_faster_than_they_were_drawn_are_shown_as_one(played: FakeClock, is_late: bool) -> None:
    """Not as a whole new screen: the first was still being looked up when the second was made."""
    body = open_page(BO)
    read(body)
    made = [guess_elsewhere(played, digits) for digits in ("9876", "8765", "7654")]
    for number in range(3):
        tell_of_guess(number, made[number])
        if is_late and number == 0:
            until(lambda: hub._rooms[M1]._news is not None)
    text = read(body)
    assert re.findall(r"^id: (\d+)$", text, re.MULTILINE) == [str(made[-1])]
    assert text.count('<li class="guess"') == 3
    assert 'hx-target="#table"' not in text
    assert "Your turn. Guess 4 of 10." in text
    assert text.count("is guessing.</p><p data-say") == 0


@pytest.mark.db
def test_a_step_that_cannot_be_joined_waits_for_no_other(played: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[Room] = []
    monkeypatch.setattr(Room, "_wait_for_news", lambda room: waited.append(room))
    body = open_page(BO)
    read(body)
    made = [guess_elsewhere(played, digits) for digits in ("9876", "8765")]
    bus.deliver(tables.topic(M1), bus.TableStepped(M1, made[0], (SeatAway(SeatNo(0)),)))
    text = read(body)
    assert f"id: {made[-1]}\n" in text
    assert 'hx-target="#table"' in text
    assert waited == []


@pytest.mark.db
@pytest.mark.parametrize("heard", [(0, 2), (0,), (0, 1)])
def test_steps_of_which_one_was_not_heard_of_are_shown_whole(played: FakeClock, heard: tuple[int, ...]) -> None:
    body = open_page(BO)
    read(body)
    made = [guess_elsewhere(played, digits) for digits in ("9876", "8765", "7654")]
    for number in heard:
        tell_of_guess(number, made[number])
    text = read(body)
    assert f"id: {made[-1]}\n" in text
    assert 'hx-target="#table"' in text


@pytest.mark.db
def test_a_slow_page_loses_its_queue_and_is_brought_up_to_date_anew(drawn: list[Any], played: FakeClock) -> None:
    body = open_page()
    read(body)
    last = 0
    for _ in range(streams.QUEUE_MOST):
        for command in (Disconnect(ADA, played.now_ms), Connect(ADA)):
            outcome = tables.dispatch(M1, command)
            assert isinstance(outcome, tables.Accepted)
            last = outcome.version
    until(lambda: body.stream.is_behind)
    assert read_until(body, f"whole {last}")[-1] == f"whole {last}"
    made = guess()
    assert data(read(body)) == [f"step {made}"]


def test_a_step_that_cannot_be_drawn_is_shown_whole(drawn: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    body = open_page()
    read(body)
    monkeypatch.setattr(fragments, "step", lambda *_: 1 / 0)
    made = guess()
    assert data(read(body)) == [f"whole {made}"]


def test_nobody_watches_a_table_at_which_they_hold_no_seat() -> None:
    assert hub.new_stream(STRANGER, "t", {"table": M1}, 0) is None
    assert hub.new_stream(ADA, "t", {"table": "nowhere"}, 0) is None


def test_messages_to_an_account_reach_all_its_pages_and_no_others() -> None:
    ada, other, bo = open_page(ADA), open_page(ADA), open_page(BO)
    for page in (ada, other, bo):
        read(page)
    bus.publish(f"account:{ADA}", bus.Navigate("/match/x"))
    for page in (ada, other):
        assert read(page) == "event: navigate\ndata: /match/x\n\n"
    hub.beat([bo.stream])
    assert read(bo) == streams.BEAT


def test_a_message_cannot_break_out_of_its_line() -> None:
    assert streams.named("navigate", "/a\nevent: signed-out\rx") == "event: navigate\ndata: /a event: signed-out x\n\n"
    assert streams.html("a\r\nb\nid: 9") == "data: a\ndata: b\ndata: id: 9\n\n"


def test_a_session_that_ends_ends_its_streams_and_only_those() -> None:
    mine, kept = open_page(ADA, token_hash="old"), open_page(ADA, token_hash="new")
    read(mine)
    read(kept)
    bus.publish("sessions", bus.SessionEnded("old", "replaced"))
    assert read(mine) == "event: signed-out\ndata: replaced\n\n"
    with pytest.raises(StopIteration):
        next(mine)
    assert hub.all_streams() == [kept.stream]


def test_a_session_whose_end_nobody_told_of_ends_at_the_next_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    body = open_page()
    read(body)
    monkeypatch.setattr(sessions, "alive_among", lambda _hashes: frozenset())
    hub.beat([body.stream])
    assert "signed-out" in read(body)
    with pytest.raises(StopIteration):
        next(body)


def test_a_beat_goes_on_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    body = open_page()
    read(body)
    monkeypatch.setattr(sessions, "alive_among", lambda _hashes: 1 / 0)
    hub.beat([body.stream])
    assert read(body) == streams.BEAT


def test_a_page_that_takes_nothing_for_a_minute_is_cut(played: FakeClock) -> None:
    body = open_page()
    read(body)
    body.stream.put("x")
    played.advance(streams.STUCK_MS)
    body.stream.beat()
    assert not body.stream.is_ended
    played.advance(1)
    body.stream.beat()
    with pytest.raises(StopIteration):
        next(body)


def test_at_the_end_of_the_process_every_stream_ends_with_a_hint(app: Flask) -> None:
    pages = [open_page(ADA), open_page(BO)]
    for page in pages:
        read(page)
    hub.stop()
    for page in pages:
        assert re.fullmatch(r"retry: \d+\n\n", read(page))
        with pytest.raises(StopIteration):
            next(page)
    assert hub.all_streams() == []
    with pytest.raises(hub.Closing):
        open_page()
    hub.start(app)


def test_a_body_that_is_never_read_opens_nothing() -> None:
    open_page().close()
    assert hub.all_streams() == []


def test_a_page_that_goes_is_forgotten_with_its_room() -> None:
    body = open_page()
    read(body)
    body.close()
    body.close()
    assert hub.all_streams() == []
    assert hub._rooms == {}
    assert tables.topic(M1) not in bus._subscribers


def test_what_a_page_may_have_missed_is_asked_after_the_stream_listens() -> None:
    asked: list[Any] = []

    def missed(viewer: Any, query: Any) -> list[Any]:
        asked.append((viewer, dict(query), len(hub.all_streams())))
        return [bus.Navigate("/match/y")]

    hub.on_open(missed)
    body = hub.new_stream(ADA, "t", {"page": "home"}, 0)
    assert body is not None
    assert data(read(body)) == ["/match/y"]
    assert asked == [(ADA, {"page": "home"}, 1)]
    bus.gap()
    assert data(read(body)) == ["/match/y"]


def test_a_search_page_is_led_on_once_whoever_notices_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second word would break off the loading of the page that it leads to."""
    monkeypatch.setattr(hub.play, "searching", lambda _accounts: frozenset())
    body = hub.new_stream(ADA, "t", {"page": hub.SEARCH}, 0)
    assert body is not None
    body.stream.is_behind = False
    read(body)
    hub.look_for_ended_searches()
    assert data(read(body)) == ["/play"]
    bus.publish(f"account:{ADA}", bus.Navigate("/match/y"))
    hub.look_for_ended_searches()
    bus.publish(f"account:{ADA}", bus.Announce("warn", "the only word"))
    assert "navigate" not in read(body)


def test_a_changed_line_is_drawn_for_those_who_wait_in_it_and_for_those_who_wait_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """R3.1."""
    duo, trio = (Group(MatchType.CASUAL, Difficulty.STANDARD, players) for players in (2, 3))
    monkeypatch.setattr(hub.play, "searching", lambda accounts: {ADA: duo, BO: trio} if set(accounts) == {ADA, BO, STRANGER} else {})
    shown: list[Any] = []
    monkeypatch.setattr(hub.notices, "draw", lambda _message, viewer: str(shown.append(viewer)))
    for viewer in (ADA, BO, STRANGER):
        body = hub.new_stream(viewer, "t", {"page": hub.SEARCH}, 0)
        assert body is not None
        read(body)
    shown.clear()
    bus.publish(f"search:{duo}", bus.SearchChanged())
    gevent.idle()
    assert shown == [ADA, STRANGER]


def test_a_page_that_says_it_closes_ends_its_own_stream_only() -> None:
    mine, other = open_page(ADA, tab="one"), open_page(ADA, tab="two")
    read(mine)
    read(other)
    hub.left(BO, "one")
    hub.left(ADA, "")
    assert len(hub.all_streams()) == 2
    hub.left(ADA, "one")
    with pytest.raises(StopIteration):
        next(mine)
    assert hub.all_streams() == [other.stream]


@pytest.mark.db
def test_the_real_fragments_reach_both_players() -> None:
    pages = [open_page(ADA), open_page(BO)]
    for page in pages:
        read(page)
    guess("9876")
    for page in pages:
        text = read(page)
        assert "<hx-partial" in text
        assert "9876" in re.sub(r"<[^>]*>|\s", "", text)
