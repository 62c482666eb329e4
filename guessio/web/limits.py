"""Coarse limits on requests, for each account or address over all workers together; the game's own limits are rules elsewhere.

Everybody is counted in memory here. Whoever does a good share of what is allowed within the minute is told of to the other workers, which
add it to their own count; whoever stays below costs no message. So the common count lacks less than a share for each worker, and a
message that is late or lost makes a refusal come later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache, wraps
from ipaddress import IPv4Address, ip_address, ip_network
from typing import ParamSpec, TypeVar

from flask import Flask, request
from werkzeug.exceptions import TooManyRequests

from guessio import bus, clock
from guessio.rules.terms import AccountId
from guessio.web import guards

P = ParamSpec("P")
R = TypeVar("R")

WINDOW_MS = 60_000
# Far above what hands do, also for a class of people behind one address.
EVERYTHING = 1200
SIGNING_IN = 300
# How many times the others hear of somebody before the limit is reached.
SHARES = 20
TOPIC = "requests"
COUNTED = "guessio.counted"
EXEMPT = frozenset({"static", "versioned_static", "health.alive", "health.ready"})

_window = -1
_counts: dict[str, int] = {}
"""What was counted here and the others don't know of yet."""
_told: dict[str, int] = {}
"""What all workers know of, this one included, by the names that `_key` gives."""
_subscriptions: list[Callable[[], None]] = []
_secret = b""
_is_on = True


def install(app: Flask, is_on: bool) -> None:
    """Count every request from now on, unless switched off for a load test."""
    global _is_on, _secret
    _is_on = is_on
    _turn_to(-1)
    while _subscriptions:
        _subscriptions.pop()()
    if is_on:
        _secret = hashlib.blake2b(str(app.secret_key).encode(), digest_size=32, person=b"guessio limits").digest()
        _key.cache_clear()
        _subscriptions.append(bus.subscribe(TOPIC, _hear))
        app.before_request(_count_request)


def signing_in(view: Callable[P, R]) -> Callable[P, R]:
    """Limit a view by address alone, since nobody is signed in yet. Raises: TooManyRequests."""

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        if _is_on:
            count(f"sign-in {_line(request.remote_addr or '')}", SIGNING_IN)
        return view(*args, **kwargs)

    return limited


def count(who: str, most: int) -> None:
    """Count one request of `who` in the present minute. Raises: TooManyRequests beyond `most`."""
    now = clock.now_ms()
    if now // WINDOW_MS != _window:
        _turn_to(now // WINDOW_MS)
    _counts[who] = counted = _counts.get(who, 0) + 1
    if counted + (_told.get(_key(who), 0) if _told else 0) > most:
        raise TooManyRequests(retry_after=(WINDOW_MS - now % WINDOW_MS) // 1000 + 1)
    if counted * SHARES >= most:
        _counts[who] = 0
        bus.publish(TOPIC, bus.RequestsCounted(_key(who), _window, counted))


def _turn_to(window: int) -> None:
    """Begin a minute, the same one for all workers, in which nobody has done anything yet."""
    global _window
    _window = window
    _counts.clear()
    _told.clear()


def _hear(_topic: str, message: bus.RequestsCounted) -> None:
    """Add what a worker, this one or another, has counted of somebody within this very minute."""
    window = clock.now_ms() // WINDOW_MS
    if window != _window:
        _turn_to(window)
    if message.window == window:
        _told[message.who] = _told.get(message.who, 0) + message.number


@lru_cache(maxsize=4096)
def _key(who: str) -> str:
    """What somebody is called among the workers: the same everywhere, and telling nothing to whoever listens."""
    return hashlib.blake2b(who.encode(), key=_secret, digest_size=8).hexdigest()


@lru_cache(maxsize=4096)
def _line(address: str) -> str:
    """Whom an address belongs to: by IPv6 one line has 2^64 of them, so its first half counts."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


def count_account(account_id: AccountId) -> None:
    """Count a request of somebody who is signed in. Raises: TooManyRequests."""
    if _is_on:
        count(f"account {account_id}", EVERYTHING)


def _count_request() -> None:
    if request.endpoint in EXEMPT or COUNTED in request.environ:
        return
    actor = guards.current_actor()
    if actor is None:
        count(f"address {_line(request.remote_addr or '')}", EVERYTHING)
    else:
        count_account(actor.account_id)
