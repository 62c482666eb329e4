"""Rows of offers and finished duels: one offer a maker, one record a duel, and who is still on its page (R3.6, R17.4, R17.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guessio.engine.duel.state import Agreement
from guessio.rules.terms import AccountId, DuelEnd, DuelFormat, Outcome, SeatNo, SecretRule, TableId
from guessio.store import database, duel_offers, duels
from guessio.store.duel_offers import Offer
from guessio.store.duels import Duel, Duellist
from tests.services.crowd import an_account

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("app")]

AGREED = Agreement(60_000, 5, SecretRule.ALL_DIFFERENT, DuelFormat.TOTALS_ONLY)
D1 = TableId("d1")


def an_offer(maker: AccountId, name: str = "o1", made_ms: int = 7) -> Offer:
    return Offer(name, maker, AGREED, True, made_ms)


def test_an_offer_comes_back_as_it_was_kept() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    kept = replace(an_offer(ada), public=False, away_since_ms=9, to=bo, rematch_of=D1)
    with database.write() as conn:
        assert duel_offers.add(conn, kept)
        assert duel_offers.find(conn, "o1") == duel_offers.of_maker(conn, ada) == kept
        assert duel_offers.rematches(conn, D1) == duel_offers.rematches_of(conn, bo) == duel_offers.rematches_of(conn, ada) == (kept,)
        assert duel_offers.public(conn) == ()


def test_a_maker_has_one_offer() -> None:
    ada = an_account("ada")
    with database.write() as conn:
        assert duel_offers.add(conn, an_offer(ada))
        assert not duel_offers.add(conn, an_offer(ada, "o2"))
        assert duel_offers.remove(conn, "o1")
        assert not duel_offers.remove(conn, "o1")


def test_absence_is_noted_once() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    with database.write() as conn:
        duel_offers.add(conn, an_offer(ada))
        assert duel_offers.longest_away(conn) is None
        assert [duel_offers.mark_away(conn, ada, since) for since in (5, 6, None, None)] == [True, False, True, False]
        assert not duel_offers.mark_away(conn, bo, 5)
        duel_offers.mark_away(conn, ada, 8)
        assert (duel_offers.longest_away(conn), len(duel_offers.abandoned(conn, 7)), len(duel_offers.abandoned(conn, 8))) == (8, 0, 1)


def saved(first: AccountId, second: AccountId, name: str = "d1", ended_ms: int = 50) -> Duel:
    duel = Duel(TableId(name), AGREED, DuelEnd.FLAG, second, 1, ended_ms, '{"both":"secrets"}')
    lines = [
        Duellist(duel.id, first, SeatNo(0), Outcome.LOSS, 3),
        Duellist(duel.id, second, SeatNo(1), Outcome.WIN, 2),
    ]
    with database.write() as conn:
        assert duels.save(conn, duel, lines)
        assert not duels.save(conn, duel, lines)
    return duel


def test_a_duel_is_saved_once_and_listed_without_its_secrets() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    old, new = saved(ada, bo), saved(ada, bo, "d2", 60)
    with database.read() as conn:
        assert duels.find(conn, D1) == old
        listed = duels.page(conn, ada, None, 10)
        assert listed == (replace(new, record=""), replace(old, record=""))
        assert duels.page(conn, ada, Outcome.WIN, 10) == ()
        assert duels.page(conn, bo, Outcome.WIN, 1, 1) == listed[1:]
        assert [line.account for line in duels.players(conn, [D1])[D1]] == [ada, bo]
        assert (duels.players(conn, []), duels.find(conn, TableId("d9"))) == ({}, None)


def test_a_page_is_left_unless_it_was_opened_since() -> None:
    ada, bo = an_account("ada"), an_account("bo")
    saved(ada, bo)
    with database.write() as conn:
        assert not duels.page_opened(conn, D1, ada, 100)
        assert not duels.page_left(conn, D1, ada, 99)
        assert [duels.page_left(conn, D1, ada, at) for at in (100, 101)] == [True, False]
        assert duels.page_left(conn, D1, bo, 1)
        assert [line.page_left_ms for line in duels.players(conn, [D1])[D1]] == [100, 1]
        assert [duels.page_opened(conn, D1, ada, at) for at in (150, 151)] == [True, False]
