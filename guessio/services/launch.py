"""Turning a full group of searchers into a match, in one transaction (R3.1, R3.5)."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from guessio import bus, clock
from guessio.engine import match
from guessio.rules import queueing
from guessio.rules.terms import AccountId, EngagementKind, TableId, TableKind
from guessio.services import readiness, tables, week
from guessio.store import database, engagements, people, ratings, searches
from guessio.store.searches import Group

log = logging.getLogger(__name__)


class LaunchFailed(Exception):
    """A match could not be made of this party; its transaction is rolled back and everybody keeps the old place (R3.5)."""


@dataclass(frozen=True, slots=True)
class Party:
    """Who plays: people from the front of the line beside the bots that the group has been given."""

    people: tuple[AccountId, ...]
    bots: tuple[AccountId, ...]

    @property
    def members(self) -> tuple[AccountId, ...]:
        """Everybody who gets a seat."""
        return self.people + self.bots


def form_all(group: Group) -> int:
    """Start as many matches as the group has full parties for; gives their number. A failed one is tried again at the next fill."""
    formed = 0
    while True:
        try:
            table = form(group)
        except Exception:
            readiness.tell_failure(log, "a match of %s could not be launched; its players keep their places", group)
            _put_off(group)
            return formed
        if table is None:
            return formed
        formed += 1


def form(group: Group) -> TableId | None:
    """Start one match when the group is full: seats, searches, engagements and the table change together, or not at all.

    Raises: whatever kept it from starting, after rolling back (R3.5).
    """
    table = TableId(secrets.token_urlsafe(12))
    with database.write() as conn:
        searches.hold_group(conn, group)
        party = _party(conn, group)
        if party is None:
            return None
        _use_up(conn, group, party, table)
        _seat(conn, group, party, table)
    tables.created(table)
    for account in party.people:
        bus.publish(f"account:{account}", bus.Navigate(f"/match/{table}"))
    bus.publish(f"search:{group}", bus.SearchChanged())
    return table


def _party(conn: Connection, group: Group) -> Party | None:
    """The front of the line and the bots seated so far; None while seats are open (R3.1)."""
    bots = searches.fills(conn, group).bots
    line = tuple(search.account for search in searches.waiting(conn, group))
    chosen = queueing.group(line, len(bots), group.players)
    return None if chosen is None else Party(chosen, bots)


def _use_up(conn: Connection, group: Group, party: Party, table: TableId) -> None:
    """Take the party out of the search and bind it to the table. Raises: LaunchFailed when one of them is elsewhere by now."""
    if searches.leave(conn, party.people) != len(party.people):
        raise LaunchFailed("a player was no longer in the search")
    bound = engagements.move(conn, party.members, EngagementKind.SEARCH, EngagementKind.MATCH, table)
    if bound != group.players:
        raise LaunchFailed("a player was no longer free")
    searches.clear_fills(conn, group)


def _seat(conn: Connection, group: Group, party: Party, table: TableId) -> None:
    """Draw the order of seats by lot (R1.4) and create the table with everyone's rating at this moment (R9.2)."""
    now = clock.now_ms()
    known = people.load(conn, party.members)
    standings = ratings.of(conn, week.key(now), party.members)
    order = secrets.SystemRandom().sample(party.members, group.players)
    seats = tuple(
        match.NewSeat(
            account=person.account,
            username=person.username,
            name=person.name,
            avatar_url=person.avatar_url,
            is_bot=person.is_bot,
            rating=standings[person.account].rating,
        )
        for person in (known[account] for account in order)
    )
    lots = match.draw(secrets.randbelow, secrets.token_hex, group.players)
    step = match.new(table, group.type, group.difficulty, True, seats, lots, now)
    tables.create(TableKind.MATCH, step.state, step.events, conn=conn)


def _put_off(group: Group) -> None:
    """Let a whole fill interval pass before the group is tried again."""
    with database.write() as conn:
        searches.hold_group(conn, group)
        searches.save_fills(conn, group, replace(searches.fills(conn, group), last_fill_ms=clock.now_ms()))
