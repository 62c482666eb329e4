"""The 16 achievements: their names and the judging of a player's matches (SPEC 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from guessio.rules import tunables
from guessio.rules.terms import Difficulty, Outcome


class Achievement(StrEnum):
    """Stable keys, in the order in which they are shown."""

    WELCOME = "welcome"
    NEWBIE = "newbie"
    SHARP_GUESSER = "sharp_guesser"
    REGULAR = "regular"
    CENTURION = "centurion"
    VETERAN = "veteran"
    SPEEDSTER = "speedster"
    QUICK_DRAW = "quick_draw"
    FLAWLESS_5 = "flawless_5"
    FLAWLESS_10 = "flawless_10"
    FLAWLESS_20 = "flawless_20"
    HARDCORE_INITIATE = "hardcore_initiate"
    TERRIBLE_GUESSER = "terrible_guesser"
    HARDCORE_LEGEND = "hardcore_legend"
    SEVEN_DAYS = "seven_days"
    THIRTY_DAYS = "thirty_days"


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round for one player: `own_guesses` 0 with `won` means that it was awarded."""

    won: bool
    own_guesses: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """One saved match for one player.

    `absent`: the player had left, or was disconnected when it ended. `full`: it ended normally, everybody being there.
    `duration_ms` runs from the start of round 1 to the end.
    """

    outcome: Outcome
    difficulty: Difficulty
    absent: bool
    full: bool
    duration_ms: int
    rounds: tuple[RoundFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts that need no list: every saved match (cancelled ones too), and the longest daily streak."""

    played: int
    best_daily_streak: int = 0


@dataclass(frozen=True, slots=True)
class _Run:
    """Full matches one after another with the same outcome; `hardcore_only` passes all others over."""

    outcome: Outcome
    needed: int
    hardcore_only: bool = False


_RUNS: dict[Achievement, _Run] = {
    Achievement.FLAWLESS_5: _Run(Outcome.WIN, tunables.FLAWLESS_WINS[0]),
    Achievement.FLAWLESS_10: _Run(Outcome.WIN, tunables.FLAWLESS_WINS[1]),
    Achievement.FLAWLESS_20: _Run(Outcome.WIN, tunables.FLAWLESS_WINS[2]),
    Achievement.TERRIBLE_GUESSER: _Run(Outcome.LOSS, tunables.TERRIBLE_LOSSES),
    Achievement.HARDCORE_LEGEND: _Run(Outcome.WIN, tunables.HARDCORE_LEGEND_WINS, hardcore_only=True),
}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a player is; `needed` is 1 where it either happened or not."""

    done: int
    needed: int


def earned(newest_first: Sequence[MatchFacts], totals: Totals, wanted: Iterable[Achievement] = Achievement) -> tuple[Achievement, ...]:
    """Those of the wanted achievements that are due now; those unlocked earlier stay, whatever this says.

    Checked after every match, it is enough to hand in the matches since the last check and, for each run of matches that
    they have brought `within_reach`, as many before them as it `goes_on`.
    """
    return tuple(key for key in wanted if _is_due(progress(key, newest_first, totals)))


def progress(achievement: Achievement, newest_first: Sequence[MatchFacts], totals: Totals) -> Progress:
    """How much of an achievement is done, for its card; at most what is needed."""
    match achievement:
        case Achievement.WELCOME | Achievement.REGULAR | Achievement.CENTURION | Achievement.VETERAN:
            return _progress(totals.played, _matches_needed(achievement))
        case Achievement.SEVEN_DAYS | Achievement.THIRTY_DAYS:
            return _progress(totals.best_daily_streak, tunables.STREAK_DAYS[achievement is Achievement.THIRTY_DAYS])
        case _ if achievement in _RUNS:
            run = _RUNS[achievement]
            return _progress(_length(run, _telling(run, newest_first)), run.needed)
        case _:
            return _progress(any(facts.full and _FEATS[achievement](facts) for facts in newest_first), 1)


def within_reach(latest: MatchFacts, totals: Totals) -> frozenset[Achievement]:
    """The achievements for a run of matches that may be due by this match, the totals counting it.

    The run is longer with it than without it, and there are matches enough for it at all.
    """
    return frozenset(key for key, run in _RUNS.items() if totals.played >= run.needed and _is_in(run, latest))


def goes_on(achievement: Achievement, newest_first: Sequence[MatchFacts]) -> bool:
    """Whether matches before these could lengthen the run further: it is neither broken off in them nor long enough."""
    run = _RUNS[achievement]
    telling = _telling(run, newest_first)
    return _length(run, telling) == len(telling) < run.needed


def _is_due(state: Progress) -> bool:
    return state.done >= state.needed


def _progress(done: int, needed: int) -> Progress:
    return Progress(min(int(done), needed), needed)


def _matches_needed(achievement: Achievement) -> int:
    return {
        Achievement.WELCOME: 1,
        Achievement.REGULAR: tunables.REGULAR_MATCHES,
        Achievement.CENTURION: tunables.CENTURION_MATCHES,
        Achievement.VETERAN: tunables.VETERAN_MATCHES,
    }[achievement]


def _telling(run: _Run, newest_first: Iterable[MatchFacts]) -> list[MatchFacts]:
    """The matches that count for a run or break it off; those that say nothing are passed over."""
    return [facts for facts in newest_first if _concerns(run, facts) and not _says_nothing(facts)]


def _length(run: _Run, telling: Iterable[MatchFacts]) -> int:
    """The length of the run up to now."""
    return sum(1 for _ in takewhile(lambda facts: _is_in(run, facts), telling))


def _concerns(run: _Run, facts: MatchFacts) -> bool:
    return not run.hardcore_only or facts.difficulty is Difficulty.HARDCORE


def _is_in(run: _Run, facts: MatchFacts) -> bool:
    return facts.full and facts.outcome is run.outcome and _concerns(run, facts)


def _says_nothing(facts: MatchFacts) -> bool:
    """Cancelled, or won or lost only because somebody else was gone: neither counts nor breaks."""
    if facts.outcome is Outcome.CANCELLED:
        return True
    if facts.full or facts.outcome is Outcome.DRAW:
        return False
    return not facts.absent or facts.outcome is Outcome.WIN


def _won(facts: MatchFacts) -> bool:
    return facts.outcome is Outcome.WIN


def _first_guess_was_the_code(facts: MatchFacts) -> bool:
    return any(round_.won and round_.own_guesses == 1 for round_ in facts.rounds)


def _fast_round(facts: MatchFacts) -> bool:
    limit = tunables.SPEEDSTER_ROUND_MS
    return any(round_.won and round_.own_guesses and round_.duration_ms < limit for round_ in facts.rounds)


def _fast_match(facts: MatchFacts) -> bool:
    return _won(facts) and facts.duration_ms < tunables.QUICK_DRAW_MATCH_MS


def _hardcore_win(facts: MatchFacts) -> bool:
    return _won(facts) and facts.difficulty is Difficulty.HARDCORE


_FEATS: dict[Achievement, Callable[[MatchFacts], bool]] = {
    Achievement.NEWBIE: _won,
    Achievement.SHARP_GUESSER: _first_guess_was_the_code,
    Achievement.SPEEDSTER: _fast_round,
    Achievement.QUICK_DRAW: _fast_match,
    Achievement.HARDCORE_INITIATE: _hardcore_win,
}

TITLES: dict[Achievement, str] = {
    Achievement.WELCOME: "Welcome to guessIo",
    Achievement.NEWBIE: "Newbie",
    Achievement.SHARP_GUESSER: "Sharp Guesser",
    Achievement.REGULAR: "Regular",
    Achievement.CENTURION: "Centurion",
    Achievement.VETERAN: "GuessIo Veteran",
    Achievement.SPEEDSTER: "Speedster",
    Achievement.QUICK_DRAW: "Quick Draw",
    Achievement.FLAWLESS_5: "Flawless x5",
    Achievement.FLAWLESS_10: "Flawless x10",
    Achievement.FLAWLESS_20: "Flawless x20",
    Achievement.HARDCORE_INITIATE: "Hardcore Initiate",
    Achievement.TERRIBLE_GUESSER: "Terrible Guesser",
    Achievement.HARDCORE_LEGEND: "Hardcore Legend",
    Achievement.SEVEN_DAYS: "Seven Days Running",
    Achievement.THIRTY_DAYS: "Thirty Days Running",
}
"""What each is called."""

HOW: dict[Achievement, str] = {
    Achievement.WELCOME: "Your first online match is on record.",
    Achievement.NEWBIE: "Come out on top of a match for the first time.",
    Achievement.SHARP_GUESSER: "Hit the code with the only guess you made all round.",
    Achievement.REGULAR: "Take part in 50 matches.",
    Achievement.CENTURION: "Take part in 100 matches.",
    Achievement.VETERAN: "Take part in 500 matches.",
    Achievement.SPEEDSTER: "Crack a code before its round is a minute old.",
    Achievement.QUICK_DRAW: "Have a match won within a minute and a half of its first turn.",
    Achievement.FLAWLESS_5: "Five wins, one after another.",
    Achievement.FLAWLESS_10: "Ten wins, one after another.",
    Achievement.FLAWLESS_20: "Twenty wins, one after another.",
    Achievement.HARDCORE_INITIATE: "Win where the marks say nothing about places.",
    Achievement.TERRIBLE_GUESSER: "Three defeats on the trot. It happens.",
    Achievement.HARDCORE_LEGEND: "Win three Hardcore matches without dropping one in between.",
    Achievement.SEVEN_DAYS: "Try the Daily Challenge seven days in a row.",
    Achievement.THIRTY_DAYS: "Try the Daily Challenge thirty days in a row.",
}
"""How each is earned."""
