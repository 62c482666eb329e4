"""Duels in the database of a test: two accounts at a table, moved on by the services' own functions."""

from __future__ import annotations

from guessio.engine.duel.state import DuelState
from guessio.engine.machine import Rejected
from guessio.rules.terms import AccountId, DuelFormat, DuelPhase, EngagementKind, SecretRule, TableId
from guessio.services import duel_offers, duels, tables
from guessio.services.duel_terms import Terms
from guessio.services.tables import Accepted
from guessio.store import database, engagements
from guessio.store import duel_offers as rows
from guessio.store import duels as saved
from guessio.store.duel_offers import Offer
from guessio.store.duels import Duel, Duellist
from tests.services.crowd import an_account

MINUTE = 60_000
QUICK = Terms(1, 4, SecretRule.REPEATS, DuelFormat.PER_POSITION)
TOTALS = Terms(3, 5, SecretRule.ALL_DIFFERENT, DuelFormat.TOTALS_ONLY)


class Pair:
    """Ada offered a duel and Bo took it. Ada has seat 0; who moves first is drawn."""

    def __init__(self, terms: Terms = QUICK, names: tuple[str, str] = ("ada", "bo")) -> None:
        self.ada, self.bo = (an_account(name) for name in names)
        self.id = agreed(self.ada, self.bo, terms)

    @property
    def state(self) -> DuelState:
        return state_of(self.id)

    @property
    def mover(self) -> AccountId:
        seat = self.state.on_move
        assert seat is not None, "nobody has the move"
        return self.state.seats[seat].account

    @property
    def waiter(self) -> AccountId:
        return self.ada if self.mover == self.bo else self.bo

    def ready(self, ada: str = "1234", bo: str = "5678") -> Pair:
        """Both choose their secrets."""
        assert isinstance(duels.set_secret(self.ada, self.id, ada), Accepted)
        assert isinstance(duels.set_secret(self.bo, self.id, bo), Accepted)
        return self

    def guess(self, digits: str, actor: AccountId | None = None, lag: str = "") -> duels.Outcome:
        """A guess of the player on the move, or of another, in the running turn."""
        turn = len(self.state.guesses) + 1
        return duels.guess(self.mover if actor is None else actor, self.id, turn, digits, lag)

    def secret_against(self, actor: AccountId) -> str:
        """The number that `actor` has to break."""
        secret = next(seat.secret for seat in self.state.seats if seat.account != actor)
        assert secret is not None
        return secret

    def crack(self) -> Pair:
        """The player on the move breaks the other's secret."""
        assert isinstance(self.guess(self.secret_against(self.mover)), Accepted)
        assert self.state.phase is DuelPhase.OVER
        return self

    def crack_by_waiter(self) -> Pair:
        """The player on the move guesses wrong, and the other breaks the secret."""
        wrong = "9" * self.state.agreement.length
        assert isinstance(self.guess(wrong), Accepted)
        return self.crack()


def agreed(maker: AccountId, taker: AccountId, terms: Terms = QUICK) -> TableId:
    """A duel that one offered and the other took."""
    offer = duel_offers.make(maker, terms, is_public=True)
    assert isinstance(offer, str)
    table = duel_offers.take(taker, offer)
    assert not isinstance(table, Rejected), table
    return table


def state_of(table: TableId) -> DuelState:
    """The duel as it is now."""
    loaded = tables.load(table)
    assert loaded is not None
    return loaded.state


def bound(account: AccountId) -> tuple[EngagementKind, str] | None:
    """What the database binds the account to."""
    with database.read() as conn:
        found = engagements.find(conn, account)
    return None if found is None else (found.kind, found.ref)


def offer_of(account: AccountId) -> Offer | None:
    """The account's own offer."""
    with database.read() as conn:
        return rows.of_maker(conn, account)


def saved_duel(table: TableId) -> tuple[Duel | None, dict[AccountId, Duellist]]:
    """What was written down of a finished duel."""
    with database.read() as conn:
        lines = saved.players(conn, [table]).get(table, ())
        return saved.find(conn, table), {line.account: line for line in lines}
