"""The step that everybody sees most: a guess, and the turn that follows it.

All that it pushes besides the new row and the keys is one stencil: the strip of seats, the line beside the pad, the sentences, the
sounds. Until a seat changes or a round ends, what a viewer is shown there differs from turn to turn by a few values only; the others
are kept, with the stencil, as a card.
"""

from __future__ import annotations

from typing import NamedTuple

from guessio.engine.match import seating, view
from guessio.engine.match.events import GuessMarked, MatchEvent, TurnStarted
from guessio.engine.match.state import MatchState, Seat
from guessio.engine.match.views import RowView
from guessio.live import match_rows, match_screen, match_skill, match_strip, match_words, pad_parts, painting, spoken, stencils
from guessio.live.match_push import Push
from guessio.live.stencils import Holes, Stencil, safe
from guessio.rules import rounds
from guessio.rules.terms import AccountId, SeatNo


class Card(NamedTuple):
    """What one viewer is shown of a turn: a stencil, the values that stay the same, and what is said of a turn that is another's."""

    stencil: Stencil
    fixed: tuple[str, ...]
    waiting: str


class Cards:
    """The cards of one table, for as long as its seats and its round stay as they are."""

    __slots__ = ("_cards", "_round", "_seats")

    def __init__(self) -> None:
        self._seats: tuple[Seat, ...] = ()
        self._round = 0
        self._cards: dict[tuple[object, ...], Card] = {}

    def of(self, state: MatchState) -> dict[tuple[object, ...], Card]:
        """The cards for the seats and the round of this state."""
        number = state.rounds[-1].number
        if self._round != number or self._seats != state.seats:
            self._seats, self._round, self._cards = state.seats, number, {}
        return self._cards


def is_one(state: MatchState, events: tuple[MatchEvent, ...]) -> bool:
    """Whether a step is a guess and the next turn, with nobody away and no skill at work that others are told of."""
    if len(events) != 2 or type(events[0]) is not GuessMarked or type(events[1]) is not TurnStarted:
        return False
    one = state.rounds[-1]
    return not (one.freezes or one.xrays or any(seat.away_shown for seat in state.seats))


class Turned:
    """Such a step, of which what all viewers share is worked out once."""

    __slots__ = ("_cards", "_events", "_guess", "_is_low", "_now_ms", "_shared", "_state", "_strip", "_turn")

    def __init__(self, state: MatchState, events: tuple[MatchEvent, ...], now_ms: int, cards: Cards) -> None:
        self._state = state
        self._events = events
        self._now_ms = now_ms
        self._cards = cards.of(state)
        self._turn = seating.certain(state.turn)
        self._guess = len(state.rounds[-1].guesses)
        self._strip = match_strip.in_turn(state, now_ms)
        self._is_low = self._strip.is_low
        used = match_rows.counted(self._guess, rounds.limit(len(state.seats)))
        self._shared = (used, str(self._turn.number), *match_strip.clock_values(self._strip))

    def shown_to(self, viewer: AccountId) -> str:
        """The message for one viewer, with nothing in it that this viewer may not know; empty for somebody without a seat."""
        state = self._state
        own = seating.seat_of(state, viewer)
        if own is None:
            return ""
        row = view.row_view(state, viewer, self._guess)
        key = (own, row.seat, self._turn.seat, self._is_low)
        card = self._cards.get(key)
        if card is None:
            card = self._cards[key] = self._card(viewer, own, row)
        own_values = self._own_values(viewer, row, card, can_guess=self._turn.seat == own)
        return stencils.fill(card.stencil, (*self._shared, *card.fixed, *own_values))

    def _own_values(self, viewer: AccountId, row: RowView, card: Card, *, can_guess: bool) -> tuple[str, ...]:
        """What is this viewer's and this turn's: keys, skill, what is said of the guess, the turn's line and sentence, the row."""
        state = self._state
        tiles = spoken.tiles(row.digits, row.marks)
        drawn = match_rows.guess_values(row, tiles)
        keys = match_rows.keys(state, viewer, row.digits, can_guess=can_guess) if row.marks is not None else ""
        guessed = match_words.guessed(row, safe(row.name), tiles)
        if not can_guess:
            return keys, "", guessed, card.waiting, card.waiting, *drawn
        skill = match_skill.button(state, viewer) if state.skills_on else ""
        status = match_screen.own_status(self._guess + 1, rounds.limit(len(state.seats)))
        return keys, skill, guessed, status, match_words.own_turn(state, self._strip.remaining_ms, is_extra=self._turn.extra), *drawn

    def _card(self, viewer: AccountId, own: SeatNo, row: RowView) -> Card:
        seats = view.seats(self._state, viewer, self._now_ms)
        is_bot = seats[row.seat].is_bot
        words = match_screen.turn_words_of(self._state, seats, own)
        fixed = (safe(words["why"]), safe(words["turn_title"]), *match_strip.face_values(seats))

        def draw() -> str:
            push = Push(self._state, viewer, own, self._now_ms, seats, rows=[row])
            for event in self._events:
                match_words.tell(push, event)
            holes = Holes()
            used, turn = [holes.take(value) for value in self._shared[:2]]
            clock = match_strip.clock_holes(self._strip, holes)
            why, title = [holes.take(value) for value in fixed[:2]]
            strip = match_strip.context(self._strip, seats) | clock | match_strip.face_holes(seats, holes)
            keys, skill, guessed, status, said = [holes.take("") for _ in range(5)]
            line = {"turn": turn, "why": why, "status": status, "turn_title": title, "can_guess": words["can_guess"]}
            news = [(how, hole) for (how, _), hole in zip(push.said, (guessed, said), strict=True)]
            return (
                painting.partial(*match_rows.AT_END, match_rows.blank_guess(row, holes, len(seats), is_bot=is_bot))
                + f"{used}{keys}{skill}"
                + painting.partial("#seats", "outerMorph", painting.draw("match/seats", strip))
                + pad_parts.drawn_turn(line)
                + painting.safe_news(news)
                + painting.cue(push.cues)
            )

        shape = ("match/turned", row.is_own, is_bot, *match_strip.shape(self._strip, seats))
        holes = len(self._shared) + len(fixed) + 5 + len(match_rows.guess_values(row, ""))
        return Card(stencils.of(shape, draw, holes), fixed, safe(words["status"]))
