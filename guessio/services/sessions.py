"""Who is signed in: one session an account, a record on the server that the browser's random token leads to (R12.3).

Each process remembers the sessions that it has met, so that a guess reads no session from the database; the bus makes it forget. Where
the bus told nothing, because the worker that ended the session died or was cut off before it could, the next sweep reads of the end.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from guessio import bus, clock
from guessio.rules.terms import AccountId, AccountState
from guessio.services import heartbeat
from guessio.store import database
from guessio.store import sessions as rows
from guessio.store.accounts import Account

LIFETIME_MS = 30 * 24 * 3_600_000
# How long a session is believed without being read again: the account behind it may have got another name or state elsewhere.
BELIEVED_MS = 10_000
# How far back each look for ends reaches beyond the one before: other hosts' clocks differ, and a commit follows what it writes.
OVERLAP_MS = 5_000
ENDS_KEPT_MS = 60_000
REMEMBERED = 50_000
TOPIC = "sessions"


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts, as services and pages know them. `token_hash` names the session, for the streams that it holds."""

    account_id: AccountId
    username: str
    display_name: str
    avatar_url: str
    state: AccountState
    state_reason: str
    suspended_until_ms: int | None
    token_hash: str

    def may_play(self, now_ms: int) -> bool:
        """Whether the account is active, or its suspension has run out (R12.4)."""
        if self.state is AccountState.SUSPENDED:
            return self.suspended_until_ms is not None and self.suspended_until_ms <= now_ms
        return self.state is AccountState.ACTIVE


class EndReason(StrEnum):
    """Why a session is no more: a newer sign-in took its place, its own sign-out, time, or a decision about the account."""

    REPLACED = "replaced"
    SIGNED_OUT = "signed_out"
    EXPIRED = "expired"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class _Remembered:
    actor: Actor
    expires_ms: int
    read_ms: int


_remembered: OrderedDict[str, _Remembered] = OrderedDict()
_subscriptions: list[Callable[[], object]] = []
_looked_ms = 0


def listen() -> None:
    """Begin anew with nothing remembered, and from now on forget sessions as they end on any worker."""
    global _looked_ms
    _remembered.clear()
    _looked_ms = clock.now_ms()
    while _subscriptions:
        _subscriptions.pop()()
    _subscriptions.append(bus.subscribe(TOPIC, _on_ended))
    _subscriptions.append(bus.on_gap(_remembered.clear))


def _on_ended(_topic: str, message: bus.Message) -> None:
    if isinstance(message, bus.SessionEnded):
        _remembered.pop(message.token_hash, None)


def look_for_ends() -> None:
    """Act on every end since the last look as on its notice, which may have been lost: part of each sweep.

    What was told already is told again while it is that recent; a request that read the session just before its end may have
    remembered it after the notice.
    """
    global _looked_ms
    now = clock.now_ms()
    with database.read() as conn:
        ends = rows.ends_since(conn, _looked_ms - OVERLAP_MS)
    _looked_ms = now
    for token_hash, reason in ends.items():
        bus.deliver(TOPIC, bus.SessionEnded(token_hash, reason))


def start(account_id: AccountId) -> str:
    """Sign the account in and end its earlier session everywhere (R12.3). The new token, which is not kept in clear."""
    token = secrets.token_urlsafe(32)
    with database.write() as conn:
        now = clock.now_ms()
        ended = rows.replace(conn, account_id, hash_of(token), now + LIFETIME_MS, rows.End(now, EndReason.REPLACED))
    _announce(ended, EndReason.REPLACED)
    return token


def find(token: str) -> Actor | None:
    """Who holds this token, or None when the session ended or ran out."""
    now = clock.now_ms()
    token_hash = hash_of(token)
    known = _known(token_hash, now)
    return None if known is None or known.expires_ms <= now else known.actor


def alive_among(token_hashes: Collection[str]) -> frozenset[str]:
    """Those of the sessions that still run, by one question to the database: what the streams ask on each beat.

    The answer counts for requests too, so that whoever has a page open costs no question of their own.
    """
    now = clock.now_ms()
    with database.read() as conn:
        running = rows.running(conn, token_hashes, now)
    for token_hash in token_hashes:
        row = running.get(token_hash)
        if row is None:
            _remembered.pop(token_hash, None)
        elif token_hash in _remembered:
            _remembered[token_hash] = _Remembered(_actor(row.account, token_hash), row.expires_ms, now)
    return frozenset(running)


def alive(token_hash: str) -> bool:
    """Whether that session still runs."""
    now = clock.now_ms()
    known = _known(token_hash, now)
    return known is not None and known.expires_ms > now


def _known(token_hash: str, now_ms: int) -> _Remembered | None:
    """The session from memory, unless that may be out of date; else from the database."""
    known = _remembered.get(token_hash)
    if known is None or now_ms - known.read_ms >= BELIEVED_MS or _may_have_ended(known, now_ms):
        return _read(token_hash, now_ms)
    return known


def _may_have_ended(known: _Remembered, now_ms: int) -> bool:
    """Whether neither the session was read nor ends were looked for of late, as after a stall of this worker or in a slow sweep."""
    return heartbeat.is_running() and now_ms - max(known.read_ms, _looked_ms) > heartbeat.LATE_MS


def _read(token_hash: str, now_ms: int) -> _Remembered | None:
    with database.read() as conn:
        row = rows.find(conn, token_hash)
    if row is None:
        _remembered.pop(token_hash, None)
        return None
    known = _Remembered(_actor(row.account, token_hash), row.expires_ms, now_ms)
    _remembered[token_hash] = known
    if len(_remembered) > REMEMBERED:
        _remembered.popitem(last=False)
    return known


def why_ended(account_id: AccountId) -> EndReason:
    """What to tell a browser whose token leads nowhere any more."""
    with database.read() as conn:
        elsewhere = rows.exists_for(conn, account_id, clock.now_ms())
    return EndReason.REPLACED if elsewhere else EndReason.EXPIRED


def end(token: str) -> None:
    """Sign this session out and close its streams; a session that has ended already stays ended."""
    token_hash = hash_of(token)
    with database.write() as conn:
        rows.end(conn, token_hash, rows.End(clock.now_ms(), EndReason.SIGNED_OUT))
    _announce(token_hash, EndReason.SIGNED_OUT)


def end_for(account_id: AccountId) -> None:
    """Sign the account out wherever it is: for a ban or a deletion."""
    with database.write() as conn:
        ended = rows.end_of_account(conn, account_id, rows.End(clock.now_ms(), EndReason.ENDED))
    _announce(ended, EndReason.ENDED)


def refresh(account_id: AccountId) -> None:
    """Read the account anew at its next request, because its name, picture or state changed."""
    for token_hash, known in list(_remembered.items()):
        if known.actor.account_id == account_id:
            del _remembered[token_hash]


def drop_expired() -> int:
    """Remove sessions that have run out, and what was written down of ends that everybody knows by now; how many had run out."""
    now = clock.now_ms()
    with database.write() as conn:
        rows.forget_ends(conn, now - ENDS_KEPT_MS)
        return rows.drop_expired(conn, now)


def hash_of(token: str) -> str:
    """What the database keeps of a token: its SHA-256, so that a copy of the database signs nobody in."""
    return hashlib.sha256(token.encode()).hexdigest()


def _announce(ended_hash: str | None, reason: EndReason) -> None:
    if ended_hash is not None:
        _remembered.pop(ended_hash, None)
        bus.publish(TOPIC, bus.SessionEnded(ended_hash, reason))


def _actor(account: Account, token_hash: str) -> Actor:
    return Actor(
        account.id,
        account.username,
        account.display_name,
        account.avatar_url,
        account.state,
        account.state_reason,
        account.suspended_until_ms,
        token_hash,
    )
