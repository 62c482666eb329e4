"""How Alembic reaches the application's database: in one transaction, one process at a time."""

from __future__ import annotations

from alembic import context
from flask import current_app
from sqlalchemy import Connection, text

from guessio.store import schema

TURN = 0x6D696772


def _configure(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=schema.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )


def _run() -> None:
    engine = current_app.extensions["migrate"].db.engine
    with engine.execution_options(begin="BEGIN IMMEDIATE").connect() as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            # Several hosts may be deployed at once; the later ones find the work done.
            connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})
        _configure(connection)
        with context.begin_transaction():
            context.run_migrations()


if context.is_offline_mode():
    raise SystemExit("Migrations need the database: run them without --sql")
_run()
