"""Topics in one process, and messages on their way to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gevent
import psycopg
import pytest
from sqlalchemy.engine import make_url

from guessio import bus, figures
from guessio.bus import wire
from guessio.bus.postgres import RETRY_FIRST_S, Transport
from guessio.engine.duel import events as duel_events
from guessio.engine.match import events
from guessio.rules.terms import LeaveReason, MatchEnd, SeatNo, Skill, TableId
from tests.kit import postgres

STEP = bus.TableStepped(
    TableId("m1"),
    7,
    (
        events.GuessMarked(1, 3, SeatNo(0)),
        events.SkillUsed(SeatNo(1), Skill.FREEZE, SeatNo(0)),
        events.SeatLeft(SeatNo(1), LeaveReason.QUIT),
        events.MatchEnded(MatchEnd.FORFEIT),
    ),
)


@pytest.fixture(autouse=True)
def known() -> None:
    bus.know(events.MatchEvent)


def test_messages_reach_the_subscribers_of_their_topic_in_order() -> None:
    got: list[Any] = []
    unsubscribe = bus.subscribe("account:1", lambda topic, message: got.append((topic, message)))
    bus.publish("account:1", bus.Navigate("/a"))
    bus.publish("account:2", bus.Navigate("/other"))
    bus.publish("account:1", bus.Navigate("/b"))
    unsubscribe()
    bus.publish("account:1", bus.Navigate("/c"))
    assert got == [("account:1", bus.Navigate("/a")), ("account:1", bus.Navigate("/b"))]


def test_a_subscriber_that_fails_does_not_keep_the_message_from_the_others() -> None:
    got: list[Any] = []
    stop = [bus.subscribe("t", lambda *_: 1 / 0), bus.subscribe("t", lambda _topic, message: got.append(message))]
    bus.publish("t", bus.SearchChanged())
    for one in stop:
        one()
    assert got == [bus.SearchChanged()]


@pytest.mark.parametrize(
    "message",
    [
        STEP,
        bus.TableStepped(TableId("m1"), 8, None),
        bus.TablesWatched("you", (TableId("m1"), TableId("m2")), is_new=True, asks=False),
        bus.TablesLeft("you", ()),
        bus.Navigate("/match/x?a=“1”"),
        bus.SignedOut("replaced"),
        bus.SearchChanged(),
        bus.DuelsChanged(),
        bus.RematchChanged(TableId("d1")),
        bus.Announce("warn", "Füße"),
        bus.AchievementUnlocked(("first", "second")),
        bus.SessionEnded("ab" * 32, "replaced"),
        bus.RequestsCounted("0123456789abcdef", 29_000_000, 60),
    ],
)
def test_what_travels_arrives_as_it_was(message: Any) -> None:
    payload = wire.bundle("me", [wire.encode("topic:1", message)])
    assert (wire.origin_of(payload), wire.unbundle(payload)) == ("me", [("topic:1", message)])


def test_every_event_of_a_match_can_travel() -> None:
    assert {wire.name_of(form) for form in events.MatchEvent.__args__} <= set(wire._events)


def test_events_of_two_games_that_share_a_name_arrive_as_their_own() -> None:
    bus.know(duel_events.DuelEvent)
    steps = [
        bus.TableStepped(TableId("m1"), 7, (events.TurnStarted(4, SeatNo(1)),)),
        bus.TableStepped(TableId("d1"), 3, (duel_events.TurnStarted(4, SeatNo(1)), duel_events.GuessMarked(3, SeatNo(0)))),
    ]
    payload = wire.bundle("me", [wire.encode("t", step) for step in steps])
    assert [message for _, message in wire.unbundle(payload)] == steps
    assert type(steps[0].events[0]) is not type(steps[1].events[0])  # type: ignore[index]


def test_a_step_too_long_for_the_bus_travels_without_its_events() -> None:
    long = bus.TableStepped(TableId("m1"), 7, STEP.events * 200 if STEP.events else None)
    text = wire.encode("table:m1", long)
    assert len(text) <= wire.PART_MOST
    assert wire.unbundle(wire.bundle("me", [text]))[0][1] == bus.TableStepped(TableId("m1"), 7, None)


def test_what_a_newer_version_sends_is_left_out_or_shown_whole() -> None:
    parts = ['["t","Unheard",{},null]', '["table:m1","TableStepped",{"table_id":"m1","version":9,"events":null},[["Unheard",{}]]]']
    assert wire.unbundle(wire.bundle("you", parts)) == [("table:m1", bus.TableStepped(TableId("m1"), 9, None))]


Pair = tuple[Transport, Transport, list[Any], list[str]]


@pytest.fixture
def url() -> Iterator[str]:
    address = postgres.fresh()
    yield address
    postgres.drop(address)


@pytest.fixture
def pair(url: str) -> Iterator[Pair]:
    got: list[Any] = []
    gaps: list[str] = []
    here = Transport(url, lambda *_: got.append("echo"), lambda: gaps.append("here"))
    there = Transport(url, lambda topic, message: got.append((topic, message)), lambda: gaps.append("there"))
    for one in (here, there):
        one.receive(0)
    yield here, there, got, gaps
    here.stop()
    there.stop()


def receive(transport: Transport, got: list[Any], count: int) -> None:
    until(lambda: transport.receive(0.2) >= 0 and len(got) >= count)


def until(condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
    raise AssertionError("it never came to pass")


@pytest.mark.db
def test_other_processes_hear_in_order_and_the_sender_hears_no_echo(pair: Pair) -> None:
    here, there, got, gaps = pair
    for number in range(300):
        here.send("table:m1", bus.TableStepped(TableId("m1"), number, STEP.events))
    here.flush()
    receive(there, got, 300)
    here.receive(0.1)
    assert [message.version for _, message in got] == list(range(300))
    assert got[0] == ("table:m1", bus.TableStepped(TableId("m1"), 0, STEP.events))
    assert gaps == ["here", "there"]


@pytest.mark.db
def test_what_is_meant_for_some_reaches_them_alone_and_in_order(pair: Pair, url: str) -> None:
    here, there, got, _ = pair
    others: list[Any] = []
    third = Transport(url, lambda _topic, message: others.append(message), lambda: None)
    third.receive(0)
    for number in range(200):
        here.send("table:m1", bus.TableStepped(TableId("m1"), number, STEP.events), (there.name,))
        here.send("account:1", bus.Navigate(f"/{number}\N{SNOWMAN}" * 40))
    here.send("table:m1", bus.TableStepped(TableId("m1"), 200, None), (there.name, third.name))
    here.flush()
    receive(there, got, 401)
    assert [message.version for _, message in got if isinstance(message, bus.TableStepped)] == list(range(201))
    until(lambda: third.receive(0.2) >= 0 and len(others) >= 201)
    assert [message.version for message in others if isinstance(message, bus.TableStepped)] == [200]
    assert len([message for message in others if isinstance(message, bus.Navigate)]) == 200
    third.stop()


@pytest.mark.db
def test_whoever_was_cut_off_is_deaf_until_it_listens_again(pair: Pair, url: str) -> None:
    here, _, _, _ = pair
    assert not here.is_deaf()
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guessio listen'")
    with pytest.raises(psycopg.Error):
        here.receive(1)
    assert here.is_deaf()
    here.receive(0)
    assert not here.is_deaf()


@pytest.mark.db
def test_after_each_outage_the_attempts_to_listen_begin_with_a_short_pause(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often the connection was lost before."""
    pauses: list[float] = []
    listening = Transport(url, lambda *_: None, lambda: None)
    real, outages = listening.receive, iter(range(6))

    def receive() -> int:
        if next(outages, None) is None:
            raise KeyboardInterrupt
        listening._close_listener()
        raise psycopg.OperationalError

    monkeypatch.setattr(listening, "receive", receive)
    monkeypatch.setattr(gevent, "sleep", pauses.append)
    with pytest.raises(KeyboardInterrupt):
        listening._again_and_again(listening._receive_next)
    assert pauses == [RETRY_FIRST_S] * 6
    assert real(0) == 0
    listening.stop()


@pytest.mark.db
def test_a_cut_connection_comes_back_and_tells_of_the_gap(pair: Pair, url: str) -> None:
    here, there, got, gaps = pair
    here.send("t", bus.SearchChanged())
    here.flush()
    receive(there, got, 1)
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'guessio %'")
    with pytest.raises(psycopg.Error):
        there.receive(1)
    here.send("t", bus.Navigate("/b"))
    with pytest.raises(psycopg.Error):
        here.flush()
    there.receive(0)
    assert gaps == ["here", "there", "there"]
    here.flush()
    receive(there, got, 2)
    assert got[-1] == ("t", bus.Navigate("/b"))


@pytest.mark.db
def test_ones_own_notifications_tell_how_long_they_took(pair: Pair) -> None:
    here, there, got, _ = pair

    def heard() -> tuple[float, float]:
        samples = {one.name: one.value for one in figures.BUS_LAG.collect()[0].samples}
        return samples["guessio_bus_lag_seconds_count"], samples["guessio_bus_lag_seconds_sum"]

    before = heard()
    here.send("t", bus.SearchChanged())
    assert here.waiting() == 1
    here.flush()
    assert here.waiting() == 0
    receive(there, got, 1)
    assert heard() == before
    until(lambda: here.receive(0.2) == 0 and heard()[0] == before[0] + 1)
    assert 0 <= heard()[1] - before[1] < 30
