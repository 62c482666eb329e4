"""Every table of the database, as SQLAlchemy Core metadata. Times are UTC milliseconds; enumerations are kept as their text."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives an automatic row id only to INTEGER PRIMARY KEY columns.
BigId = BigInteger().with_variant(Integer(), "sqlite")

accounts = Table(
    "accounts",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("subject", String(255), unique=True, comment="issuer and subject id of the provider; null for bots and deleted"),
    Column("email", String(320)),
    Column("username", String(40), nullable=False),
    Column("username_key", String(40), nullable=False, unique=True, comment="lower case: unique ignoring case (R12.2)"),
    Column("display_name", String(60), nullable=False),
    Column("avatar_url", String(1024), nullable=False, server_default=""),
    Column("is_bot", Boolean, nullable=False, server_default="0"),
    Column("state", String(16), nullable=False, server_default="active"),
    Column("state_reason", String(500), nullable=False, server_default=""),
    Column("suspended_until_ms", BigInteger),
    Column("points", Integer, nullable=False, server_default="0"),
    Column("played", Integer, nullable=False, server_default="0"),
    Column("won", Integer, nullable=False, server_default="0"),
    Column("lost", Integer, nullable=False, server_default="0"),
    Column("drawn", Integer, nullable=False, server_default="0"),
    Column("rounds_won", Integer, nullable=False, server_default="0"),
    Column("turns_skipped", Integer, nullable=False, server_default="0"),
    Column("ranked_played", Integer, nullable=False, server_default="0"),
    Column("quits_in_row", Integer, nullable=False, server_default="0", comment="ranked quits in a row (R7.7)"),
    Column("tips_seen", String(200), nullable=False, server_default="", comment="space-separated names of tips shown once"),
    Column("created_ms", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True, comment="SHA-256 of the cookie's token"),
    Column("account_id", BigId, ForeignKey("accounts.id"), nullable=False, unique=True, comment="one per account (R12.3)"),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
)

session_ends = Table(
    "session_ends",
    metadata,
    Column("token_hash", String(64), primary_key=True, comment="SHA-256 of the cookie's token"),
    Column("reason", String(16), nullable=False, comment="what its open pages are told"),
    Column("ended_ms", BigInteger, nullable=False, index=True, comment="kept for a minute or two, for workers that missed the notice"),
)

suspensions = Table(
    "suspensions",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("account_id", BigId, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("reason", String(500), nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger),
    Column("cause", String(64), unique=True, comment="the table that caused an automatic one: booked once"),
)

engagements = Table(
    "engagements",
    metadata,
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True, comment="one thing at a time (R3.6)"),
    Column("kind", String(16), nullable=False),
    Column("ref", String(40), nullable=False, server_default=""),
    Index("ix_engagements_ref", "ref"),
)

searches = Table(
    "searches",
    metadata,
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True),
    Column("type", String(16), nullable=False),
    Column("difficulty", String(16), nullable=False),
    Column("players", Integer, nullable=False),
    Column("joined_ms", BigInteger, nullable=False),
    Column("place", BigInteger, nullable=False, comment="order of joining; kept when a launch fails (R3.5)"),
    Column("away_since_ms", BigInteger, comment="no live connection since (R3.8)"),
    Index("ix_searches_group", "type", "difficulty", "players", "place"),
)

search_fills = Table(
    "search_fills",
    metadata,
    Column("type", String(16), primary_key=True),
    Column("difficulty", String(16), primary_key=True),
    Column("players", Integer, primary_key=True),
    Column("bots", Text, nullable=False, comment="JSON list of the bot accounts seated so far"),
    Column("last_fill_ms", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("next_deadline_ms", BigInteger, index=True, comment="null once over"),
    Column("over_ms", BigInteger),
    Column("settled", Boolean, nullable=False, server_default="0"),
    Index("ix_tables_unsettled", "settled", "over_ms"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(40), primary_key=True, comment="the table's id: saved once"),
    Column("type", String(16), nullable=False),
    Column("difficulty", String(16), nullable=False),
    Column("players", Integer, nullable=False),
    Column("end", String(16), nullable=False),
    Column("winner_id", BigId, ForeignKey("accounts.id")),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("record", Text, nullable=False, comment="the final state as JSON: rounds, codes, nonces, guesses"),
)

match_players = Table(
    "match_players",
    metadata,
    Column("match_id", String(40), ForeignKey("matches.id"), primary_key=True),
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("forfeited", Boolean, nullable=False),
    Column("full", Boolean, nullable=False, comment="a full match for everybody (SPEC, Terms)"),
    Column("rounds_won", Integer, nullable=False),
    Column("best_opponent_rounds", Integer, nullable=False),
    Column("guesses", Integer, nullable=False),
    Column("turns_skipped", Integer, nullable=False),
    Column("rating_before", Integer),
    Column("rating_after", Integer),
    Column("points_change", Integer, nullable=False),
    Column("points_after", Integer, nullable=False),
    Column("feats", Text, nullable=False, comment="JSON of the facts that achievements look at, for this player"),
    Column("ended_ms", BigInteger, nullable=False),
    Column("type", String(16), nullable=False),
    Index("ix_match_players_history", "account_id", "ended_ms"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("week", String(10), primary_key=True, comment="the Monday that opens the week, YYYY-MM-DD"),
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True),
    Column("rating", Integer, nullable=False),
    Column("ranked_played", Integer, nullable=False),
    Index("ix_ratings_board", "week", "rating"),
)

achievements = Table(
    "achievements",
    metadata,
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True),
    Column("name", String(40), primary_key=True),
    Column("unlocked_ms", BigInteger, nullable=False),
    Column("seen", Boolean, nullable=False, server_default="0"),
    Column("match_id", String(40)),
)

custom_totals = Table(
    "custom_totals",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("completed", Integer, nullable=False, server_default="0"),
    Column("cancelled", Integer, nullable=False, server_default="0"),
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("started_ms", BigInteger, nullable=False),
    Column("beat_ms", BigInteger, nullable=False),
)

connections = Table(
    "connections",
    metadata,
    Column("worker_id", String(40), primary_key=True),
    Column("account_id", BigId, primary_key=True),
    Column("opened_ms", BigInteger, nullable=False),
    Index("ix_connections_account", "account_id"),
)

duel_offers = Table(
    "duel_offers",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("maker_id", BigId, ForeignKey("accounts.id"), nullable=False, unique=True),
    Column("clock_ms", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("secret_rule", String(16), nullable=False),
    Column("format", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("away_since_ms", BigInteger),
    Column("to_id", BigId, ForeignKey("accounts.id"), index=True, comment="who alone may take it: a rematch (R17.4)"),
    Column("rematch_of", String(40), comment="the duel that it would follow"),
)

duels = Table(
    "duels",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("clock_ms", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("secret_rule", String(16), nullable=False),
    Column("format", String(16), nullable=False),
    Column("end", String(16), nullable=False),
    Column("winner_id", BigId, ForeignKey("accounts.id")),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("record", Text, nullable=False),
)

duel_players = Table(
    "duel_players",
    metadata,
    Column("duel_id", String(40), ForeignKey("duels.id"), primary_key=True),
    Column("account_id", BigId, ForeignKey("accounts.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("guesses", Integer, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("page_opened_ms", BigInteger, comment="the duel's page was last opened after the end (R17.4)"),
    Column("page_left_ms", BigInteger, comment="the duel's page was left after the end: no rematch any more"),
    Index("ix_duel_players_history", "account_id", "ended_ms"),
    UniqueConstraint("duel_id", "seat"),
)
