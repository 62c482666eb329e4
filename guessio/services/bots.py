"""Bots take open seats: idle ones first, a new one when all are busy (R3.3)."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection

from guessio import clock
from guessio.rules.terms import AccountId, EngagementKind
from guessio.store import bots as store
from guessio.store import database, engagements

POOL = 48
"""How many bots a new installation begins with."""

_FIRST = (
    "amber", "brisk", "cobalt", "dusky", "echo", "fuzzy", "gentle", "hazel", "ivory", "jolly", "keen", "lunar",
    "mellow", "nimble", "opal", "patchy", "quaint", "rustic", "sly", "tidal", "umber", "velvet", "wry", "zesty",
)  # fmt: skip
_SECOND = (
    "abacus", "badger", "cipher", "dial", "ember", "finch", "gadget", "heron", "inkwell", "jackdaw", "kettle", "lantern",
    "magpie", "nutmeg", "otter", "pebble", "quill", "ratchet", "sprocket", "tumbler", "urchin", "vole", "widget", "yarrow",
)  # fmt: skip


def seed(wanted: int = POOL) -> int:
    """Bring the pool to `wanted` bots; gives how many were made. A second time changes nothing."""
    with database.write() as conn:
        missing = max(0, wanted - store.count(conn))
        for _ in range(missing):
            _make(conn)
    return missing


def seat(conn: Connection, group: str) -> AccountId:
    """Bind a bot to an open seat of a group of searchers (R3.2)."""
    return take(conn, EngagementKind.SEARCH, group)


def take(conn: Connection, kind: EngagementKind, ref: str) -> AccountId:
    """Bind a bot: an idle one by lot, or one made for it (R3.3)."""
    idle = list(store.idle(conn))
    secrets.SystemRandom().shuffle(idle)
    for bot in idle:
        if engagements.bind(conn, bot, kind, ref):
            return bot
    made = _make(conn)
    engagements.bind(conn, made, kind, ref)
    return made


def _make(conn: Connection) -> AccountId:
    """A new bot under the first free name; when the plain ones run out, with a longer and longer number behind it."""
    digits = 0
    while True:
        made = store.make(conn, _name(digits), clock.now_ms())
        if made is not None:
            return made
        digits = min(digits + 1, 6)


def _name(digits: int) -> str:
    number = f"{secrets.randbelow(10**digits):0{digits}}" if digits else ""
    return f"{secrets.choice(_FIRST)}_{secrets.choice(_SECOND)}{number}"
