"""What the stream pushes of a duel: no secret before the end, no trace of places in totals only, and pieces that add up to a fresh load."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from guessio.engine import duel
from guessio.engine.duel.state import DuelState
from guessio.live import fragments
from guessio.rules import feedback
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, SecretRule, TableKind
from guessio.services import duel_lag, duel_rematch
from guessio.services.duel_views import RematchState, RematchView
from tests.engine.duel.table import ANN, BEN, STRANGER, Duel
from tests.kit import page
from tests.kit.page import Element

pytestmark = pytest.mark.usefixtures("templates")
PEOPLE = (ANN, BEN)
SHELL = '<main id="main"><div id="message"></div><div id="table"></div></main><i id="cue"></i><div id="toasts"></div><div id="news"></div>'
TOTALS = DuelFormat.TOTALS_ONLY


@pytest.fixture(autouse=True)
def open_rematch(monkeypatch: pytest.MonkeyPatch) -> None:
    """How things stand with a rematch is asked of the database, which there is none of here."""
    stands = RematchView(RematchState.OPEN, "Ben", "/duel/d1/rematch")
    monkeypatch.setattr(duel_rematch, "look", lambda _state, viewer: replace(stands, opponent_name="Ben" if viewer == ANN else "Ann"))


def pushed(table: Duel, viewer: AccountId, state: DuelState | None = None) -> str:
    return fragments.step(TableKind.DUEL, state or table.state, table.events, 7, table.now_ms, {})(viewer)


def whole(table: Duel, viewer: AccountId, state: DuelState | None = None) -> str:
    return fragments.whole(TableKind.DUEL, state or table.state, viewer, 7, table.now_ms)


def blank(table: Duel, viewer: AccountId) -> Element:
    """A page that has just been loaded."""
    document = page.parse(SHELL)
    assert page.update(document, whole(table, viewer)) == []
    return document


def number(chance: random.Random, table: Duel) -> str:
    digits = "0123456789"
    length = table.state.agreement.length
    if table.state.agreement.secret_rule is SecretRule.ALL_DIFFERENT:
        return "".join(chance.sample(digits, length))
    return "".join(chance.choice(digits[:7]) for _ in range(length))


def wander(seed: int, **terms: object) -> Iterator[Duel]:
    """A duel played at random; each yield is one step of it, with what it brought in `events`."""
    chance = random.Random(seed)
    settings: dict[str, object] = {
        "length": chance.choice([4, 5]),
        "rule": chance.choice(list(SecretRule)),
        "form": chance.choice(list(DuelFormat)),
        "bots": chance.choice([(), (), (1,)]),
        "first": chance.randrange(2),
        "at_ms": 1_000_000,
    }
    table = Duel(**(settings | terms))  # pyright: ignore[reportArgumentType]
    yield table
    while not duel.is_over(table.state):
        table.wait(table.now_ms + chance.choice([40, 900, 2_500, 4_000]))
        if table.events:
            yield table
        if duel.is_over(table.state):
            return
        actor = chance.choice(PEOPLE)
        match chance.choice(["secret", "guess", "guess", "guess", "guess", "leave", "back", "resign"]):
            case "secret":
                table.secret(actor, number(chance, table), table.now_ms)
            case "guess":
                table.guess(actor, number(chance, table), table.now_ms)
            case "leave":
                table.leaves(actor, table.now_ms)
            case "back":
                table.returns(actor, table.now_ms)
            case _ if chance.random() < 0.05:
                table.resign(actor, table.now_ms)
            case _:
                continue
        if table.events:
            yield table


# --- nothing is told that is not the viewer's to know ------------------------------------------------------------------------


def with_another_secret(state: DuelState, viewer: int, chance: random.Random) -> DuelState | None:
    """The same duel with another secret of the opponent, which answers every guess of `viewer` alike."""
    rival = state.seats[1 - viewer]
    if rival.secret is None:
        return None
    guesses = [guess.digits for guess in state.guesses if guess.seat == viewer]
    in_totals = state.agreement.format is TOTALS

    def answers(secret: str) -> list[object]:
        marked = [feedback.marks(secret, guess) for guess in guesses]
        return [feedback.totals(marks) for marks in marked] if in_totals else list(marked)

    wanted = answers(rival.secret)
    for _ in range(4_000):
        other = "".join(chance.choice("0123456789") for _ in rival.secret)
        if other != rival.secret and answers(other) == wanted:
            changed = replace(rival, secret=other)
            seats = (state.seats[0], changed) if viewer == 0 else (changed, state.seats[1])
            return replace(state, seats=seats)
    return None


def compare_bytes(seeds: range, **terms: object) -> tuple[int, int]:
    """Draw random duels beside ones with another secret: how often, and how often their guesses were marked in other places."""
    compared = elsewhere = 0
    for seed in seeds:
        chance = random.Random(seed)
        for table in wander(seed, **terms):
            for seat, viewer in enumerate(PEOPLE):
                other = None if duel.is_over(table.state) else with_another_secret(table.state, seat, chance)
                if other is not None:
                    assert whole(table, viewer) == whole(table, viewer, other)
                    assert pushed(table, viewer) == pushed(table, viewer, other)
                    compared += 1
                    elsewhere += marks_of(table.state, seat) != marks_of(other, seat)
    return compared, elsewhere


def marks_of(state: DuelState, seat: int) -> list[object]:
    secret = state.seats[1 - seat].secret or ""
    return [feedback.marks(secret, guess.digits) for guess in state.guesses if guess.seat == seat]


def test_another_secret_gives_the_very_same_bytes() -> None:
    """R17.6: before the end the opponent's secret leaves no trace in any byte but by its answers, in whole random duels."""
    compared, _ = compare_bytes(range(12))
    assert compared > 50


def test_totals_only_shows_no_place_in_any_byte() -> None:
    """R17.3: duels whose guesses have the same totals, though in other places, give the very same bytes."""
    _, elsewhere = compare_bytes(range(40, 50), form=TOTALS)
    assert elsewhere > 20


def test_both_secrets_are_shown_at_the_end() -> None:
    """R17.6."""
    table = Duel().ready("0417", "9935")
    table.guess(ANN, "9930")
    table.resign(BEN)
    for viewer in PEOPLE:
        labels = {element.get("aria-label") for element in page.parse(pushed(table, viewer)).all(cls="tiles")}
        assert labels >= ({"Your secret was 0 4 1 7", "Their secret was 9 9 3 5"} if viewer == ANN else {"Your secret was 9 9 3 5"})


def marks_outside_counts(document: Element) -> list[Element]:
    return [
        element
        for element in document.all(attribute="data-mark")
        if element.parent is not None and "count" not in element.parent.classes and element.parent.parent is not None
        if element.parent.parent.id != "legend"
    ]


@pytest.mark.parametrize("seed", range(6))
def test_totals_only_marks_nothing_but_its_two_counts(seed: int) -> None:
    """R17.3: no mark on a digit or key, and the two counts in one fixed order, to the end and after it."""
    for table in wander(seed, form=TOTALS):
        for viewer in PEOPLE:
            for html in (whole(table, viewer), pushed(table, viewer)):
                document = page.parse(html)
                assert marks_outside_counts(document) == []
                for row in document.all("li", cls="guess"):
                    assert [mark.get("data-mark") for mark in row.all(attribute="data-mark")] == ["right", "elsewhere"]
                    assert {name for element in row.walk() for name in element.attributes} <= {
                        *("class", "id", "role", "aria-label", "data-mark", "data-own", "data-new"),
                    }
            assert "#key-" not in pushed(table, viewer)


def test_a_stranger_gets_nothing() -> None:
    table = Duel().ready()
    table.guess(ANN, "0000")
    assert (pushed(table, STRANGER), whole(table, STRANGER)) == ("", "")


def test_the_others_guesses_never_colour_a_key() -> None:
    table = Duel().ready("1234", "5678")
    table.guess(ANN, "5000")
    table.guess(BEN, "1111")
    assert "#key-" not in pushed(table, ANN)
    document = blank(table, ANN)
    coloured = {key.get("value"): key.get("data-mark") for key in document.all(cls="key") if key.has("data-mark")}
    assert coloured == {"5": "right", "0": "absent"}


# --- small pieces add up to the whole ----------------------------------------------------------------------------------------

KEPT = ("seat-0", "seat-1", "board-0", "board-1", "aim-0", "aim-1", "pad-turn", *(f"key-{digit}" for digit in range(10)), "rematch")
LOCAL = frozenset(("disabled", "data-new", "data-low", "data-low-at", "data-say-at", "data-say-text", "data-remaining"))


def picture(element: Element | None) -> object:
    if element is None:
        return None
    children = [child.strip() if isinstance(child, str) else picture(child) for child in element.children]
    if element.has("data-remaining"):
        children = []  # a running clock shows what the page counts
    attributes = {name: value for name, value in element.attributes.items() if name not in LOCAL}
    return element.tag, attributes, [child for child in children if child]


@pytest.mark.parametrize("seed", range(20, 32))
def test_steps_bring_a_page_to_where_a_fresh_load_stands(seed: int) -> None:
    """R5.2, requirement 25."""
    documents: dict[AccountId, Element] = {}
    for table in wander(seed):
        for viewer in PEOPLE:
            if viewer not in documents:
                documents[viewer] = blank(table, viewer)
                continue
            document = documents[viewer]
            assert page.update(document, pushed(table, viewer)) == []
            fresh = blank(table, viewer)
            for name in KEPT:
                assert picture(document.by_id(name)) == picture(fresh.by_id(name)), f"#{name} of {viewer} after {table.events}"
            phases = [one.get("data-phase") for one in (document.by_id("table"), fresh.by_id("table")) if one is not None]
            assert phases == [table.state.phase] * 2


def test_a_guess_pushes_neither_the_entry_nor_a_board() -> None:
    """Requirement 27: what is typed survives."""
    table = Duel().ready()
    table.guess(ANN, "5786")
    for viewer, keys in ((ANN, ["#key-5", "#key-6", "#key-7", "#key-8"]), (BEN, [])):
        targets = [piece.get("hx-target") for piece in page.parse(pushed(table, viewer)).all("hx-partial")]
        assert targets == ["#board-0", "#seat-0", "#seat-1", "#pad-turn", "#lag", *keys, "#news", "#cue"]
        assert len(pushed(table, viewer)) < 4_000


def test_the_opponent_becoming_ready_leaves_what_one_types() -> None:
    """R17.5: only the other's clock changes on a page that is still choosing."""
    table = Duel()
    table.secret(BEN, "5678")
    targets = [piece.get("hx-target") for piece in page.parse(pushed(table, ANN)).all("hx-partial")]
    assert targets == ["#seat-1", "#news"]
    table = Duel()
    table.leaves(BEN)
    table.wait(table.now_ms + 3_000)
    targets = [piece.get("hx-target") for piece in page.parse(pushed(table, ANN)).all("hx-partial")]
    assert targets == ["#seat-1", "#news"]
    assert "0:57 away" in page.parse(pushed(table, ANN)).text


def test_every_id_stands_once_and_every_piece_has_one_root() -> None:
    for table in wander(3):
        for viewer in PEOPLE:
            ids = [element.id for element in blank(table, viewer).walk() if element.id]
            assert len(ids) == len(set(ids))
            for piece in page.parse(pushed(table, viewer)).all("hx-partial"):
                roots = [child for child in piece.children if isinstance(child, Element)]
                if piece.get("hx-target") != "#news":
                    assert len(roots) == 1
                if piece.get("hx-swap").startswith("outer"):
                    assert f"#{roots[0].id}" == piece.get("hx-target")


# --- what the pieces say -----------------------------------------------------------------------------------------------------


def said(table: Duel, viewer: AccountId) -> list[tuple[str, str]]:
    return [(one.get("data-say"), one.text) for one in page.parse(pushed(table, viewer)).all(attribute="data-say")]


def test_each_sentence_is_said_once() -> None:
    """Requirement 51: parts carry no live region of their own."""
    table = Duel(clock_ms=180_000).ready("1234", "5678")
    assert said(table, ANN) == [("assertive", "Your turn. 2 minutes 59 seconds left.")]
    table.guess(ANN, "5786")
    assert said(table, ANN) == [
        ("polite", "Guess 1: 5 right place, 7 elsewhere, 8 elsewhere, 6 elsewhere."),
        ("polite", "Ben is guessing."),
    ]
    assert said(table, BEN)[0][1] == "Ann guessed 5 7 8 6: 5 right place, 7 elsewhere, 8 elsewhere, 6 elsewhere."
    assert not page.parse(whole(table, ANN)).all(attribute="aria-live")


def test_totals_are_said_as_totals() -> None:
    table = Duel(form=TOTALS).ready("1234", "5678")
    table.guess(ANN, "5786")
    assert said(table, ANN)[0] == ("polite", "Guess 1: 1 in place, 3 elsewhere.")
    assert said(table, BEN)[0] == ("polite", "Ann guessed 5 7 8 6: 1 in place, 3 elsewhere.")


def test_only_running_clocks_count_and_say_so_without_colour() -> None:
    """R17.5."""
    table = Duel(clock_ms=180_000)
    for seat in (0, 1):
        shown = blank(table, ANN).by_id(f"seat-{seat}")
        assert shown is not None
        assert shown.has("data-turn")
        assert "choosing" in shown.text
    table.ready()
    running, standing = (blank(table, ANN).by_id(f"seat-{seat}") for seat in (0, 1))
    assert running is not None
    assert standing is not None
    assert ("your turn" in running.text, "clock stands" in standing.text) == (True, True)
    assert (running.get("aria-current"), standing.get("aria-current")) == ("true", "")
    assert running.all("time", attribute="data-remaining")
    assert not standing.all("time", attribute="data-remaining")


def test_a_turn_brings_the_stamp_from_which_the_delay_is_measured() -> None:
    """R17.5: to the player on the move alone."""
    table = Duel().ready()
    table.guess(ANN, "5786")
    lag = {viewer: page.parse(pushed(table, viewer)).by_id("lag") for viewer in PEOPLE}
    assert lag[ANN] is not None
    assert lag[BEN] is not None
    assert not lag[ANN].has("data-sent")
    assert (lag[BEN].get("data-turn"), lag[BEN].get("data-seen")) == ("2", "/duel/d1/seen")
    assert duel_lag.measure(table.state, BEN, 2, lag[BEN].get("data-sent"), table.now_ms + 80) is not None


@pytest.mark.parametrize(
    ("left_ms", "text", "is_low", "is_said"),
    [(41_000, "0:41", False, True), (20_001, "0:21", False, True), (20_000, "0:20", True, False), (9_400, "9.4", True, False)],
)
def test_a_low_clock_is_shown_with_tenths_and_announced_once(left_ms: int, text: str, is_low: bool, is_said: bool) -> None:
    table = Duel().ready()
    table.wait(table.now_ms + 59_000 - left_ms)
    seat = blank(table, ANN).by_id("seat-0")
    assert seat is not None
    clock = seat.first("time", attribute="role")
    assert clock is not None
    assert (clock.text, seat.has("data-low"), clock.has("data-say-text")) == (text, is_low, is_said)


def test_a_name_is_text_everywhere() -> None:
    """Requirement 42."""
    wild = "<b>&amp;'\"</b>"
    table = Duel().ready()
    table.state = replace(table.state, seats=(table.state.seats[0], replace(table.state.seats[1], name=wild, username="ben")))
    shown = whole(table, ANN)
    table.guess(ANN, "0000")
    shown += pushed(table, ANN)
    table.resign(ANN)
    shown += pushed(table, ANN)
    assert "<b>&amp;'" not in shown
    assert wild in page.parse(pushed(table, ANN)).text


@pytest.mark.parametrize(
    ("end", "winner", "loser"),
    [
        ("cracked", "You broke Ben’s secret with guess 1.", "Ann broke your secret with guess 1."),
        ("resign", "Ben resigned.", "You resigned."),
        ("flag", "Ben’s clock ran out.", "Your clock ran out."),
        ("away", "Ben was away for 60 seconds.", "You were away for 60 seconds."),
    ],
)
def test_the_end_is_told_to_each(end: str, winner: str, loser: str) -> None:
    """R17.6."""
    table = Duel(clock_ms=300_000).ready("1234", "5678")
    if end == "cracked":
        table.guess(ANN, "5678")
    elif end == "resign":
        table.resign(BEN)
    else:
        table.guess(ANN, "0000")
        if end == "away":
            table.leaves(BEN)
            table.wait(table.now_ms + 3_000)
            table.wait(table.now_ms + 57_000)
        else:
            table.wait(table.now_ms + 298_000)
    assert table.state.phase is DuelPhase.OVER
    for viewer, headline, text in ((ANN, "You won", winner), (BEN, "Ann won", loser)):
        shown = page.parse(pushed(table, viewer)).by_id("table")
        assert shown is not None
        assert shown.get("data-title") == f"{headline} · duel"
        assert text in shown.text
        assert said(table, viewer)[-1][1].startswith(f"{headline}. {text}")


def test_the_one_draw_shows_no_secret_because_there_is_none() -> None:
    """R17.5."""
    table = Duel()
    table.wait(table.now_ms + 60_000)
    for viewer in PEOPLE:
        text = page.parse(pushed(table, viewer)).text
        assert "A draw" in text
        assert text.count("none chosen") == 2


def test_a_secret_is_shown_to_its_owner_alone_while_it_holds() -> None:
    table = Duel().ready("0417", "9935")
    assert "0417" in whole(table, ANN)
    assert "0417" not in whole(table, BEN)
