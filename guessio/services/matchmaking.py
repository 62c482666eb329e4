"""Searching for a Casual or Ranked match: join, leave, wait, and bots for a group that stays short (R3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine.machine import Rejected
from guessio.rules import queueing
from guessio.rules.terms import AccountId, AccountState, EngagementKind, MatchPhase, MatchType, Refusal, TableId
from guessio.services import bots, engaged, launch, presence, tables, week, withdrawal
from guessio.services.withdrawal import Withdrawn
from guessio.store import accounts, database, engagements, leases, searches
from guessio.store.searches import Fills, Group, Search

STAND_BY_MS = 5_000


@dataclass(frozen=True, slots=True)
class _Joined:
    """What came of joining a line, to be acted on after the commit."""

    refused: Refusal | None
    earlier: Search | None
    withdrawn: Withdrawn


def start() -> None:
    """Follow the presence of waiting players (R3.8). bootstrap calls it once."""
    presence.on_search(away, back)


def search(actor: AccountId, group: Group) -> Rejected | None:
    """Wait in a group, replacing an earlier search or duel offer; the same search again keeps its place. A full group starts at once
    (R3.1, R3.6).

    Refusals: RANKED_CLOSED, SUSPENDED, BANNED, BUSY_ELSEWHERE.
    """
    now = clock.now_ms()
    if group.type is MatchType.RANKED and week.is_closed(now):
        return Rejected(Refusal.RANKED_CLOSED)
    is_free = engaged.current(actor) is None
    present = presence.is_present(actor)
    joined = (_join_free(actor, group, now, present) if is_free else None) or _join(actor, group, now, present)
    withdrawal.tell(joined.withdrawn)
    if joined.refused is not None:
        return None if _has_begun(actor, group) else Rejected(joined.refused)
    if not present and presence.is_present(actor):
        back(actor)  # The connection came while this was written down.
    launch.form_all(group)
    tell({group, joined.earlier.group if joined.earlier else group})
    return None


def _join_free(actor: AccountId, group: Group, now_ms: int, present: bool) -> _Joined | None:
    """Put an account that nothing binds into the line, while the other groups go on. None, with nothing changed, when it is bound by now:
    its binding is the one row that two searches of one account meet at.
    """
    with database.write() as conn:
        searches.hold_group(conn, group)
        refused = barred(conn, actor, now_ms)
        if refused is None and not engagements.bind(conn, actor, EngagementKind.SEARCH):
            return None
        if refused is None:
            _stand(conn, actor, group, now_ms, present)
        return _Joined(refused, None, withdrawal.within(conn, actor))


def _join(actor: AccountId, group: Group, now_ms: int, present: bool) -> _Joined:
    """The same for any account, from whatever it may leave for this: nothing changes meanwhile in any group, nor among the offers."""
    with database.write() as conn:
        searches.hold(conn)
        withdrawn = withdrawal.within(conn, actor)
        refused = barred(conn, actor, now_ms) or _bound_elsewhere(conn, actor)
        earlier = searches.find(conn, actor)
        if refused is None and (earlier is None or earlier.group != group):
            _stand(conn, actor, group, now_ms, present)
            _tidy(conn, earlier)
        return _Joined(refused, earlier, withdrawn)


def _stand(conn: Connection, actor: AccountId, group: Group, now_ms: int, present: bool) -> None:
    """Stand at the end of the line, where one's connection is waited for from now on if there is none (R3.8)."""
    searches.join(conn, actor, group, now_ms)
    searches.mark_away(conn, actor, None if present else now_ms)


def leave(actor: AccountId) -> None:
    """Leave the search; without one nothing changes (R3.5)."""
    with database.write() as conn:
        searches.hold(conn)
        left = _take_out(conn, [actor])
    tell(left)


def away(account: AccountId, since_ms: int) -> None:
    """Note that a waiting player has no live connection since `since_ms` (R3.8)."""
    _mark_presence(account, since_ms)


def back(account: AccountId) -> None:
    """Note that a waiting player has a live connection again."""
    _mark_presence(account, None)


def run_due() -> int | None:
    """Do what the clock asks of the lines: remove who stayed away, seat a bot where one is due, start what is full.

    Gives the moment at which there is something to do next; None while nobody waits. Running it twice changes nothing.
    """
    now = clock.now_ms()
    due = _next_due(now)
    if due is None or due > now:
        return due
    with database.write() as conn:
        searches.hold(conn)
        removed = _overdue(conn, now)
        changed = _take_out(conn, removed)
        changed |= {group for group, line in searches.everybody(conn).items() if _fill(conn, group, line, now)}
    for group in changed:
        launch.form_all(group)
    tell(changed)
    for account in removed:
        bus.publish(f"account:{account}", bus.Navigate("/play"))
    return _next_due(now)


def serve() -> int | None:
    """`run_due`, but in one process of many only; the others learn when to ask again, in case that one dies.

    That one asks again as well: a search that began in a process that died tells nobody.
    """
    again = clock.now_ms() + STAND_BY_MS
    if not leases.hold("fills"):
        return again
    due = run_due()
    if database.is_sqlite():
        return due
    return again if due is None else min(due, again)


def barred(conn: Connection, actor: AccountId, now_ms: int) -> Refusal | None:
    """Why the account may not play at all (R12.4)."""
    account = accounts.find(conn, actor)
    if account is None or account.state in (AccountState.BANNED, AccountState.DELETED):
        return Refusal.BANNED
    ends = account.suspended_until_ms
    if account.state is AccountState.SUSPENDED and (ends is None or ends > now_ms):
        return Refusal.SUSPENDED
    return None


def _bound_elsewhere(conn: Connection, actor: AccountId) -> Refusal | None:
    """Bind a free account to the search; refuse one that is bound to anything but a search (R3.6)."""
    if engagements.bind(conn, actor, EngagementKind.SEARCH):
        return None
    bound = engagements.find(conn, actor)
    return None if bound is not None and bound.kind is EngagementKind.SEARCH else Refusal.BUSY_ELSEWHERE


def release(conn: Connection, actor: AccountId) -> set[Group]:
    """Take the account out of its search within the caller's transaction, who holds the groups; gives the groups to `tell` of after the
    commit."""
    return _take_out(conn, [actor])


def _has_begun(actor: AccountId, group: Group) -> bool:
    """Whether this very search has just led to a match, so that a second tap asks for nothing new (R1.12)."""
    bound = engaged.current(actor)
    loaded = tables.load(TableId(bound.ref)) if bound is not None and bound.kind is EngagementKind.MATCH else None
    if loaded is None or loaded.state.phase not in (MatchPhase.PICKING, MatchPhase.COUNTDOWN):
        return False
    return Group(loaded.state.type, loaded.state.difficulty, len(loaded.state.seats)) == group


def _take_out(conn: Connection, leaving: Iterable[AccountId]) -> set[Group]:
    """Take these out of the search; gives the groups that they left."""
    left: set[Group] = set()
    for account in leaving:
        own = searches.find(conn, account)
        if own is not None:
            searches.leave(conn, [account])
            engagements.release(conn, [account], EngagementKind.SEARCH)
            _tidy(conn, own)
            left.add(own.group)
    return left


def _tidy(conn: Connection, left: Search | None) -> None:
    """Send the bots home when the last person has left their group."""
    if left is not None and not searches.waiting(conn, left.group):
        engagements.release(conn, searches.fills(conn, left.group).bots, EngagementKind.SEARCH, str(left.group))
        searches.clear_fills(conn, left.group)


def _mark_presence(account: AccountId, since_ms: int | None) -> None:
    with database.write() as conn:
        own = searches.find(conn, account)
        if own is None or (own.away_since_ms is None) == (since_ms is None):
            return
        searches.mark_away(conn, account, since_ms)
    tell({own.group})


def _overdue(conn: Connection, now_ms: int) -> list[AccountId]:
    """Who must leave: without a connection for too long (R3.8), or in Ranked while the week rolls over (R9.5)."""
    waiting = [search for line in searches.everybody(conn).values() for search in line]
    return [search.account for search in waiting if any(moment <= now_ms for moment in _leaves(search, now_ms))]


def _leaves(search: Search, now_ms: int) -> list[int]:
    """The moments at which a player must leave the line if nothing changes."""
    moments = [] if search.away_since_ms is None else [queueing.dropped_at(search.away_since_ms)]
    if search.group.type is MatchType.RANKED:
        moments.append(now_ms if week.is_closed(now_ms) else now_ms + week.ends_in(now_ms))
    return moments


def _fill(conn: Connection, group: Group, line: tuple[Search, ...], now_ms: int) -> bool:
    """Seat one bot when it is due (R3.2); whether the group may be full now."""
    kept = searches.fills(conn, group)
    if fill_due(line, kept) > now_ms:
        return False
    if len(line) + len(kept.bots) < group.players:
        kept = Fills((*kept.bots, bots.seat(conn, str(group))), now_ms)
        searches.save_fills(conn, group, kept)
    return True


def fill_due(line: tuple[Search, ...], kept: Fills) -> int:
    """When the next bot sits down: counted from the oldest waiting player's join, then from the last fill (R3.2)."""
    return queueing.fill_due(min(search.joined_ms for search in line), kept.last_fill_ms or None)


def _next_due(now_ms: int) -> int | None:
    """The next moment at which `run_due` has something to do."""
    with database.read() as conn:
        kept = searches.all_fills(conn)
        lines = searches.everybody(conn)
    moments = [fill_due(line, kept.get(group, Fills())) for group, line in lines.items()]
    moments += [moment for line in lines.values() for search in line for moment in _leaves(search, now_ms)]
    return min(moments, default=None)


def tell(groups: Iterable[Group]) -> None:
    """Let the pages of the waiting players, and the timer of the fills, know."""
    for group in groups:
        bus.publish(f"search:{group}", bus.SearchChanged())
