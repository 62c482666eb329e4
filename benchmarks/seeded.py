"""People with sessions, seated in matches, put straight into the database: `python -m benchmarks.seeded PLAN` prints them as JSON.

A thousand sign-ins through a provider would take longer than all measurements together. Everything goes through the site's own
services, in a process beside the server, which finds the new tables by its sweep.
"""

from __future__ import annotations

import json
import secrets
import sys
from typing import Any

from flask import Flask, session
from flask_wtf.csrf import generate_csrf
from sqlalchemy import event

from guessio import bootstrap, clock
from guessio.engine import match
from guessio.engine.match import NewSeat
from guessio.rules.terms import AccountId, Difficulty, EngagementKind, MatchType, TableId, TableKind
from guessio.services import sessions, tables
from guessio.store import accounts, database, engagements
from guessio.store.accounts import NewAccount
from guessio.web.guards import ACCOUNT_KEY, TOKEN_KEY

SEATS = 2


def person(app: Flask, name: str) -> dict[str, Any]:
    """Somebody who is signed in: the account, and what their browser holds."""
    with database.write() as conn:
        made = accounts.add(conn, NewAccount(subject=name, email=None, username=name, display_name=name, created_ms=clock.now_ms()))
    assert made is not None, f"{name} is there already"
    with app.test_request_context("/"):
        session.permanent = True
        session[ACCOUNT_KEY], session[TOKEN_KEY] = made, sessions.start(made)
        token = generate_csrf()
        signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
        return {"name": name, "account": made, "cookie": signer.dumps(dict(session)), "token": token, "match": ""}


def seat(people: list[dict[str, Any]], now_ms: int) -> None:
    """A Casual match of these people, with its skills left out, which begins at `now_ms`."""
    table = TableId(secrets.token_urlsafe(12))
    seats = tuple(NewSeat(AccountId(one["account"]), one["name"], one["name"]) for one in people)
    deal = match.draw(secrets.randbelow, secrets.token_hex, len(seats))
    step = match.new(table, MatchType.CASUAL, Difficulty.STANDARD, False, seats, deal, now_ms)
    with database.write() as conn:
        tables.create(TableKind.MATCH, step.state, step.events, conn=conn)
        for one in people:
            engagements.bind(conn, one["account"], EngagementKind.MATCH, table)
            one["match"] = table


def _hurry(raw: Any, _record: Any) -> None:
    """Nobody has been promised anything yet: don't wait for the disk, but for the server as long as it takes."""
    raw.execute("PRAGMA synchronous=OFF")
    raw.execute("PRAGMA busy_timeout=60000")


def main() -> None:
    """Carry out a plan: `seed` names this crowd, `matches` and `people` say how many; each match begins `wait_ms` from now."""
    plan = json.loads(sys.argv[1])
    app = bootstrap.create_app(testing=True)
    if database.is_sqlite():
        event.listen(database.engine(), "connect", _hurry)
    crowd = [person(app, f"p{plan['seed']}_{number}") for number in range(plan["matches"] * SEATS + plan["people"])]
    begin_ms = clock.now_ms() + plan["wait_ms"]
    for first in range(0, plan["matches"] * SEATS, SEATS):
        seat(crowd[first : first + SEATS], begin_ms)
    print(json.dumps(crowd))


if __name__ == "__main__":
    main()
