"""Seating two accounts at a duel's table, in the caller's transaction (R3.6, R17.4)."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine import duel
from guessio.engine.duel import Agreement
from guessio.rules.terms import AccountId, SeatNo, TableId, TableKind
from guessio.services import tables
from guessio.store import people

ID_BYTES = 12


def new_id() -> str:
    """A name for an offer, and for the duel that it leads to: whoever took it finds the duel under the same name."""
    return secrets.token_urlsafe(ID_BYTES)


def seat(conn: Connection, table: TableId, agreement: Agreement, players: tuple[AccountId, AccountId], first: SeatNo | None = None) -> None:
    """Create the table of two accounts that are bound to it already; who moves first is drawn unless it is a rematch (R17.4)."""
    known = people.load(conn, players)
    one, other = (
        duel.NewSeat(person.account, person.username, person.name, person.avatar_url, person.is_bot)
        for person in (known[account] for account in players)
    )
    lots = duel.draw(secrets.randbelow, secrets.token_hex, first)
    step = duel.new(table, agreement, (one, other), lots, clock.now_ms())
    tables.create(TableKind.DUEL, step.state, step.events, conn=conn)


def begun(table: TableId, players: tuple[AccountId, ...]) -> None:
    """After the commit: arm the table's timer and send these players there."""
    tables.created(table)
    for account in players:
        bus.publish(f"account:{account}", bus.Navigate(f"/duel/{table}"))
