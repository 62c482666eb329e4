"""Whether an account has a live connection anywhere, told to what it is engaged in (R3.8, R5.1, R7.1).

A row per worker and account says who is connected. The row comes first and goes first; then the table or the search is told; and
whoever tells of an absence looks once more afterwards, because another worker may have let the account in meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from guessio import clock
from guessio.rules.terms import AccountId, EngagementKind, TableId, TableKind
from guessio.services import games, heartbeat, tables
from guessio.services.shelf import Loaded
from guessio.store import connections, database, engagements

log = logging.getLogger(__name__)

_KINDS = {EngagementKind.MATCH: TableKind.MATCH, EngagementKind.DUEL: TableKind.DUEL}

Away = Callable[[AccountId, int], None]
Back = Callable[[AccountId], None]

_waiting_hooks: dict[EngagementKind, tuple[Away, Back]] = {}
_subscriptions: list[Callable[[], None]] = []


def start() -> None:
    """Follow workers that die and tables that are made; what was followed before is let go."""
    stop()
    _subscriptions.append(heartbeat.on_vanished(vanished))
    _subscriptions.append(tables.on_created(_check_seats))


def stop() -> None:
    """Follow nothing any more."""
    while _subscriptions:
        _subscriptions.pop()()


def on_search(away: Away, back: Back) -> None:
    """Register what happens to a search when its account has no stream since a moment, and when it has one again (R3.8).

    `away(account, since_ms)` and `back(account)` are called while the account's engagement is a search. The latest registration counts.
    """
    on_waiting(EngagementKind.SEARCH, away, back)


def on_waiting(kind: EngagementKind, away: Away, back: Back) -> None:
    """The same for whatever else an account may wait with: `kind` is what binds it meanwhile. The latest registration of a kind counts."""
    _waiting_hooks[kind] = (away, back)


def is_present(account: AccountId) -> bool:
    """Whether the account has a stream open on any worker."""
    with database.read() as conn:
        return account in connections.present(conn, (account,))


def arrived(account: AccountId) -> None:
    """This process holds a stream of the account: note it, and tell what it is engaged in."""
    with database.write() as conn:
        connections.add(conn, heartbeat.worker(), (account,), clock.now_ms())
    _tell(account, None)


def departed(account: AccountId, since_ms: int) -> None:
    """This process has held no stream of the account since a moment: note it, and tell on if no other worker holds one."""
    with database.write() as conn:
        connections.remove(conn, heartbeat.worker(), account)
    tell_if_absent((account,), since_ms)


def vanished(accounts: Collection[AccountId], workers: Collection[str]) -> None:
    """Dead workers held streams of these accounts, whose rows no longer count."""
    tell_if_absent(accounts, clock.now_ms(), without=workers)


def tell_if_absent(accounts: Collection[AccountId], since_ms: int, without: Collection[str] = ()) -> None:
    """Tell of each account that has no stream anywhere that it has been away since a moment."""
    for account in sorted(set(accounts) - _present(accounts, without)):
        _tell(account, since_ms)
        if account in _present((account,), without):
            _tell(account, None)


def _check_seats(table_id: TableId, loaded: Loaded) -> None:
    """A player may have lost the connection just before the table was made: then nobody else would tell it."""
    if not heartbeat.is_running():
        return
    tell_if_absent(games.of(loaded.kind).machine.engaged(loaded.state), clock.now_ms())


def _present(accounts: Collection[AccountId], without: Collection[str]) -> frozenset[AccountId]:
    with database.read() as conn:
        return connections.present(conn, accounts, without)


def _tell(account: AccountId, since_ms: int | None) -> None:
    with database.read() as conn:
        engaged = engagements.find(conn, account)
    if engaged is None:
        return
    if engaged.kind in _waiting_hooks:
        away, back = _waiting_hooks[engaged.kind]
        back(account) if since_ms is None else away(account, since_ms)
    elif engaged.kind in _KINDS:
        tables.dispatch(TableId(engaged.ref), games.presence(_KINDS[engaged.kind], account, since_ms))
