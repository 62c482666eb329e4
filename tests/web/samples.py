"""Views with something in every field, for templates that are rendered without a server behind them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from guessio.live import duel_screen
from guessio.rules.terms import (
    AccountId,
    Difficulty,
    DuelEnd,
    DuelFormat,
    EngagementKind,
    LeaveReason,
    Mark,
    MatchEnd,
    MatchType,
    Outcome,
    RoundEnd,
    SeatNo,
    SecretRule,
    Skill,
    TableId,
)
from guessio.services import details, duel_history, duel_lobby, duel_record, duel_terms, history, home, paging, play, profiles, replay
from guessio.services.achievements import AchievementsPage, Badge, ProgressCard
from guessio.services.duel_views import RematchState, RematchView
from guessio.services.people import Person
from guessio.services.play import Group
from tests.engine.duel.table import ANN, BEN, Duel

HOUR_MS = 3_600_000
ME = SimpleNamespace(account_id=AccountId(1), username="mira_k", display_name="Mira K.", avatar_url="")
MIRA = Person(AccountId(1), "mira_k", "Mira K.", "https://lh3.googleusercontent.com/a/mira", False)
NOVA = Person(AccountId(2), "nova_7", "<b>Nova</b> & co", "", False)
TESSEL = Person(AccountId(3), "tessel", "Tessel", "", True)
LONG = Person(AccountId(4), "a_very_long_username_indeed_30", "A call sign of thirty letters.", "", True)

WIN = history.HistoryEntry(
    match=TableId("m1"),
    url="/matches/m1",
    outcome=Outcome.WIN,
    forfeited=False,
    opponents=(NOVA,),
    type=MatchType.RANKED,
    difficulty=Difficulty.STANDARD,
    players=2,
    own_rounds=2,
    best_rounds=0,
    rating_change=18,
    ago_ms=12 * 60_000,
    ended_at="2026-11-30T10:00:00Z",
)
ENTRIES = (
    WIN,
    replace(WIN, outcome=Outcome.LOSS, forfeited=True, opponents=(NOVA, TESSEL, LONG), players=4, rating_change=-30, ago_ms=HOUR_MS),
    replace(WIN, outcome=Outcome.DRAW, type=MatchType.CASUAL, difficulty=Difficulty.HARDCORE, rating_change=None, ago_ms=30 * HOUR_MS),
    replace(WIN, outcome=Outcome.CANCELLED, rating_change=0, ago_ms=900 * HOUR_MS),
)

BADGES = (
    Badge("welcome", "Welcome to guessIo", "Play your first match.", True, "Mar 2026", False, 0, 0),
    Badge("speedster", "Speedster", "Win a round in under a minute.", True, "Nov 2026", True, 0, 0),
    Badge("centurion", "Centurion", "Play 100 matches.", False, "", False, 72, 100),
    Badge("sharp_guesser", "Sharp Guesser", "Crack a code with your only guess.", False, "", False, 0, 0),
)
CARD = ProgressCard(2, 16, BADGES[2])

HOME = home.HomePage(
    me=MIRA,
    points=184,
    rating=1268,
    rank=34,
    ranked_missing=0,
    played=212,
    win_rate=58,
    legends=tuple(home.Legend(place, person, 1700 - place, person is MIRA) for place, person in enumerate((NOVA, TESSEL, MIRA), 1)),
    resets_in_ms=75 * HOUR_MS,
    recent=ENTRIES[:3],
    return_to=None,
    warned_of_quitting=False,
)
NEW_HOME = replace(HOME, points=1, rating=0, rank=None, ranked_missing=3, played=0, win_rate=0, legends=(), recent=())
AGAIN = {"is_first_visit": False}
IN_MATCH = home.ReturnBar(EngagementKind.MATCH, "/match/m1", "/match/m1/forfeit", MatchType.RANKED, Difficulty.HARDCORE, 4, True)
IN_SEARCH = home.ReturnBar(EngagementKind.SEARCH, "/search", "", MatchType.CASUAL, Difficulty.STANDARD, 2, False)

PLAY = play.PlayPage(
    chosen=Group(MatchType.RANKED, Difficulty.STANDARD, 2),
    sizes=tuple(play.SizeOption(players, players + 2, 5 * players, 0.5 + players / 4) for players in (2, 3, 4)),
    win_points={Difficulty.STANDARD: 3, Difficulty.HARDCORE: 5},
    ranked_closed=False,
)
CLOSED = replace(PLAY, chosen=Group(MatchType.CASUAL, Difficulty.HARDCORE, 4), ranked_closed=True)
SEARCH = play.SearchView(
    type=MatchType.RANKED,
    difficulty=Difficulty.HARDCORE,
    players=4,
    seats=(play.SeatTaken(MIRA, 1268, True), play.SeatTaken(TESSEL, None, False)),
    open_seats=2,
    waited_ms=7_400,
    next_fill_ms=2_000,
)

NONCE = "9f2c1e0a7b5d4c3e8f6a1b2c3d4e5f60"
MARKS = (Mark.RIGHT, Mark.ELSEWHERE, Mark.ABSENT, Mark.PRESENT)


def finished_round(number: int, end: RoundEnd, code: str, winner: SeatNo | None) -> details.RoundShown:
    """A round with one guess, whose fingerprint is the true one."""
    return details.RoundShown(
        number=number,
        end=end,
        code=code,
        nonce=NONCE,
        commitment=hashlib.sha256(f"{code}:{NONCE}".encode()).hexdigest(),
        winner=winner,
        winner_name="" if winner is None else "nova_7",
        is_own_win=False,
        duration_ms=102_000,
        guesses=(details.GuessShown(1, SeatNo(1), "nova_7", False, "0714", MARKS, 8_200),),
    )


KIND = replay.ReplayKind
STEPS: tuple[dict[str, Any], ...] = (
    {"kind": KIND.ROUND, "at_ms": 5_000},
    {
        "kind": KIND.GUESS,
        "at_ms": 9_000,
        "seat": SeatNo(0),
        "name": "mira_k",
        "is_own": True,
        "number": 1,
        "digits": "0714",
        "marks": MARKS,
    },
    {"kind": KIND.SKIP, "at_ms": 40_000, "seat": SeatNo(1), "name": "nova_7"},
    {"kind": KIND.FROZEN, "at_ms": 41_000, "seat": SeatNo(1), "name": "nova_7", "other_name": "mira_k"},
    {"kind": KIND.LEFT, "at_ms": 50_000, "seat": SeatNo(1), "name": "nova_7", "reason": LeaveReason.TIMED_OUT},
    {"kind": KIND.CODE, "at_ms": 50_000, "name": "", "digits": "0759"},
)
DETAILS = details.MatchDetails(
    entry=WIN,
    end=MatchEnd.FORFEIT,
    started_at="2026-11-30T10:00:00Z",
    date="30 November 2026, 10:00 UTC",
    duration_ms=312_000,
    participants=(
        details.Participant(SeatNo(0), MIRA, True, Outcome.WIN, True, False, 2, 7, 1250, 1268, 18, 3),
        details.Participant(SeatNo(1), NOVA, False, Outcome.LOSS, False, True, 0, 6, None, None, None, None),
    ),
    rounds=(
        finished_round(1, RoundEnd.CRACKED, "0759", SeatNo(1)),
        finished_round(2, RoundEnd.LIMIT, "3856", None),
        finished_round(3, RoundEnd.AWARDED, "1835", SeatNo(1)),
    ),
    skills=(details.SkillShown(SeatNo(0), "mira_k", Skill.FREEZE, True), details.SkillShown(SeatNo(1), "nova_7", Skill.XRAY, False)),
    total_guesses=13,
    replay=tuple(replay.ReplayStep(index=index, round=1, **step) for index, step in enumerate(STEPS)),
)

PROFILE = profiles.ProfileView(
    person=MIRA,
    is_own=True,
    joined="March 2026",
    rating=1268,
    points=184,
    played=212,
    won=123,
    drawn=21,
    lost=65,
    rounds_won=287,
    turns_skipped=14,
    win_rate=58,
    top_rank=4,
    card=CARD,
    badges=BADGES,
    recent=ENTRIES,
    duels=(),
)
THEIRS = replace(PROFILE, person=NOVA, is_own=False, top_rank=None, badges=BADGES[:2], recent=())

TERMS = duel_terms.Terms(5, 4, SecretRule.REPEATS, DuelFormat.PER_POSITION)
TOTALS = duel_terms.Terms(1, 5, SecretRule.ALL_DIFFERENT, DuelFormat.TOTALS_ONLY)
LOBBY = duel_lobby.LobbyPage(
    rows=(
        duel_lobby.OfferRow("o1", NOVA, TERMS, 7_400, "/duels/offer/o1/take"),
        duel_lobby.OfferRow("o2", LONG, TOTALS, 61_000, "/duels/offer/o2/take"),
    ),
    total=2,
    own=None,
    filter=duel_terms.Filter(),
    choices=duel_terms.choices(),
    chosen=duel_terms.USUAL,
    query="",
)
WAITING = replace(LOBBY, own=duel_lobby.OwnOffer("o3", TOTALS, True, 12_000, "/duels/offer/o3"), rows=(), total=0)
NARROWED = replace(LOBBY, rows=LOBBY.rows[:1], filter=duel_terms.Filter(minutes=5, length=4), query="clock=5&length=4")
OFFER = duel_lobby.OfferPage("o1", NOVA, TERMS, is_own=False, is_gone=False, waited_ms=7_400, take_url="/duels/offer/o1/take")
GONE = duel_lobby.OfferPage("o1", None, None, is_own=False, is_gone=True, waited_ms=0, take_url="")

DUEL_ENTRY = duel_history.DuelEntry(
    duel=TableId("d1"),
    url="/duels/history/d1",
    outcome=Outcome.WIN,
    end=DuelEnd.CRACKED,
    opponent=NOVA,
    terms=TERMS,
    own_guesses=5,
    their_guesses=4,
    ago_ms=12 * 60_000,
    ended_at="2026-11-30T10:00:00Z",
)
DUEL_ENTRIES = (
    DUEL_ENTRY,
    replace(DUEL_ENTRY, outcome=Outcome.LOSS, end=DuelEnd.FLAG, opponent=TESSEL, terms=TOTALS),
    replace(DUEL_ENTRY, outcome=Outcome.DRAW, end=DuelEnd.DRAW_NO_SECRETS, opponent=LONG, own_guesses=0, their_guesses=0),
)
DUELS = paging.Page(
    entries=DUEL_ENTRIES, filter=duel_history.DuelFilter.ALL, filters=tuple(duel_history.DuelFilter), page=2, newer=1, older=3
)
NO_DUELS = replace(DUELS, entries=(), page=1, newer=None, older=None)


def duel_record_of(entry: duel_history.DuelEntry, *, in_totals: bool = False, has_secrets: bool = True) -> duel_record.DuelRecord:
    """A record with one guess of each player, or of nobody."""
    is_win = entry.outcome is Outcome.WIN
    marked = {"marks": None, "exact": 1, "misplaced": 2} if in_totals else {"marks": MARKS, "exact": None, "misplaced": None}
    moves = tuple(
        duel_record.DuelMove(
            index=index, seat=SeatNo(index), name=name, is_own=index == 0, number=1, digits="0714", at_ms=9_000, took_ms=3_400,
            credited_ms=120 * index, left_ms=296_600, **marked,
        )
        for index, name in enumerate(("Mira K.", NOVA.name))
    )  # fmt: skip
    sides = tuple(
        duel_record.DuelSide(
            seat=SeatNo(seat), person=person, is_own=seat == 0, outcome=entry.outcome, is_winner=is_win and seat == 0,
            secret=("0417", "9935")[seat] if has_secrets else "", guesses=1, used_ms=62_000, left_ms=238_000, credited_ms=120 * seat,
            went_first=seat == 0,
        )
        for seat, person in enumerate((MIRA, NOVA))
    )  # fmt: skip
    return duel_record.DuelRecord(
        entry=entry,
        started_at="2026-11-30T10:00:00Z",
        date="30 November 2026, 10:00 UTC",
        duration_ms=312_000,
        sides=(sides[0], sides[1]),
        moves=moves if has_secrets else (),
        winner_name="Mira K." if is_win else "",
    )


def duel_context(table: Duel, **more: Any) -> dict[str, Any]:
    """What the page of a duel and all its fragments are given, for Ann."""
    return {"version": 3, "record_url": "", "was_away": False, **duel_screen.context(table.view(ANN), "token", **more)}


def a_duel(guesses: int = 0, **terms: Any) -> Duel:
    """A duel in which both have guessed that often."""
    table = Duel(clock_ms=300_000, **terms).ready("0417", "9935")
    for number in range(2 * guesses):
        table.guess((ANN, BEN)[number % 2], "1590")
    return table


def ended(table: Duel) -> Duel:
    """The same, resigned by Ben."""
    assert table.resign(BEN) is None
    return table


DUEL = duel_context(a_duel(2))
IN_TOTALS = duel_context(a_duel(1, form=DuelFormat.TOTALS_ONLY))
CHOOSING = duel_context(Duel(clock_ms=300_000), refused="This takes 4 digits.", typed="041")
OVER = duel_context(ended(a_duel(1)))
SEAT = {"seat": DUEL["lanes"][1][1]}
LANE = {**DUEL, "seat": DUEL["lanes"][1][1], "rows": DUEL["lanes"][1][0].rows, "is_own": False}
ROW = {"row": DUEL["lanes"][0][0].rows[0], "is_own": True, "is_new": True, "label": "1 right place"}
REMATCHES = {state: RematchView(state, NOVA.name, "/duel/d1/rematch") for state in RematchState}

ERROR = {"status": 404, "title": "Nothing here", "text": "It may have moved.", "action_label": "Home", "action_url": "/", "request_id": ""}
LINE = {"text": "Use <each> digit once.", "tone": "bad", "action_label": "Load again", "action_url": "/play", "place": "guess-message"}
NAME = {"username": "Mira K", "problem": "Lowercase letters only.", "shortest": 3, "longest": 30, "minutes": 15}
PAUSED = {"is_banned": False, "reason": "Left ranked matches", "until_ms": 1_795_000_000_000, "username": "mira_k"}

# name -> template, whether somebody is signed in, context
SAMPLES: dict[str, tuple[str, bool, dict[str, Any]]] = {
    "home": ("pages/home/home.html", True, {"page": HOME, "is_first_visit": False}),
    "home of a newcomer": ("pages/home/home.html", True, {"page": NEW_HOME, "is_first_visit": True}),
    "home in a match": ("pages/home/home.html", True, {"page": replace(HOME, return_to=IN_MATCH, warned_of_quitting=True), **AGAIN}),
    "home in a search": ("pages/home/home.html", True, {"page": replace(HOME, return_to=IN_SEARCH), **AGAIN}),
    "welcome tip": ("fragments/home/welcome_tip.html", True, {}),
    "return bar": ("fragments/home/return_bar.html", True, {"page": replace(HOME, return_to=IN_SEARCH)}),
    "abandon": ("fragments/home/abandon_dialog.html", True, {"page": replace(HOME, return_to=IN_MATCH)}),
    "play": ("pages/play/play.html", True, {"page": PLAY}),
    "play, ranked closed": ("pages/play/play.html", True, {"page": CLOSED}),
    "search": ("pages/play/search.html", True, {"search": SEARCH}),
    "seats": ("fragments/play/search_seats.html", True, {"search": SEARCH}),
    "matches": (
        "pages/history/matches.html",
        True,
        {"page": paging.Page(ENTRIES, history.HistoryFilter.ALL, tuple(history.HistoryFilter), 2, 1, 3)},
    ),
    "no matches": (
        "pages/history/matches.html",
        True,
        {"page": paging.Page((), history.HistoryFilter.ALL, tuple(history.HistoryFilter), 1, None, None)},
    ),
    "no wins": (
        "pages/history/matches.html",
        True,
        {"page": paging.Page((), history.HistoryFilter.WINS, tuple(history.HistoryFilter), 1, None, None)},
    ),
    "details": ("pages/history/details.html", True, {"details": DETAILS}),
    "round": ("fragments/history/round.html", True, {"round": DETAILS.rounds[0]}),
    "replay": ("fragments/history/replay.html", True, {"details": DETAILS}),
    "own profile": ("pages/profile/profile.html", True, {"profile": PROFILE}),
    "own profile with duels": ("pages/profile/profile.html", True, {"profile": replace(PROFILE, duels=DUEL_ENTRIES)}),
    "another's profile": ("pages/profile/profile.html", True, {"profile": THEIRS}),
    "a profile for a guest": ("pages/profile/profile.html", False, {"profile": THEIRS}),
    "achievements": ("pages/achievements/achievements.html", True, {"page": AchievementsPage(CARD, BADGES, True)}),
    "welcome": ("pages/accounts/welcome.html", False, {"notice": ""}),
    "welcome after a session": ("pages/accounts/welcome.html", False, {"notice": "You are signed out."}),
    "sign in": ("pages/accounts/sign_in.html", False, {"next": "/play", "problem": ""}),
    "sign in again": ("pages/accounts/sign_in.html", False, {"next": "/", "problem": "Sign-in was cancelled."}),
    "username": ("pages/accounts/username.html", False, NAME),
    "paused": ("pages/accounts/suspended.html", True, PAUSED),
    "closed": ("pages/accounts/suspended.html", True, {**PAUSED, "is_banned": True, "reason": "", "until_ms": None}),
    "not found": ("errors/error.html", False, ERROR),
    "crash": ("errors/error.html", True, {**ERROR, "status": 500, "request_id": "ab12cd34ef56", "action_url": "/play"}),
    "message": ("fragments/errors/message.html", True, LINE),
    "line": ("fragments/errors/line.html", True, {**LINE, "action_url": ""}),
    "connection": ("fragments/live/connection.html", True, {}),
    "replay bar": ("fragments/history/replay_bar.html", True, {"steps": 4}),
    "duels": ("pages/duel/lobby.html", True, {"page": LOBBY}),
    "duels, waiting": ("pages/duel/lobby.html", True, {"page": WAITING}),
    "duels, narrowed": ("pages/duel/lobby.html", True, {"page": NARROWED}),
    "offers": ("fragments/duel/offers.html", True, {"page": replace(LOBBY, own=WAITING.own), "csrf": "token"}),
    "an offer": ("pages/duel/offer.html", True, {"offer": OFFER}),
    "an offer of one's own": ("pages/duel/offer.html", True, {"offer": replace(OFFER, is_own=True)}),
    "an offer that is gone": ("fragments/duel/offer.html", True, {"offer": GONE, "csrf": "token"}),
    "how duels work": ("fragments/duel/how.html", True, {}),
    "duel history": ("pages/duel/history.html", True, {"page": DUELS}),
    "no duels": ("pages/duel/history.html", True, {"page": NO_DUELS}),
    "no won duels": ("pages/duel/history.html", True, {"page": replace(NO_DUELS, filter=duel_history.DuelFilter.WINS)}),
    "duel record": ("pages/duel/record.html", True, {"record": duel_record_of(DUEL_ENTRY)}),
    "duel record in totals": ("pages/duel/record.html", True, {"record": duel_record_of(DUEL_ENTRIES[1], in_totals=True)}),
    "duel record of a draw": ("pages/duel/record.html", True, {"record": duel_record_of(DUEL_ENTRIES[2], has_secrets=False)}),
    "duel replay": ("fragments/duel/replay.html", True, {"record": duel_record_of(DUEL_ENTRY)}),
    "duel": ("pages/duel/duel.html", True, DUEL),
    "duel in totals": ("pages/duel/duel.html", True, IN_TOTALS),
    "duel, choosing": ("pages/duel/duel.html", True, CHOOSING),
    "duel, over": ("pages/duel/duel.html", True, OVER),
    "duel table": ("fragments/duel/table.html", True, DUEL),
    **{
        f"duel {name}": (f"fragments/duel/{name}.html", True, context)
        for name, context in {
            "agreement": DUEL,
            "choosing": CHOOSING,
            "lag": DUEL | {"sent": "1.ab"},
            "lane": LANE,
            "legend": DUEL,
            "over": OVER,
            "pad": DUEL,
            "playing": DUEL,
            "resign": DUEL,
            "row": ROW,
            "seat": SEAT,
            "secret_pad": CHOOSING,
            "topbar": DUEL,
        }.items()
    },
    **{f"rematch {state}": ("fragments/duel/rematch.html", True, {"rematch": view, "csrf": "token"}) for state, view in REMATCHES.items()},
    "marks": ("fragments/board/marks.html", True, ROW),
    "switches": ("fragments/board/switches.html", True, {}),
}
