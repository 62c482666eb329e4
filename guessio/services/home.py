"""What the Home screen shows (SPEC 18)."""

from __future__ import annotations

from dataclasses import dataclass

from guessio import clock
from guessio.engine.match.state import MatchState
from guessio.rules import suspension, tunables
from guessio.rules.suspension import QuitStep
from guessio.rules.terms import AccountId, Difficulty, EngagementKind, MatchType, TableId
from guessio.services import engaged, history, profiles, tables, week
from guessio.services.history import HistoryEntry
from guessio.services.people import Person
from guessio.store import database, people, searches, statistics
from guessio.store.engagements import Engagement

RECENT = 3


@dataclass(frozen=True, slots=True)
class Legend:
    """A place on the Code Legends podium: this week's first three by rating (R9.6)."""

    rank: int
    person: Person
    rating: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class ReturnBar:
    """The bar that leads back to what the account is bound to (R3.6, R7.2).

    For a live match it offers Reconnect (`url`) and Abandon (`abandon_url`, a POST; empty for a search). `is_ranked` asks for the
    warning about rating.
    """

    kind: EngagementKind
    url: str
    abandon_url: str
    type: MatchType | None
    difficulty: Difficulty | None
    players: int
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class HomePage:
    """Everything that Home shows to its account.

    `rank` is None until it unlocks; `ranked_missing` then says how many ranked matches of this week are missing (R9.6).
    `win_rate` is a whole percentage. `resets_in_ms` counts to the next Monday 00:00 UTC. `recent` holds at most three.
    `warned_of_quitting` after ranked quits in a row of which one more suspends (R7.7).
    """

    me: Person
    points: int
    rating: int
    rank: int | None
    ranked_missing: int
    played: int
    win_rate: int
    legends: tuple[Legend, ...]
    resets_in_ms: int
    recent: tuple[HistoryEntry, ...]
    return_to: ReturnBar | None
    warned_of_quitting: bool


def page(actor: AccountId) -> HomePage:
    """Home for one signed-in account."""
    now = clock.now_ms()
    with database.read() as conn:
        me = people.load(conn, [actor])[actor]
        counts = statistics.of(conn, actor)
    standing = week.standing_of(actor, now)
    return HomePage(
        me=me,
        points=counts.points,
        rating=standing.rating,
        rank=week.rank_of(actor, now),
        ranked_missing=week.missing(standing),
        played=counts.played,
        win_rate=profiles.win_rate(counts),
        legends=legends(actor, now),
        resets_in_ms=week.ends_in(now),
        recent=history.recent(actor, RECENT),
        return_to=return_to(actor),
        warned_of_quitting=suspension.after_quit(counts.quits_in_row) is QuitStep.WARN,
    )


def legends(viewer: AccountId | None, now_ms: int) -> tuple[Legend, ...]:
    """This week's podium (R9.6)."""
    rows = week.leaders(now_ms, tunables.PODIUM_SIZE)
    return tuple(Legend(row.rank, row.person, row.rating, row.person.account == viewer) for row in rows)


def return_to(actor: AccountId) -> ReturnBar | None:
    """The way back to what binds the account, for any page's bar; None when it is free (R7.2)."""
    bound = engaged.current(actor)
    if bound is None:
        return None
    match bound.kind:
        case EngagementKind.SEARCH:
            return _to_search(actor)
        case EngagementKind.MATCH:
            return _to_match(bound)
        case EngagementKind.DUEL:
            return ReturnBar(bound.kind, f"/duel/{bound.ref}", "", None, None, 2, is_ranked=False)
        case EngagementKind.DUEL_OFFER:
            return ReturnBar(bound.kind, "/duels", "", None, None, 2, is_ranked=False)


def _to_search(actor: AccountId) -> ReturnBar | None:
    with database.read() as conn:
        own = searches.find(conn, actor)
    if own is None:
        return None
    group = own.group
    ranked = group.type is MatchType.RANKED
    return ReturnBar(EngagementKind.SEARCH, "/search", "", group.type, group.difficulty, group.players, ranked)


def _to_match(bound: Engagement) -> ReturnBar | None:
    loaded = tables.load(TableId(bound.ref))
    if loaded is None or not isinstance(loaded.state, MatchState):
        return None
    state = loaded.state
    url = f"/match/{state.id}"
    ranked = state.type is MatchType.RANKED
    return ReturnBar(bound.kind, url, f"{url}/forfeit", state.type, state.difficulty, len(state.seats), ranked)
