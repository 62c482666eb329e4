"""Counts the streams of each account in this process, and reports the first that opens and the last that closes (R5.1).

Pages come and go: a last stream that is followed by another one within a moment is not reported at all. Reports of one account are made
one after the other, and made again until they succeed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from guessio import clock
from guessio.rules import tunables
from guessio.rules.terms import AccountId
from guessio.services import heartbeat, presence

log = logging.getLogger(__name__)

LINGER_MS = 1_000
RETRY_MS = 1_000


class _Holder:
    """An account with streams here: how many, whether it counts as here, whether that was reported."""

    __slots__ = ("is_busy", "is_forgotten", "is_here", "lapse", "since_ms", "streams", "was_told")

    def __init__(self) -> None:
        self.streams = 0
        self.lapse = 0
        self.since_ms = 0
        self.is_here = False
        self.was_told = False
        self.is_busy = False
        self.is_forgotten = False


_holders: dict[AccountId, _Holder] = {}
_subscriptions: list[Callable[[], None]] = []


def start() -> None:
    """Begin with no streams, and report all there are when the other workers took this one for dead."""
    stop()
    _subscriptions.append(heartbeat.on_forgotten(report_again))


def stop() -> None:
    """Report nothing any more: the streams end because this process does, and whoever follows sees to their accounts."""
    while _subscriptions:
        _subscriptions.pop()()
    _holders.clear()


def opened(account: AccountId) -> None:
    """A stream of the account has opened."""
    holder = _holders.get(account)
    if holder is None:
        holder = _holders[account] = _Holder()
    holder.streams += 1
    holder.lapse += 1
    holder.is_here = True
    if not holder.was_told:
        clock.later(0, lambda: _report(account, holder))


def closed(account: AccountId) -> None:
    """A stream of the account has closed; told on only when none follows within a moment."""
    holder = _holders.get(account)
    if holder is None:
        return
    holder.streams -= 1
    if holder.streams > 0:
        return
    holder.lapse += 1
    holder.since_ms = clock.now_ms()
    lapse = holder.lapse
    clock.later(min(LINGER_MS, tunables.AWAY_UNSEEN_MS // 3), lambda: _lapsed(account, holder, lapse))


def report_again() -> None:
    """Report every account that has a stream here once more."""
    for account, holder in list(_holders.items()):
        # One that is being reported right now may have been written down before the others removed it.
        holder.is_forgotten = holder.is_busy
        if holder.was_told:
            holder.was_told = False
            _report(account, holder)


def count() -> int:
    """How many accounts have a stream here."""
    return sum(holder.is_here for holder in _holders.values())


def _lapsed(account: AccountId, holder: _Holder, lapse: int) -> None:
    if holder.lapse == lapse:
        holder.is_here = False
        _report(account, holder)


def _report(account: AccountId, holder: _Holder) -> None:
    if holder.is_busy or _holders.get(account) is not holder:
        return
    holder.is_busy = True
    try:
        while holder.is_here != holder.was_told and _holders.get(account) is holder:
            is_here = holder.is_here
            if is_here:
                presence.arrived(account)
            else:
                presence.departed(account, holder.since_ms)
            holder.was_told = is_here and not holder.is_forgotten
            holder.is_forgotten = False
    except Exception as error:
        log.warning("reporting the presence of account %d failed, trying again: %s", account, error)
        clock.later(RETRY_MS, lambda: _report(account, holder))
    finally:
        holder.is_busy = False
    if not holder.is_here and not holder.was_told and _holders.get(account) is holder:
        del _holders[account]
