"""Rematches: an offer to one account alone, and who is still on a finished duel's page."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = '0002'
down_revision: str | None = '0001'
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Bring the schema forward."""
    with op.batch_alter_table('duel_offers', schema=None) as batch_op:
        batch_op.add_column(
            sa.Column('to_id', sa.BigInteger().with_variant(sa.Integer(), 'sqlite'), nullable=True, comment='who alone may take it: a rematch (R17.4)')
        )
        batch_op.add_column(sa.Column('rematch_of', sa.String(length=40), nullable=True, comment='the duel that it would follow'))
        batch_op.create_foreign_key(batch_op.f('fk_duel_offers_to_id'), 'accounts', ['to_id'], ['id'])
        batch_op.create_index(batch_op.f('ix_duel_offers_to_id'), ['to_id'], unique=False)

    with op.batch_alter_table('duel_players', schema=None) as batch_op:
        batch_op.add_column(
            sa.Column('page_opened_ms', sa.BigInteger(), nullable=True, comment="the duel's page was last opened after the end (R17.4)")
        )
        batch_op.add_column(
            sa.Column('page_left_ms', sa.BigInteger(), nullable=True, comment="the duel's page was left after the end: no rematch any more")
        )


def downgrade() -> None:
    """Take it back."""
    with op.batch_alter_table('duel_players', schema=None) as batch_op:
        batch_op.drop_column('page_left_ms')
        batch_op.drop_column('page_opened_ms')

    with op.batch_alter_table('duel_offers', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_duel_offers_to_id'))
        batch_op.drop_constraint(batch_op.f('fk_duel_offers_to_id'), type_='foreignkey')
        batch_op.drop_column('rematch_of')
        batch_op.drop_column('to_id')
