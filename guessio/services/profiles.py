"""A player's profile, one's own and the public one (R11.1, R11.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from guessio import clock
from guessio.rules import ranking
from guessio.rules.terms import AccountId, AccountState
from guessio.rules.week import day
from guessio.services import achievements, duel_history, history, week
from guessio.services.achievements import Badge, ProgressCard
from guessio.services.duel_history import DuelEntry
from guessio.services.history import HistoryEntry
from guessio.services.people import Person
from guessio.store import accounts, database, statistics
from guessio.store.accounts import Account

RECENT = 5
RECENT_DUELS = 3


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What a profile shows; never the e-mail. `is_own` adds the shortcuts.

    `joined` is "March 2026". `win_rate` is a whole percentage. `top_rank` is the place 1–10 of a top-10 player, else None (R9.8).
    `badges` are the unlocked ones on another's profile and all 16 on one's own; `recent` and `duels` are filled on one's own only.
    """

    person: Person
    is_own: bool
    joined: str
    rating: int
    points: int
    played: int
    won: int
    lost: int
    drawn: int
    rounds_won: int
    turns_skipped: int
    win_rate: int
    top_rank: int | None
    card: ProgressCard
    badges: tuple[Badge, ...]
    recent: tuple[HistoryEntry, ...]
    duels: tuple[DuelEntry, ...]


def own(actor: AccountId) -> ProfileView:
    """The actor's own profile. Raises: LookupError when there is no such account, which a session rules out."""
    with database.read() as conn:
        account = accounts.find(conn, actor)
    if account is None:
        raise LookupError(f"no account {actor}")
    return _view(account, is_own=True)


def public(username: str, viewer: AccountId | None) -> ProfileView | None:
    """The profile under a username, also for a visitor who isn't signed in; None where there is none to be seen (R11.2)."""
    with database.read() as conn:
        account = accounts.find_by_username(conn, username)
    if account is None or account.state is AccountState.DELETED:
        return None
    return _view(account, is_own=account.id == viewer)


def win_rate(counts: statistics.Statistics) -> int:
    """Matches won of all played, as a whole percentage, halves rounded up (R11.1)."""
    return (200 * counts.won + counts.played) // (2 * counts.played) if counts.played else 0


def _view(account: Account, *, is_own: bool) -> ProfileView:
    now = clock.now_ms()
    with database.read() as conn:
        counts = statistics.of(conn, account.id)
    rank = week.rank_of(account.id, now)
    badges = achievements.badges_of(account.id, checked=is_own)
    return ProfileView(
        person=Person(account.id, account.username, account.display_name, account.avatar_url, account.is_bot),
        is_own=is_own,
        joined=f"{day(account.created_ms):%B %Y}",
        rating=week.standing_of(account.id, now).rating,
        points=counts.points,
        played=counts.played,
        won=counts.won,
        lost=counts.lost,
        drawn=counts.drawn,
        rounds_won=counts.rounds_won,
        turns_skipped=counts.turns_skipped,
        win_rate=win_rate(counts),
        top_rank=rank if ranking.has_top_status(rank, counts.ranked_played) else None,
        card=achievements.card_of(badges),
        # What is new to its owner is nobody else's matter.
        badges=badges if is_own else tuple(replace(badge, is_new=False) for badge in badges if badge.unlocked),
        recent=history.recent(account.id, RECENT) if is_own else (),
        duels=duel_history.recent(account.id, RECENT_DUELS) if is_own else (),
    )
