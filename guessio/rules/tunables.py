"""Every number of the rules, once, with its SPEC rule id.

Read a name as `tunables.TURN_MS` when it is needed, never by importing the name: `shorten` changes every `*_MS` name at start.
"""

from __future__ import annotations

from typing import Any

from guessio.rules.terms import Difficulty

# 1 Online match
PLAYERS_MIN = 2  # R1.1
PLAYERS_MAX = 4  # R1.1
CODE_LENGTH = {2: 4, 3: 5, 4: 6}  # R1.1, digits by players
GUESS_LIMIT = {2: 10, 3: 15, 4: 20}  # R1.1, shared guesses of a round by players
ROUNDS_MAX = 3  # R1.1
NONCE_BITS = 128  # R1.3
TURN_MS = 30_000  # R1.5
BOT_WAIT_MIN_MS = 2_000  # R1.5
BOT_WAIT_MAX_MS = 15_000  # R1.5
COUNTDOWN_MS = 5_000  # R1.10
PAUSE_MS = 5_000  # R1.10
CLOSING_MS = 3_000  # R1.10
DECIDABLE_FROM_ROUND = 2  # R1.11, the first round after which the match can be won
RESUME_EXTRA_MS = 5_000  # R1.13, given on top of the measured downtime

# 3 Matchmaking
FILL_MS = 5_000  # R3.2, between two bot seats
SEARCH_AWAY_MS = 10_000  # R3.8

# 4 Custom rooms
ROOM_CODE_LENGTH = 6  # R4.1
ROOM_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # R4.1
ROOM_IDLE_MS = 30 * 60_000  # R4.2
ROOM_AWAY_MS = 10_000  # R4.3

# 5 Live connection
AWAY_UNSEEN_MS = 3_000  # R5.1

# 6 Skills
PICK_MS = 10_000  # R6.1
EXTRA_TURN_GUESSES_MIN = 2  # R6.2, guesses that must be left in the round

# 7 Leaving, inactivity, quitting
AWAY_GRACE_MS = 60_000  # R7.1
WARNING_ROTATIONS = 1  # R7.6
CANCEL_ROTATIONS = 2  # R7.6
INACTIVITY_RATING = -30  # R7.6
INACTIVITY_POINTS_PERCENT = 10  # R7.6
QUIT_RATING = -30  # R7.5, R9.3
QUITS_TO_WARN = 2  # R7.7
QUITS_TO_SUSPEND = 3  # R7.7
SUSPENSION_STEPS_MS = (30 * 60_000, 2 * 3_600_000, 24 * 3_600_000, 72 * 3_600_000)  # R7.7
SUSPENSION_MEMORY_MS = 30 * 24 * 3_600_000  # R7.7
BLAMELESS_AFTER_START_MS = 10 * 60_000  # R7.7

# 8 Points
WIN_POINTS = {Difficulty.STANDARD: 3, Difficulty.HARDCORE: 5}  # R8, SPEC 2
DRAW_POINTS = 1  # R8
LOSS_POINTS = 0  # R8
POINTS_FLOOR = 0  # R8

# 9 Rating and the week
RATING_START = 0  # R9.1
RATING_FLOOR = 0  # R9.1
RATING_WEIGHT = 32  # R9.2
RATING_SPREAD = 400  # R9.2
RATING_BASE = 10  # R9.2
RATING_TOP_GROUP_WINS = 2  # R9.2, rounds won that put a player into the top group
RATING_MULTIPLIER = {2: 1.0, 3: 1.25, 4: 1.5}  # R9.2, by the seats the match started with
WEEK_DAYS = 7  # R9.5
RANKED_CLOSED_MS = 3 * 60_000  # R9.5
LEADERBOARD_SIZE = 20  # R9.6
RANK_UNLOCK_MATCHES = 3  # R9.6
PODIUM_SIZE = 3  # R9.7
RECAP_LAST_PLACE = 10  # R9.7
TOP_STATUS_RANK = 10  # R9.8
TOP_STATUS_MATCHES = 10  # R9.8

# 10 Achievements
REGULAR_MATCHES = 50  # R10
CENTURION_MATCHES = 100  # R10
VETERAN_MATCHES = 500  # R10
SPEEDSTER_ROUND_MS = 60_000  # R10, strictly less
QUICK_DRAW_MATCH_MS = 90_000  # R10, strictly less
FLAWLESS_WINS = (5, 10, 20)  # R10
TERRIBLE_LOSSES = 3  # R10
HARDCORE_LEGEND_WINS = 3  # R10
STREAK_DAYS = (7, 30)  # R10

# 11 History
HISTORY_PAGE_SIZE = 20  # R11.3

# 12 Account
SIGN_UP_MS = 15 * 60_000  # R12.2
USERNAME_MIN = 3  # R12.2
USERNAME_MAX = 30  # R12.2
USERNAMES_RESERVED = frozenset({"guest"})  # R12.2
DISPLAY_NAME_MAX = 30  # R12.2
APPEAL_MAX = 1_000  # R12.4

# 13 Friends, invites, reports
FRIENDS_MAX = 10  # R13.1
CHALLENGE_MS = 60_000  # R13.2
CHALLENGE_AGAIN_MS = 15_000  # R13.2
REPORT_NOTE_MAX = 500  # R13.4

# 14 Daily Challenge
DAILY_LENGTH = 4  # R14.1
DAILY_GUESSES = 10  # R14.1
DAILY_WINDOW_DAYS = 7  # R14.2
DAILY_RETRY_POINTS = 10  # R14.3, R8
DAILY_CALENDAR_DAYS = 30  # R14.4
DAILY_LATE_MS = 10 * 60_000  # R14.5

# 15 Notifications
PUSH_SPOTS = 3  # R15
STREAK_REMINDER_HOUR = 20  # R15, UTC
STREAK_REMINDER_DAYS = 1  # R15

# 16 Practice
PRACTICE_LENGTH = {"easy": 4, "medium": 5, "hard": 6}  # R16
PRACTICE_LIMIT = {"easy": 10, "medium": 12, "hard": 15}  # R16

# 17 Duel
DUEL_CLOCKS_MS = {1: 60_000, 3: 180_000, 5: 300_000, 10: 600_000}  # R17.1, by minutes as offered
DUEL_LENGTHS = (4, 5)  # R17.1
DUEL_GRACE_MS = 60_000  # R17.6
DUEL_LAG_MOVE_MS = 300  # R17.5, most lag given back for one move
DUEL_LAG_QUOTA_MS = 1_000  # R17.5, most lag given back in one duel
DUEL_OFFER_AWAY_MS = 10_000  # R17.1
DUEL_THINK_MIN_MS = 1_500  # R17.7, the computer's shortest thought
DUEL_THINK_MAX_MS = 9_000  # R17.7, the computer's longest thought
DUEL_THINK_SHARE = 20  # R17.7, the computer spends at most this part (one in so many) of its clock on a move

_UNSHORTENED: dict[str, Any] = {name: value for name, value in globals().items() if name.endswith("_MS")}


def shorten(factor: float) -> None:
    """Divide every duration of the rules by `factor`, counted from the written values; 1 restores them (SPEC 20)."""
    if factor <= 0:
        raise ValueError("the factor must be above 0")
    globals().update({name: _divided(value, factor) for name, value in _UNSHORTENED.items()})


def _divided(value: Any, factor: float) -> Any:
    """One duration, or a tuple or table of durations, divided; nothing falls to 0."""
    match value:
        case dict():
            return {key: _divided(inner, factor) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case tuple():
            return tuple(_divided(inner, factor) for inner in value)  # pyright: ignore[reportUnknownVariableType]
        case _:
            return max(1, round(value / factor))
