"""What the stream pushes of a match: nothing that its viewer may not know, and in small pieces the same as a fresh load shows."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from flask import Flask

from guessio.engine.match.events import MatchEvent
from guessio.engine.match.state import MatchState
from guessio.live import fragments
from guessio.rules import tunables
from guessio.rules.terms import AccountId, Difficulty, MatchPhase, MatchType, Skill, TableKind
from tests.kit import page
from tests.kit.actors import Play
from tests.kit.builders import account
from tests.kit.page import Element
from tests.kit.wanderer import another_code, wander

pytestmark = pytest.mark.usefixtures("templates")
RUNNING = (MatchPhase.PICKING, MatchPhase.COUNTDOWN, MatchPhase.TURN)
HASH = re.compile(r"\b[0-9a-f]{64}\b")
STRANGER = AccountId(999)
SHELL = '<main id="main"><div id="table"></div></main><i id="cue"></i><div id="toasts"></div><div id="news"></div>'


def pushed(play: Play | Shown, seat: int) -> str:
    return fragments.step(TableKind.MATCH, play.state, play.events, 7, play.now_ms, {})(account(seat))


def whole(play: Play | Shown, seat: int) -> str:
    return fragments.whole(TableKind.MATCH, play.state, account(seat), 7, play.now_ms)


def blank(play: Play | Shown, seat: int) -> Element:
    """A page that has just been loaded."""
    document = page.parse(SHELL)
    assert page.update(document, whole(play, seat)) == []
    return document


def seats(play: Play | Shown) -> range:
    return range(len(play.state.seats))


# --- nothing is told that is not the viewer's to know ------------------------------------------------------------------------


def with_other_secrets(state: MatchState, seat: int, chance: random.Random) -> MatchState | None:
    """The same match with other secrets, which `seat` cannot tell from the real ones by what the rules let it know."""
    running = state.rounds and state.rounds[-1].end is None
    other = another_code(state, seat, chance) if running else None
    if running and other is None:
        return None
    public = len(state.rounds) - (1 if running else 0)
    length = len(state.deal.codes[0])
    codes = list(state.deal.codes)
    for number in range(public, len(codes)):
        codes[number] = other if other and number == public else "".join(chance.sample("0123456789", length))
    nonces = [nonce if number < public else f"{chance.getrandbits(128):032x}" for number, nonce in enumerate(state.deal.nonces)]
    deal = replace(state.deal, codes=tuple(codes), nonces=tuple(nonces), seed="0f" * 32)
    seats = tuple(
        one if number == seat or one.skill is None or one.skill_disclosed else replace(one, skill=chance.choice(tuple(Skill)))
        for number, one in enumerate(state.seats)
    )
    return replace(state, deal=deal, seats=seats)


@pytest.mark.parametrize("seed", range(6))
def test_other_secrets_give_the_very_same_bytes(seed: int) -> None:
    """R1.2, R1.7, R6: code, nonce, others' marks and hidden skills leave no trace in any byte, for any viewer, in a whole random match."""
    chance = random.Random(seed)
    compared = 0
    for play in wander(seed):
        if play.state.end is not None:
            break
        for seat in seats(play):
            other = with_other_secrets(play.state, seat, chance)
            if other is None:
                continue
            for draw in (fragments.whole, None):
                real, told = (
                    (
                        fragments.step(TableKind.MATCH, state, play.events, 7, play.now_ms, {})(account(seat))
                        if draw is None
                        else draw(TableKind.MATCH, state, account(seat), 7, play.now_ms)
                    )
                    for state in (play.state, other)
                )
                assert HASH.sub("#", real) == HASH.sub("#", told)
                compared += 1
    assert compared > 10


def test_a_stranger_gets_nothing() -> None:
    play = Play.in_round(2)
    play.guess()
    assert fragments.step(TableKind.MATCH, play.state, play.events, 7, play.now_ms, {})(STRANGER) == ""
    assert fragments.whole(TableKind.MATCH, play.state, STRANGER, 2, play.now_ms) == ""


def test_only_the_guesser_sees_marks() -> None:
    """R1.7."""
    play = Play.in_round(2)
    play.guess("1358")
    assert "right place" in pushed(play, 0)
    others = pushed(play, 1)
    assert "data-mark" not in others
    assert "right place" not in others
    assert "Ada guessed 1 3 5 8." in others


def test_hardcore_tells_no_place() -> None:
    """R1.7, requirement 2."""
    play = Play.in_round(2, difficulty=Difficulty.HARDCORE)
    play.guess("1358")
    own = pushed(play, 0) + whole(play, 0)
    assert 'data-mark="present"' in own
    assert "right place" not in own
    assert "elsewhere" not in own


def test_xray_shows_the_watcher_marks_and_tells_the_watched_no_name() -> None:
    """R6.2."""
    play = Play.holding(Skill.XRAY, Skill.REVEAL, Skill.REVEAL)
    play.use(1)
    assert "monitored" in pushed(play, 1)
    assert "Ada" not in page.parse(pushed(play, 1)).text
    assert pushed(play, 2) == ""
    play.guess()
    play.guess("13579")
    assert "data-xray" in pushed(play, 0)
    assert "data-mark" not in pushed(play, 2)


def test_a_revealed_place_is_its_own_players_alone() -> None:
    """R6.2."""
    play = Play.holding(Skill.REVEAL, Skill.REVEAL)
    play.use()
    assert "Place 1 is 1." in pushed(play, 0)
    document = page.parse(pushed(play, 1))
    assert document.by_id("pad-known") is None
    assert "Ada used Reveal Position." in document.text


# --- small pieces add up to the whole ----------------------------------------------------------------------------------------


KEPT = ("board", "seats", "used", "watched", "pad-turn", "pad-known", *(f"key-{digit}" for digit in range(10)))
FOR_OWN_TURN = ("pad-skill", "skill")
# What a page changes itself: which keys are open, what has only just come, and how far a clock has run.
LOCAL = frozenset(("disabled", "data-new", "data-low", "data-remaining", "stroke-dasharray"))


def picture(element: Element | None) -> object:
    if element is None:
        return None
    children = [child.strip() if isinstance(child, str) else picture(child) for child in element.children if element.tag != "time"]
    attributes = {name: value for name, value in element.attributes.items() if name not in LOCAL}
    return element.tag, attributes, [child for child in children if child]


@dataclass(frozen=True)
class Shown:
    """What a page is shown at once: what happened, and the state that it led to."""

    state: MatchState
    events: tuple[MatchEvent, ...]
    now_ms: int


def one_by_one(seed: int) -> Iterator[Shown]:
    """A random match, step by step."""
    for play in wander(seed):
        yield Shown(play.state, play.events, play.now_ms)


def in_bursts(seed: int) -> Iterator[Shown]:
    """A random match, in which now and then several steps are shown as one."""
    chance = random.Random(seed)
    held: Shown | None = None
    for step in one_by_one(seed):
        events = step.events
        if held is not None and fragments.can_join(TableKind.MATCH, held.events + events):
            events = held.events + events
        elif held is not None:
            yield held
        held = replace(step, events=events)
        if not fragments.can_join(TableKind.MATCH, events) or chance.random() < 0.3:
            yield held
            held = None


@pytest.mark.parametrize("seed", range(100, 105))
@pytest.mark.parametrize("told", [one_by_one, in_bursts])
def test_steps_bring_a_page_to_where_a_fresh_load_stands(told: Callable[[int], Iterator[Shown]], seed: int) -> None:
    """R5.2, requirement 25."""
    documents: dict[int, Element] = {}
    for step in told(seed):
        for seat in seats(step):
            document = documents.get(seat)
            if document is None:
                documents[seat] = blank(step, seat)
                continue
            assert page.update(document, pushed(step, seat)) == []
            fresh = blank(step, seat)
            own_turn = step.state.turn is not None and step.state.turn.seat == seat
            names = KEPT + (FOR_OWN_TURN if own_turn else ())
            for name in names:
                assert picture(document.by_id(name)) == picture(fresh.by_id(name)), f"#{name} of seat {seat} after {step.events}"
            shown, due = document.by_id("inactivity"), fresh.by_id("inactivity")
            assert (shown is None or shown.has("hidden")) == (due is None or due.has("hidden"))


def test_a_guess_pushes_neither_the_entry_nor_the_board() -> None:
    """Requirement 27."""
    play = Play.in_round(2)
    play.guess("1358")
    for seat in (0, 1):
        targets = [piece.get("hx-target") for piece in page.parse(pushed(play, seat)).all("hx-partial")]
        assert not {"#table", "#board", "#pad", "#guess", "#slots"} & set(targets)
        assert len(pushed(play, seat)) < 5_000
        assert 'id="guess"' not in pushed(play, seat)


def test_only_keys_that_the_guess_tells_about_are_pushed() -> None:
    play = Play.in_round(2)
    play.guess("1358")
    keys = [piece.get("hx-target") for piece in page.parse(pushed(play, 0)).all("hx-partial") if "key" in piece.get("hx-target")]
    assert keys == ["#key-1", "#key-3", "#key-5", "#key-8"]


def test_a_key_that_shows_it_already_is_not_pushed_again() -> None:
    play = Play.in_round(2)
    play.guess("1358")
    play.guess("1358")
    play.guess("1539")
    keys = [piece.get("hx-target") for piece in page.parse(pushed(play, 0)).all("hx-partial") if "key" in piece.get("hx-target")]
    assert keys == ["#key-3", "#key-9"]


def test_every_id_stands_once_and_every_piece_has_one_root() -> None:
    for play in wander(7):
        for seat in seats(play):
            document = blank(play, seat)
            ids = [element.id for element in document.walk() if element.id]
            assert len(ids) == len(set(ids))
            for piece in page.parse(pushed(play, seat)).all("hx-partial"):
                roots = [child for child in piece.children if isinstance(child, Element)]
                if piece.get("hx-target") not in ("#news", "#board-end"):
                    assert len(roots) == 1
                if piece.get("hx-swap").startswith("outer"):
                    assert f"#{roots[0].id}" == piece.get("hx-target")


def test_each_sentence_is_said_once() -> None:
    """Requirement 51: parts carry no live region of their own."""
    play = Play.in_round(2)
    play.guess("1358")
    said = page.parse(pushed(play, 1)).all(attribute="data-say")
    assert [one.text for one in said] == ["Ada guessed 1 3 5 8.", "Your turn. Guess 2 of 10. 30 seconds."]
    assert [one.get("data-say") for one in said] == ["polite", "assertive"]
    assert not page.parse(whole(play, 1)).all(attribute="aria-live")


def test_a_turn_carries_what_is_left_of_it() -> None:
    """Requirement 8."""
    play = Play.in_round(2)
    play.wait(12_000)
    ring = next(element for element in blank(play, 0).all("circle", attribute="data-remaining"))
    assert (ring.get("data-remaining"), ring.get("data-total")) == ("18000", "30000")


def test_a_bot_shows_no_clock_and_its_label() -> None:
    """R1.5, R3.3."""
    play = Play.in_round(2, bots=(1,))
    play.guess()
    strip = page.parse(pushed(play, 0)).by_id("seat-1")
    assert strip is not None
    assert not strip.all(attribute="data-remaining")
    assert "bot" in strip.text


def test_a_name_is_text_everywhere() -> None:
    """Requirement 42."""
    play = Play.holding(Skill.FREEZE, Skill.XRAY)
    wild = "<b>&amp;'\"</b>"
    play.state = replace(play.state, seats=(play.seat(0), replace(play.seat(1), name=wild)))
    play.guess()
    shown = pushed(play, 0) + whole(play, 0)
    assert "<b>&amp;'" not in shown
    assert wild in page.parse(pushed(play, 0)).text


def test_who_left_looks_on() -> None:
    """R7.5."""
    play = Play.in_round(3)
    play.forfeit(0)
    document = blank(play, 0)
    assert page.update(document, pushed(play, 0)) == []
    assert document.by_id("guess") is None
    assert "You left this match" in document.text
    play.guess()
    assert page.update(document, pushed(play, 0)) == []
    assert "98765" in document.text.replace(" ", "")


def test_an_absence_in_the_pause_is_pushed_to_no_place_that_is_not_there() -> None:
    play = Play.in_round(2)
    play.crack()
    assert play.state.phase is MatchPhase.PAUSE
    document = blank(play, 0)
    play.vanish(1)
    play.wait(tunables.AWAY_UNSEEN_MS)
    assert play.state.phase is MatchPhase.PAUSE
    assert play.events
    assert page.update(document, pushed(play, 0)) == []


def test_the_end_leads_to_the_results() -> None:
    play = Play.in_round(2)
    play.forfeit(1)
    play.wait(3_000)
    table = page.parse(pushed(play, 0)).by_id("table")
    assert table is not None
    assert table.get("data-go") == "/match/m1/results"


@pytest.mark.parametrize("phase", RUNNING)
def test_each_screen_stands_by_itself(phase: MatchPhase, templates: Flask) -> None:
    """Every fragment of the running screens renders for the stream: without a request, a session or a form token."""
    shown = {play.state.phase: blank(play, 0) for play in wander(3)}
    table = shown[phase].by_id("table")
    assert table is not None
    assert table.get("data-phase") == phase
    assert "csrf_token" not in {field.get("name") for field in shown[phase].all("input")}


def test_the_time_for_a_pick_is_told_while_a_bot_picks() -> None:
    """R6.1; a bot has no clock of its own to take it from."""
    play = Play.of(2, skills=(Skill.FREEZE, Skill.XRAY), bots=(0,))
    picking = blank(play, 1).by_id("picking")
    assert picking is not None
    assert f"{tunables.PICK_MS // 1000} seconds each" in picking.text
    assert not picking.all("progress"), "and nothing seems to run out"


@pytest.mark.parametrize("phase", list(RUNNING))
def test_a_page_can_count_down_its_kept_seat(phase: MatchPhase) -> None:
    """R7.1: the page that lost its connection knows by itself how long the seat is kept; who has left keeps none."""
    play = Play.of(3, skills=(Skill.FREEZE,) * 3)
    while play.state.phase is not phase:
        play.to_deadline()
    tables = [blank(play, seat).by_id("table") for seat in (1, 2)]
    play.forfeit(2)
    tables.append(blank(play, 2).by_id("table"))
    assert [table and table.get("data-grace") for table in tables] == [str(tunables.AWAY_GRACE_MS)] * 2 + [""]


@pytest.mark.parametrize(("type", "cost"), [(MatchType.RANKED, True), (MatchType.CASUAL, False)])
def test_what_a_forfeit_costs_is_said_before(type: MatchType, cost: bool) -> None:
    """R7.5."""
    asked = blank(Play.in_round(2, type=type), 0).by_id("forfeit")
    assert asked is not None
    assert (f"costs {-tunables.QUIT_RATING} rating" in asked.text) == cost
