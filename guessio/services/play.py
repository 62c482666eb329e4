"""The page on which a match is chosen, and the one on which its players are waited for (R3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine.machine import Rejected
from guessio.rules import tunables
from guessio.rules.terms import AccountId, Difficulty, EngagementKind, MatchType, Refusal, TableId
from guessio.services import engaged, matchmaking, week
from guessio.services.people import Person
from guessio.store import database, people, ratings, searches
from guessio.store.searches import Group, Search

__all__ = [
    "Rejected",
    "GROUPS",
    "Group",
    "PlayPage",
    "SearchView",
    "SeatTaken",
    "SizeOption",
    "catch_up",
    "choice",
    "find",
    "offer",
    "searching",
]

TYPES = (MatchType.CASUAL, MatchType.RANKED)
GROUPS = tuple(
    Group(kind, difficulty, players)
    for kind in TYPES
    for difficulty in Difficulty
    for players in range(tunables.PLAYERS_MIN, tunables.PLAYERS_MAX + 1)
)


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat that is filled so far. `rating` is this week's; None in Casual, where it plays no part."""

    person: Person
    rating: int | None
    is_own: bool


@dataclass(frozen=True, slots=True)
class SearchView:
    """One waiting player's search: who sits, what is open, how long it has lasted.

    `seats` holds the people and bots seated so far, the oldest first, always the viewer among them; `open_seats` is the number
    missing. `waited_ms` is the viewer's own waiting time; `next_fill_ms` says when a bot takes the next seat (R3.2).
    """

    type: MatchType
    difficulty: Difficulty
    players: int
    seats: tuple[SeatTaken, ...]
    open_seats: int
    waited_ms: int
    next_fill_ms: int


@dataclass(frozen=True, slots=True)
class SizeOption:
    """One number of players and what follows from it (R1.1, R9.2)."""

    players: int
    digits: int
    guesses: int
    multiplier: float


@dataclass(frozen=True, slots=True)
class PlayPage:
    """The form for a new match: what is chosen beforehand, what each choice means, and whether Ranked is closed (R9.5)."""

    chosen: Group
    sizes: tuple[SizeOption, ...]
    win_points: dict[Difficulty, int]
    ranked_closed: bool


def choice(kind: str, difficulty: str, players: str) -> Group | Rejected:
    """The group that a form's three choices name. Refusals: BAD_CHOICE."""
    for group in GROUPS:
        if (group.type, group.difficulty, str(group.players)) == (kind, difficulty, players):
            return group
    return Rejected(Refusal.BAD_CHOICE)


def offer(kind: str = "", difficulty: str = "", players: str = "") -> PlayPage:
    """The form for a new match, with these choices made where they are good ones."""
    closed = week.is_closed(clock.now_ms())
    wanted = choice(kind or MatchType.RANKED, difficulty or Difficulty.STANDARD, players or str(tunables.PLAYERS_MIN))
    chosen = Group(MatchType.RANKED, Difficulty.STANDARD, tunables.PLAYERS_MIN) if isinstance(wanted, Rejected) else wanted
    return PlayPage(
        chosen=replace(chosen, type=MatchType.CASUAL) if closed else chosen,
        sizes=tuple(
            SizeOption(seats, length, tunables.GUESS_LIMIT[seats], tunables.RATING_MULTIPLIER[seats])
            for seats, length in tunables.CODE_LENGTH.items()
        ),
        win_points=dict(tunables.WIN_POINTS),
        ranked_closed=closed,
    )


def find(actor: AccountId) -> SearchView | TableId | None:
    """The actor's search as its page shows it, or the table that it has led to, or None without either."""
    now = clock.now_ms()
    with database.read() as conn:
        own = searches.find(conn, actor)
        shown = None if own is None else view(conn, own, now)
    if shown is not None:
        return shown
    bound = engaged.current(actor)
    return TableId(bound.ref) if bound is not None and bound.kind is EngagementKind.MATCH else None


def catch_up(actor: AccountId, query: Mapping[str, str]) -> tuple[bus.Message, ...]:
    """What a search page may have missed before its stream opened: that it leads to a match, or nowhere any more."""
    if query.get("page") != "search":
        return ()
    found = find(actor)
    if found is None:
        return (bus.Navigate("/play"),)
    return (bus.SearchChanged(),) if isinstance(found, SearchView) else (bus.Navigate(f"/match/{found}"),)


def searching(accounts: Iterable[AccountId]) -> dict[AccountId, Group]:
    """Those of the accounts that wait in a line, each with its group."""
    wanted = tuple(accounts)
    if not wanted:
        return {}
    with database.read() as conn:
        return searches.among(conn, wanted)


def view(conn: Connection, own: Search, now_ms: int) -> SearchView | None:
    """The search of one waiting player, who is always among those shown; None when another process has just ended it."""
    group = own.group
    line = searches.waiting(conn, group)
    if all(search.account != own.account for search in line):
        return None
    kept = searches.fills(conn, group)
    front = [search.account for search in line[: group.players]]
    if own.account not in front:
        front[-1] = own.account
    seated = (front + list(kept.bots))[: group.players]
    known = people.load(conn, seated)
    standings = ratings.of(conn, week.key(now_ms), seated) if group.type is MatchType.RANKED else {}
    return SearchView(
        type=group.type,
        difficulty=group.difficulty,
        players=group.players,
        seats=tuple(
            SeatTaken(known[account], standings[account].rating if standings else None, account == own.account) for account in seated
        ),
        open_seats=group.players - len(seated),
        waited_ms=max(0, now_ms - own.joined_ms),
        next_fill_ms=max(0, matchmaking.fill_due(line, kept) - now_ms),
    )
