"""The people of the stage, in the database: with counts, ratings, achievements and states of their accounts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert

from guessio.rules import week
from guessio.rules.achievements import Achievement
from guessio.rules.terms import AccountId, AccountState, Difficulty, EngagementKind, MatchType
from guessio.services.tips import Tip
from guessio.store import achievements, database, engagements, ratings, schema, searches
from guessio.store.ratings import Standing

DAY_MS = 86_400_000
HOUR_MS = 3_600_000
NEWCOMER = "fern"


@dataclass(frozen=True, slots=True)
class Persona:
    """One account as the stage needs it."""

    account: AccountId
    username: str
    is_bot: bool = False
    rating: int = 0
    ranked_played: int = 0
    played: int = 0
    quits_in_row: int = 0
    state: AccountState = AccountState.ACTIVE
    state_reason: str = ""


def _cast() -> dict[str, Persona]:
    people = (
        Persona(AccountId(1), "mira_k", rating=1268, ranked_played=34, played=205),
        Persona(AccountId(2), "nova_7", rating=1604, ranked_played=61, played=340),
        Persona(AccountId(3), "pale_ink", rating=1411, ranked_played=12, played=57, quits_in_row=2),
        Persona(AccountId(4), "velvet_otter4821", is_bot=True, rating=984, ranked_played=20, played=88),
        Persona(AccountId(5), "patchy_sprocket", is_bot=True, rating=1102, ranked_played=20, played=91),
        Persona(AccountId(6), "a_name_as_long_as_names_may_be", rating=712, ranked_played=4, played=9),
        Persona(AccountId(7), NEWCOMER),
        Persona(AccountId(8), "basil", state=AccountState.SUSPENDED, state_reason="Left ranked matches", played=14),
        Persona(AccountId(9), "juno", state=AccountState.BANNED, state_reason="Insulting names", played=3),
        Persona(AccountId(10), "tessel", rating=655, ranked_played=5, played=31),
    )
    return {one.username: one for one in people}


PEOPLE = _cast()


def enter(now_ms: int) -> None:
    """Write everybody down."""
    with database.write() as conn:
        for one in PEOPLE.values():
            conn.execute(insert(schema.accounts).values(_row(one, now_ms)))
            ratings.save(conn, week.key(now_ms), {one.account: Standing(one.rating, one.ranked_played)})
        _achievements(conn, now_ms)
        group = searches.Group(MatchType.RANKED, Difficulty.HARDCORE, 4)
        for place, name in enumerate(("tessel", "nova_7")):
            joined = now_ms - 7_400 + place
            row = {"account_id": PEOPLE[name].account, "joined_ms": joined, "place": place}
            conn.execute(insert(schema.searches).values(type=group.type, difficulty=group.difficulty, players=group.players, **row))
        engagements.bind(conn, PEOPLE["tessel"].account, EngagementKind.SEARCH)


def _row(one: Persona, now_ms: int) -> dict[str, object]:
    name = one.username.replace("_", " ").title()[:30]
    won = one.played * 3 // 5
    lost = one.played // 4
    return {
        "id": one.account,
        "username": one.username,
        "username_key": one.username,
        "display_name": name,
        "is_bot": one.is_bot,
        "created_ms": now_ms - 250 * DAY_MS,
        "played": one.played,
        "won": won,
        "lost": lost,
        "drawn": one.played - won - lost,
        "rounds_won": one.played * 7 // 5,
        "turns_skipped": one.played // 15,
        "ranked_played": one.ranked_played,
        "points": one.played,
        "quits_in_row": one.quits_in_row,
        "state": one.state,
        "state_reason": one.state_reason,
        "suspended_until_ms": now_ms + 2 * HOUR_MS if one.state is AccountState.SUSPENDED else None,
        "tips_seen": "" if one.username == NEWCOMER else " ".join(sorted(Tip)),
    }


def _achievements(conn: Connection, now_ms: int) -> None:
    mira = PEOPLE["mira_k"].account
    old = (Achievement.WELCOME, Achievement.NEWBIE, Achievement.REGULAR, Achievement.SPEEDSTER, Achievement.CENTURION)
    for number, name in enumerate(old):
        achievements.unlock(conn, mira, (name,), now_ms - (200 - 30 * number) * DAY_MS, None)
    achievements.acknowledge(conn, mira)
