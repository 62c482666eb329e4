"""What a person reads for each refusal: short, without blame, and with what to do next. The only place where refusals are worded."""

from __future__ import annotations

from guessio.rules import tunables
from guessio.rules.terms import Refusal

_SENTENCES: dict[Refusal, str] = {
    Refusal.NOT_TEXT: "Type your guess as digits.",
    Refusal.EMPTY: "Enter a guess first.",
    Refusal.WRONG_LENGTH: "That has the wrong number of digits.",
    Refusal.NOT_DIGITS: "Use the digits 0 to 9 only.",
    Refusal.REPEATED_DIGIT: "Use each digit once.",
    Refusal.NOT_SEATED: "You have no seat here.",
    Refusal.NOT_YOUR_TURN: "Hold on, it isn't your turn.",
    Refusal.STALE_TURN: "That was for an earlier turn. The board is up to date now.",
    Refusal.TOO_LATE: "Time ran out before that arrived.",
    Refusal.NOT_STARTED: "The round hasn't started yet.",
    Refusal.ALREADY_OVER: "This game is over.",
    Refusal.ALREADY_FORFEITED: "You have left this match, so you can only watch.",
    Refusal.NO_SKILLS_HERE: "This match is played without skills.",
    Refusal.NOT_YOUR_PICK: "Hold on, somebody else is picking.",
    Refusal.ALREADY_PICKED: "Your skill is picked already.",
    Refusal.SKILL_NOT_YOURS: "You didn't pick that skill.",
    Refusal.SKILL_USED: "That skill is used up.",
    Refusal.SKILL_ACTIVE: "That skill is at work already.",
    Refusal.LAST_GUESS_LEFT: "One guess is left in this round, so there is no extra turn to take.",
    Refusal.NOTHING_TO_REVEAL: "You know every place already.",
    Refusal.TARGET_NEEDED: "Choose an opponent first.",
    Refusal.TARGET_NOT_OPPONENT: "Choose one of your opponents.",
    Refusal.TARGET_LEFT: "That player has left. Choose another.",
    Refusal.TARGET_FROZEN: "That player is frozen already. Choose another.",
    Refusal.TARGET_WATCHED: "You are watching that player already. Choose another.",
    Refusal.RANKED_CLOSED: "The week is turning over. Ranked opens again in a few minutes. Casual is open.",
    Refusal.BUSY_ELSEWHERE: "You are in another game. Finish or leave that one first.",
    Refusal.NOT_SEARCHING: "You aren't searching any more.",
    Refusal.BAD_CHOICE: "That choice isn't on offer. Pick one from the list.",
    Refusal.SUSPENDED: "Your account is paused, so you can't play for now.",
    Refusal.BANNED: "Your account is closed to play.",
    Refusal.USERNAME_TAKEN: "Somebody has that username. Try another.",
    Refusal.USERNAME_RESERVED: "That username can't be had. Try another.",
    Refusal.USERNAME_FORM: "Use lowercase letters, digits and underscores only.",
    Refusal.USERNAME_LENGTH: f"Use {tunables.USERNAME_MIN} to {tunables.USERNAME_MAX} characters.",
    Refusal.SIGN_UP_EXPIRED: f"That took longer than {tunables.SIGN_UP_MS // 60_000} minutes. Sign in again; nothing was stored.",
    Refusal.SECRET_ALREADY_SET: "Your secret is set already.",
    Refusal.OFFER_GONE: "That offer is gone.",
    Refusal.OWN_OFFER: "That is your own offer. Wait for somebody to take it.",
    Refusal.NO_REMATCH: "A rematch isn't on offer any more.",
}

# With the digit, count or name that the refusal carries.
_DETAILED: dict[Refusal, str] = {
    Refusal.WRONG_LENGTH: "This takes {detail} digits.",
    Refusal.REPEATED_DIGIT: "That guess uses {detail} twice. Use each digit once.",
    Refusal.NOT_YOUR_TURN: "Hold on, {detail} is guessing.",
    Refusal.NOT_YOUR_PICK: "Hold on, {detail} is picking.",
    Refusal.TARGET_FROZEN: "{detail} is frozen already. Choose another.",
    Refusal.TARGET_LEFT: "{detail} has left. Choose another.",
    Refusal.TARGET_WATCHED: "You are watching {detail} already. Choose another.",
    Refusal.USERNAME_TAKEN: "{detail} is taken. Try another.",
}


def sentence(refusal: Refusal, detail: str = "") -> str:
    """The sentence for a refusal; plain text, to be escaped like any other. `detail` is a digit, a count or a name."""
    if detail and refusal in _DETAILED:
        return _DETAILED[refusal].format(detail=detail)
    return _SENTENCES[refusal]


# What differs in a duel, and of those what differs for the secret that one chooses oneself.
_IN_DUEL: dict[Refusal, str] = {
    Refusal.NOT_STARTED: "Both secrets have to be chosen first.",
    Refusal.ALREADY_OVER: "This duel is over.",
    Refusal.TOO_LATE: "Your clock ran out before that arrived.",
    Refusal.OFFER_GONE: "That offer is gone: somebody was quicker, or it was taken back.",
    Refusal.BUSY_ELSEWHERE: "You are in another game. Finish or leave that one before you start a duel.",
}
_FOR_SECRET: dict[Refusal, str] = {
    Refusal.NOT_TEXT: "Type your secret as digits.",
    Refusal.EMPTY: "Choose a secret first.",
    Refusal.REPEATED_DIGIT: "All digits of a secret are different in this duel; yours uses {detail} twice.",
    Refusal.SECRET_ALREADY_SET: "Your secret is set and stays as it is.",
}


def duel_sentence(refusal: Refusal, detail: str = "", *, is_secret: bool = False) -> str:
    """The same for a refusal in a duel or its lobby; `is_secret` when a secret was refused, not a guess."""
    if is_secret and refusal in _FOR_SECRET:
        return _FOR_SECRET[refusal].format(detail=detail)
    return _IN_DUEL.get(refusal) or sentence(refusal, detail)


# What happened to a request, by HTTP status: a title and a sentence.
STATUS: dict[int, tuple[str, str]] = {
    400: ("That request can't be read", "Something in it was missing or damaged. Go back and try again."),
    401: ("Sign in to go on", "Sign in and you come back to where you were."),
    403: ("Not open to you", "Your account doesn't open this page."),
    404: ("Nothing at this address", "The page may have moved, or it isn't yours to see."),
    405: ("That doesn't work here", "This address doesn't take that kind of request. Go back and try again."),
    409: ("Things have moved on", "What you saw was out of date. Load the page again."),
    413: ("That is too much", "What you sent is larger than anything this site takes."),
    422: ("That didn't go through", "Check what you entered and try again."),
    429: ("A little slower", "That was a lot in a short time. Wait a minute and try again."),
    500: ("Something broke on our side", "That did not go through. Try again; if it keeps happening, mention the number below."),
    503: ("Back in a moment", "The server can't answer right now. Nothing that it confirmed is lost; try again."),
}

FORM_EXPIRED = ("This page has been open too long", "Nothing was lost. Load the page again and send it once more.")
FORM_EXPIRED_IN_PLACE = "This page has been open too long. What you typed is still here; load the page again to send it."

SIGNED_OUT = {
    "replaced": "You signed in on another device, so this one was signed out.",
    "expired": "Your sign-in has ended. Sign in again to go on.",
    "ended": "Your sign-in has ended. Sign in again to go on.",
    "signed_out": "You are signed out.",
}

SIGN_IN_PROBLEMS = {
    "denied": "Sign-in was cancelled. Nothing was changed.",
    "failed": "That sign-in couldn't be confirmed. Start it again from here.",
    "unverified": "Your e-mail address isn't verified there yet. Verify it with the provider, then sign in again.",
    "down": "The sign-in service doesn't answer at the moment. Try again in a minute.",
}
