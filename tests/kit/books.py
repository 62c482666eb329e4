"""What stands in the database of a running server: for what a test must know or set beyond what any player is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import create_engine, select
from sqlalchemy.pool import NullPool

from guessio import clock
from guessio.engine.match.results import MatchResult, results
from guessio.engine.match.state import MatchState
from guessio.rules import week
from guessio.rules.terms import AccountId, TableId
from guessio.store import codec, matches, ratings, tables
from guessio.store.matches import Player
from guessio.store.ratings import Standing
from guessio.store.schema import accounts


@dataclass(frozen=True, slots=True)
class Booked:
    """A saved match: what its record comes to, and everybody's line by username."""

    result: MatchResult
    players: dict[str, Player]


class Books:
    """The database behind `url`, read and written beside the server."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url, poolclass=NullPool)

    def usernames(self, *, bots: bool) -> list[str]:
        """Everybody's username, of bots or of people."""
        with self._engine.connect() as conn:
            return list(conn.execute(select(accounts.c.username).where(accounts.c.is_bot == bots).order_by(accounts.c.id)).scalars())

    def rate(self, rated: Mapping[str, int]) -> None:
        """Set ratings of this week by username."""
        ids = self._ids()
        monday = week.key(clock.now_ms())
        with self._engine.begin() as conn:
            for username, rating in rated.items():
                ratings.save(conn, monday, {ids[username]: Standing(rating)})

    def live(self, match: str) -> MatchState:
        """The state of a match that is being played."""
        with self._engine.connect() as conn:
            found = tables.find(conn, TableId(match))
        assert found is not None
        return codec.decode(MatchState, found.state)

    def code(self, match: str) -> str:
        """The code of the round that is being played."""
        state = self.live(match)
        return state.deal.codes[len(state.rounds) - 1]

    def saved(self, match: str) -> Booked:
        """A match that is over and booked."""
        names = {account: username for username, account in self._ids().items()}
        with self._engine.connect() as conn:
            row = matches.find(conn, TableId(match))
            lines = matches.players(conn, [TableId(match)])[TableId(match)]
        assert row is not None
        return Booked(results(codec.decode(MatchState, row.record)), {names[line.account]: line for line in lines})

    def _ids(self) -> dict[str, AccountId]:
        with self._engine.connect() as conn:
            return {row.username: AccountId(row.id) for row in conn.execute(select(accounts.c.id, accounts.c.username))}
