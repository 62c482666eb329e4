"""Duel offers that wait to be taken: one an account at most (R3.6, R17.1). A rematch is an offer to one account alone (R17.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select, update

from guessio.engine.duel.state import Agreement
from guessio.rules.terms import AccountId, AccountState, DuelFormat, SecretRule, TableId
from guessio.store.schema import accounts, duel_offers
from guessio.store.upsert import add as add_row

SHOWN_MOST = 100


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer. `to` alone may take a rematch, of the duel `rematch_of`; both are None otherwise.

    `away_since_ms` is set while the maker has no live connection open.
    """

    id: str
    maker: AccountId
    agreement: Agreement
    public: bool
    made_ms: int
    away_since_ms: int | None = None
    to: AccountId | None = None
    rematch_of: TableId | None = None


def add(conn: Connection, offer: Offer) -> bool:
    """Keep a new offer; False when its maker has one already."""
    return add_row(
        conn,
        duel_offers,
        id=offer.id,
        maker_id=offer.maker,
        clock_ms=offer.agreement.clock_ms,
        length=offer.agreement.length,
        secret_rule=offer.agreement.secret_rule,
        format=offer.agreement.format,
        public=offer.public,
        made_ms=offer.made_ms,
        away_since_ms=offer.away_since_ms,
        to_id=offer.to,
        rematch_of=offer.rematch_of,
    )


def find(conn: Connection, offer: str) -> Offer | None:
    """The offer of this id, if it still waits."""
    row = conn.execute(select(duel_offers).where(duel_offers.c.id == offer)).first()
    return None if row is None else _of_row(row)


def of_maker(conn: Connection, maker: AccountId) -> Offer | None:
    """The account's own offer, if it has one."""
    row = conn.execute(select(duel_offers).where(duel_offers.c.maker_id == maker)).first()
    return None if row is None else _of_row(row)


def public(conn: Connection, limit: int = SHOWN_MOST) -> tuple[Offer, ...]:
    """The offers of the lobby, the newest first; those of accounts that may not play are left out."""
    active = accounts.c.state == AccountState.ACTIVE
    query = (
        select(duel_offers)
        .join(accounts, accounts.c.id == duel_offers.c.maker_id)
        .where(duel_offers.c.public.is_(True), active)
        .order_by(duel_offers.c.made_ms.desc(), duel_offers.c.id)
        .limit(limit)
    )
    return tuple(map(_of_row, conn.execute(query)))


def rematches(conn: Connection, duel: TableId) -> tuple[Offer, ...]:
    """The offers of a rematch of this duel."""
    return tuple(map(_of_row, conn.execute(select(duel_offers).where(duel_offers.c.rematch_of == duel))))


def rematches_of(conn: Connection, account: AccountId) -> tuple[Offer, ...]:
    """The offers of a rematch that this account made or was made."""
    concerned = or_(duel_offers.c.maker_id == account, duel_offers.c.to_id == account)
    return tuple(map(_of_row, conn.execute(select(duel_offers).where(duel_offers.c.rematch_of.is_not(None), concerned))))


def remove(conn: Connection, offer: str) -> bool:
    """Remove an offer; False when it was gone already."""
    return conn.execute(delete(duel_offers).where(duel_offers.c.id == offer)).rowcount == 1


def mark_away(conn: Connection, maker: AccountId, since_ms: int | None) -> bool:
    """Note since when the maker of an offer has had no live connection, None when there is one again; whether that was news."""
    known = duel_offers.c.away_since_ms
    news = known.is_(None) if since_ms is not None else known.is_not(None)
    return conn.execute(update(duel_offers).where(duel_offers.c.maker_id == maker, news).values(away_since_ms=since_ms)).rowcount == 1


def abandoned(conn: Connection, away_before_ms: int) -> tuple[Offer, ...]:
    """The offers whose makers have been away since that moment or longer."""
    return tuple(map(_of_row, conn.execute(select(duel_offers).where(duel_offers.c.away_since_ms <= away_before_ms))))


def longest_away(conn: Connection) -> int | None:
    """Since when the maker who has been away the longest is away; None when all are there."""
    return conn.execute(select(func.min(duel_offers.c.away_since_ms))).scalar()


def _of_row(row: Row[*tuple[Any, ...]]) -> Offer:
    return Offer(
        id=row.id,
        maker=AccountId(row.maker_id),
        agreement=Agreement(row.clock_ms, row.length, SecretRule(row.secret_rule), DuelFormat(row.format)),
        public=row.public,
        made_ms=row.made_ms,
        away_since_ms=row.away_since_ms,
        to=None if row.to_id is None else AccountId(row.to_id),
        rematch_of=None if row.rematch_of is None else TableId(row.rematch_of),
    )
