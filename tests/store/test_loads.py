"""Many tables read in one question, on Postgres: SQLite serves one process, which has what it needs in memory."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from flask import Flask
from sqlalchemy import text

from guessio.rules.terms import TableId, TableKind
from guessio.store import database
from guessio.store import tables as rows
from guessio.store.loads import Load, Reader
from guessio.store.tables import Stored

pytestmark = pytest.mark.postgres

ONE = Stored(TableId("one"), TableKind.MATCH, 3, '{"a":"{1}"}', 100)
TWO = Stored(TableId("two"), TableKind.DUEL, 7, "{}", None)


@pytest.fixture
def reader(database_url: str) -> Iterator[Reader]:
    database.init(Flask("store"), SimpleNamespace(database_url=database_url))  # pyright: ignore[reportArgumentType]
    with database.write() as conn:
        rows.add(conn, ONE)
        rows.add(conn, TWO)
    reader = Reader()
    yield reader
    reader.close()
    database.close()


def test_each_table_is_given_to_whoever_knows_an_older_version_only(reader: Reader) -> None:
    wanted = [Load(TWO.id, -1), Load(ONE.id, 3), Load(ONE.id, 2), Load(TableId("none"), -1), Load(TWO.id, 7)]
    assert reader.read(wanted) == [TWO, None, ONE, None, None]


def test_a_connection_that_was_lost_meanwhile_is_opened_anew(reader: Reader) -> None:
    assert reader.read([Load(ONE.id, -1)]) == [ONE]
    with database.read() as conn:
        ended = conn.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guessio loads'")).all()
    assert ended == [(True,)]
    assert reader.read([Load(TWO.id, -1)]) == [TWO]
