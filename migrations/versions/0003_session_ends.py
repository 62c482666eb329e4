"""Ends of sessions: written down with the end itself, so that a worker that missed the notice reads of it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = '0003'
down_revision: str | None = '0002'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Bring the schema forward."""
    op.create_table(
        'session_ends',
        sa.Column('token_hash', sa.String(length=64), nullable=False, comment="SHA-256 of the cookie's token"),
        sa.Column('reason', sa.String(length=16), nullable=False, comment='what its open pages are told'),
        sa.Column('ended_ms', sa.BigInteger(), nullable=False, comment='kept for a minute or two, for workers that missed the notice'),
        sa.PrimaryKeyConstraint('token_hash', name=op.f('pk_session_ends')),
    )
    with op.batch_alter_table('session_ends', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_session_ends_ended_ms'), ['ended_ms'], unique=False)


def downgrade() -> None:
    """Take it back."""
    op.drop_table('session_ends')
