"""Live tables on both databases: one row each, written under its expected version only."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from flask import Flask

from guessio.rules.terms import TableId, TableKind
from guessio.store import database, saves
from guessio.store import tables as rows
from guessio.store.tables import Save, Stored

pytestmark = pytest.mark.db

ONE, TWO = TableId("one"), TableId("two")


@pytest.fixture
def opened(database_url: str) -> Iterator[None]:
    database.init(Flask("store"), SimpleNamespace(database_url=database_url))  # pyright: ignore[reportArgumentType]
    yield
    database.close()


@pytest.fixture
def writer(opened: None) -> Iterator[saves.Writer]:
    with database.write() as conn:
        rows.add(conn, Stored(ONE, TableKind.MATCH, 1, "{}", 100))
        rows.add(conn, Stored(TWO, TableKind.MATCH, 1, "{}", 200))
    writer = saves.writer()
    yield writer
    writer.close()


def stored(table_id: TableId) -> Stored:
    with database.read() as conn:
        row = rows.find(conn, table_id)
    assert row is not None
    return row


def test_a_save_under_the_expected_version_makes_the_next_one(writer: saves.Writer) -> None:
    assert writer.write([Save(ONE, 1, '{"a":1}', 300, None)]) == [True]
    assert stored(ONE) == Stored(ONE, TableKind.MATCH, 2, '{"a":1}', 300)


def test_a_save_under_another_version_changes_nothing_and_spares_the_others(writer: saves.Writer) -> None:
    assert writer.write([Save(TWO, 7, "late", 1, None), Save(ONE, 1, "new", 300, None)]) == [False, True]
    assert stored(TWO).state == "{}"
    assert stored(ONE).state == "new"


def test_a_save_of_an_unknown_table_is_a_conflict(writer: saves.Writer) -> None:
    assert writer.write([Save(TableId("none"), 1, "x", 1, None)]) == [False]


def test_a_failing_batch_writes_nothing_and_the_writer_goes_on(writer: saves.Writer) -> None:
    with pytest.raises(Exception, match=r".+"):
        writer.write([Save(ONE, 1, "new", 300, None), Save(TWO, 1, None, 300, None)])  # pyright: ignore[reportArgumentType]
    assert stored(ONE).state == "{}"
    assert writer.write([Save(ONE, 1, "new", 300, None)]) == [True]


def test_overdue_tables_come_longest_overdue_first_and_over_ones_never(writer: saves.Writer) -> None:
    with database.read() as conn:
        assert rows.overdue(conn, 200, 10) == (ONE, TWO)
        assert rows.overdue(conn, 199, 10) == (ONE,)
    writer.write([Save(ONE, 1, "over", None, 150)])
    with database.read() as conn:
        assert rows.overdue(conn, 10**15, 10) == (TWO,)
        assert rows.deadlines(conn) == {TWO: 200}


def test_a_table_is_settled_once(writer: saves.Writer) -> None:
    writer.write([Save(ONE, 1, "over", None, 150)])
    with database.write() as conn:
        assert rows.unsettled(conn, 151, 10) == (ONE,)
        assert rows.settle(conn, ONE)
        assert not rows.settle(conn, ONE)
        assert rows.unsettled(conn, 151, 10) == ()


def test_a_write_block_that_raises_leaves_no_trace(opened: None) -> None:
    def fail() -> None:
        with database.write() as conn:
            rows.add(conn, Stored(ONE, TableKind.MATCH, 1, "{}", 100))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with database.read() as conn:
        assert rows.find(conn, ONE) is None


def test_foreign_keys_hold(opened: None) -> None:
    from sqlalchemy.exc import IntegrityError

    from guessio.rules.terms import AccountId, EngagementKind
    from guessio.store import engagements

    with pytest.raises(IntegrityError), database.write() as conn:
        engagements.bind(conn, AccountId(404), EngagementKind.SEARCH)


def test_the_migrations_make_what_the_schema_says(opened: None) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from guessio.store.schema import metadata

    with database.read() as conn:
        assert compare_metadata(MigrationContext.configure(conn), metadata) == []


def test_writers_of_one_process_do_not_wait_for_themselves(writer: saves.Writer) -> None:
    with database.write():
        if database.is_sqlite():
            with pytest.raises(RuntimeError, match="wait for itself"):
                writer.write([Save(ONE, 1, "new", 300, None)])
        else:
            assert writer.write([Save(ONE, 1, "new", 300, None)]) == [True]
