"""Coarse limits on requests, counted in this process for each account or address; the game's own limits are rules elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from ipaddress import IPv4Address, ip_address, ip_network
from typing import ParamSpec, TypeVar

from flask import Flask, request
from werkzeug.exceptions import TooManyRequests

from guessio import clock
from guessio.rules.terms import AccountId
from guessio.web import guards

P = ParamSpec("P")
R = TypeVar("R")

WINDOW_MS = 60_000
# Far above what hands do, also for a class of people behind one address.
EVERYTHING = 1200
SIGNING_IN = 300
COUNTED = "guessio.counted"
EXEMPT = frozenset({"static", "versioned_static", "health.alive", "health.ready"})

_window = -1
_counts: dict[str, int] = {}
_is_on = True


def install(app: Flask, is_on: bool) -> None:
    """Count every request from now on, unless switched off for a load test."""
    global _is_on
    _is_on = is_on
    _counts.clear()
    if is_on:
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
    global _window
    now = clock.now_ms()
    if now // WINDOW_MS != _window:
        _window = now // WINDOW_MS
        _counts.clear()
    _counts[who] = counted = _counts.get(who, 0) + 1
    if counted > most:
        raise TooManyRequests(retry_after=(WINDOW_MS - now % WINDOW_MS) // 1000 + 1)


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
