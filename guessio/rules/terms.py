"""The words of the game: enumerations and ids that every layer shares."""

from enum import StrEnum
from typing import NewType

AccountId = NewType("AccountId", int)
TableId = NewType("TableId", str)
SeatNo = NewType("SeatNo", int)


class TableKind(StrEnum):
    """Which machine a live table runs."""

    MATCH = "match"
    DUEL = "duel"


class MatchType(StrEnum):
    """How a match came about and what it is worth (SPEC 2)."""

    CASUAL = "casual"
    RANKED = "ranked"
    CUSTOM = "custom"


class Difficulty(StrEnum):
    """How much a mark tells (R1.7)."""

    STANDARD = "standard"
    HARDCORE = "hardcore"


class Mark(StrEnum):
    """The answer for one digit (R1.7, R17.3). `PRESENT` belongs to Hardcore only."""

    RIGHT = "right"
    ELSEWHERE = "elsewhere"
    ABSENT = "absent"
    PRESENT = "present"


class Skill(StrEnum):
    """The four skills (R6)."""

    REVEAL = "reveal"
    EXTRA_TURN = "extra_turn"
    FREEZE = "freeze"
    XRAY = "xray"


class MatchPhase(StrEnum):
    """Where a match stands between its making and its end (R1.10, R6.1)."""

    PICKING = "picking"
    COUNTDOWN = "countdown"
    TURN = "turn"
    PAUSE = "pause"
    CLOSING = "closing"
    OVER = "over"


class MatchEnd(StrEnum):
    """Why a match is over: played out, only one player left, or cancelled for inactivity (R1.11, R7.4, R7.6)."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    INACTIVITY = "inactivity"


class RoundEnd(StrEnum):
    """Why a round is over: cracked, limit reached, awarded to the last of two players, or broken off."""

    CRACKED = "cracked"
    LIMIT = "limit"
    AWARDED = "awarded"
    ABANDONED = "abandoned"


class LeaveReason(StrEnum):
    """How a player forfeited: by their own word, or by staying away too long (R7.2, R7.3)."""

    QUIT = "quit"
    TIMED_OUT = "timed_out"


class Outcome(StrEnum):
    """What a match was for one player."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    CANCELLED = "cancelled"


class DuelFormat(StrEnum):
    """How the marking reaches a duellist (R17.3)."""

    PER_POSITION = "per_position"
    TOTALS_ONLY = "totals_only"


class SecretRule(StrEnum):
    """Whether a duel's secrets may repeat a digit (R17.2)."""

    REPEATS = "repeats"
    ALL_DIFFERENT = "all_different"


class DuelPhase(StrEnum):
    """Where a duel stands."""

    CHOOSING = "choosing"
    PLAYING = "playing"
    OVER = "over"


class DuelEnd(StrEnum):
    """What decided a duel (R17.6)."""

    CRACKED = "cracked"
    FLAG = "flag"
    RESIGN = "resign"
    DISCONNECT = "disconnect"
    DRAW_NO_SECRETS = "draw_no_secrets"


class AccountState(StrEnum):
    """What an account may do (R12.4)."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    BANNED = "banned"
    DELETED = "deleted"


class EngagementKind(StrEnum):
    """The one thing at a time that an account may be bound to (R3.6)."""

    SEARCH = "search"
    MATCH = "match"
    DUEL_OFFER = "duel_offer"
    DUEL = "duel"


class Refusal(StrEnum):
    """Every reason for which a person's command is refused; worded once, in `web/wording.py`."""

    # the text of a guess or secret (R1.6, R17.2)
    NOT_TEXT = "not_text"
    EMPTY = "empty"
    WRONG_LENGTH = "wrong_length"
    NOT_DIGITS = "not_digits"
    REPEATED_DIGIT = "repeated_digit"
    # turns and commands
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    TOO_LATE = "too_late"
    NOT_STARTED = "not_started"
    ALREADY_OVER = "already_over"
    ALREADY_FORFEITED = "already_forfeited"
    # skills (R6)
    NO_SKILLS_HERE = "no_skills_here"
    NOT_YOUR_PICK = "not_your_pick"
    ALREADY_PICKED = "already_picked"
    SKILL_NOT_YOURS = "skill_not_yours"
    SKILL_USED = "skill_used"
    SKILL_ACTIVE = "skill_active"
    LAST_GUESS_LEFT = "last_guess_left"
    NOTHING_TO_REVEAL = "nothing_to_reveal"
    TARGET_NEEDED = "target_needed"
    TARGET_NOT_OPPONENT = "target_not_opponent"
    TARGET_LEFT = "target_left"
    TARGET_FROZEN = "target_frozen"
    TARGET_WATCHED = "target_watched"
    # searching and being engaged (R3)
    RANKED_CLOSED = "ranked_closed"
    BUSY_ELSEWHERE = "busy_elsewhere"
    NOT_SEARCHING = "not_searching"
    BAD_CHOICE = "bad_choice"
    SUSPENDED = "suspended"
    BANNED = "banned"
    # accounts (R12)
    USERNAME_TAKEN = "username_taken"
    USERNAME_RESERVED = "username_reserved"
    USERNAME_FORM = "username_form"
    USERNAME_LENGTH = "username_length"
    SIGN_UP_EXPIRED = "sign_up_expired"
    # duels (R17)
    SECRET_ALREADY_SET = "secret_already_set"
    OFFER_GONE = "offer_gone"
    OWN_OFFER = "own_offer"
    NO_REMATCH = "no_rematch"
