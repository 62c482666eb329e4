"""The step that everybody sees most: a guess, and the turn that follows it.

All that it pushes besides the new row and the keys is one stencil: the strip of seats, the line beside the pad, the sentences, the
sounds. Until a seat changes or a round ends, what a viewer is shown there differs from turn to turn by a few values only; the others
are kept, with the stencil, as a card.
"""

from __future__ import annotations

from typing import NamedTuple

from guessio.engine.match import seating, view
from guessio.engine.match.events import GuessMarked, MatchEvent, TurnStarted
from guessio.engine.match.keypads import Keypads
from guessio.engine.match.state import MatchState, Seat
from guessio.live import match_rows, match_screen, match_skill, match_strip, match_words, pad_parts, painting, spoken, stencils
from guessio.live.match_push import Push
from guessio.live.stencils import Holes, Stencil, safe
from guessio.rules import rounds
from guessio.rules.terms import AccountId, SeatNo


class Card(NamedTuple):
    """What the player in seat `own` is shown of a turn: a stencil, the values that stay the same, and what is said if another has it."""

    own: SeatNo
    stencil: Stencil
    fixed: tuple[str, ...]
    waiting: str


class Cards:
    """The cards of one table, for as long as its seats and its round stay as they are, and what its keypads show.

    `faces` are the values of its players' faces, `shape` is all that a template may test of their seats besides who looks on and whose
    turn it is.
    """

    __slots__ = ("_cards", "_round", "_seats", "faces", "keypads", "shape")

    def __init__(self) -> None:
        self.keypads = Keypads()
        self.faces: tuple[str, ...] = ()
        self.shape: tuple[object, ...] = ()
        self._seats: tuple[Seat, ...] = ()
        self._round = 0
        self._cards: dict[tuple[SeatNo, SeatNo, bool], dict[AccountId, Card]] = {}

    def of(self, state: MatchState, now_ms: int, *, is_low: bool) -> dict[AccountId, Card]:
        """The cards that there are for the seats, the round, the guess and the turn of this state, and for a clock that is low or not."""
        number = state.rounds[-1].number
        if self._round != number or self._seats != state.seats:
            self._seats, self._round, self._cards = state.seats, number, {}
            seats = view.seats(state, state.seats[0].account, now_ms)
            self.faces = match_strip.face_values(seats)
            self.shape = match_strip.seats_shape(seats)
        turn = (state.rounds[-1].guesses[-1].seat, seating.certain(state.turn).seat, is_low)
        return self._cards.setdefault(turn, {})


def is_one(state: MatchState, events: tuple[MatchEvent, ...]) -> bool:
    """Whether a step is a guess and the next turn, with nobody away and no skill at work that others are told of."""
    if len(events) != 2 or type(events[0]) is not GuessMarked or type(events[1]) is not TurnStarted:
        return False
    one = state.rounds[-1]
    return not (one.freezes or one.xrays or True in [seat.away_shown for seat in state.seats])


class Turned:
    """Such a step, of which what all viewers share is worked out once."""

    __slots__ = ("_cards", "_events", "_guess", "_keys", "_limit", "_now_ms", "_remaining_ms", "_shared", "_state", "_table", "_turn")

    def __init__(self, state: MatchState, events: tuple[MatchEvent, ...], now_ms: int, cards: Cards) -> None:
        self._state = state
        self._events = events
        self._now_ms = now_ms
        self._table = cards
        self._turn = seating.certain(state.turn)
        self._guess = len(state.rounds[-1].guesses)
        self._keys = cards.keypads.changed(state)  # asked about each guess, whoever watches
        self._limit = rounds.limit(len(state.seats))
        self._remaining_ms, total_ms = view.clock(state, now_ms)
        self._cards = cards.of(state, now_ms, is_low=match_strip.is_low(self._remaining_ms, total_ms))
        number = self._turn.number
        clock = match_strip.clock_values(self._remaining_ms, match_strip.turn_span(number))
        self._shared = (match_rows.counted(self._guess, self._limit), str(number), *clock)

    def shown_to(self, viewer: AccountId) -> str:
        """The message for one viewer, with nothing in it that this viewer may not know; empty for somebody without a seat."""
        card = self._cards.get(viewer) or self._new_card(viewer)
        if card is None:
            return ""
        row = view.row_view(self._state, card.own, self._guess)
        tiles = spoken.tiles(row.digits, row.marks)
        keys = match_rows.keys(self._keys, can_guess=self._turn.seat == card.own) if row.is_own else ""
        guessed = match_words.guessed(row, safe(row.name), tiles)
        values = (*self._shared, *card.fixed, keys, guessed, *self._turn_values(viewer, card), *match_rows.guess_values(row, tiles))
        return stencils.fill(card.stencil, values)

    def _turn_values(self, viewer: AccountId, card: Card) -> tuple[str, str, str]:
        """The button of the viewer's skill, the line beside the pad, and what is said of the turn."""
        if self._turn.seat != card.own:
            return "", card.waiting, card.waiting
        guess = self._guess + 1
        skill = match_skill.button(self._state, viewer) if self._state.skills_on else ""
        said = match_words.own_turn(guess, self._limit, self._remaining_ms, is_extra=self._turn.extra)
        return skill, match_screen.own_status(guess, self._limit), said

    def _new_card(self, viewer: AccountId) -> Card | None:
        """The card for somebody who has none yet; None for somebody without a seat."""
        own = seating.seat_of(self._state, viewer)
        if own is None:
            return None
        card = self._cards[viewer] = self._card(viewer, own)
        return card

    def _card(self, viewer: AccountId, own: SeatNo) -> Card:
        state, turn = self._state, self._turn
        row = view.row_view(state, own, self._guess)
        words = match_screen.turn_words(
            turn=turn.number,
            can_guess=turn.seat == own,
            turn_name=state.seats[turn.seat].name,
            is_frozen=False,
            round_number=state.rounds[-1].number,
            guess=self._guess + 1,
            limit=self._limit,
        )
        fixed = (safe(words["why"]), safe(words["turn_title"]), *self._table.faces)
        strip = match_strip.in_turn(state, self._now_ms)

        def draw() -> str:
            seats = view.seats(state, viewer, self._now_ms)
            push = Push(state, viewer, own, self._now_ms, seats, rows=[row])
            for event in self._events:
                match_words.tell(push, event)
            holes = Holes()
            used, number = [holes.take(value) for value in self._shared[:2]]
            clock = match_strip.clock_holes(strip, holes)
            why, title = [holes.take(value) for value in fixed[:2]]
            shown = match_strip.context(strip, seats) | clock | match_strip.face_holes(seats, holes)
            keys, guessed, skill, status, said = [holes.take("") for _ in range(5)]
            line = {"turn": number, "why": why, "status": status, "turn_title": title, "can_guess": words["can_guess"]}
            news = [(how, hole) for (how, _), hole in zip(push.said, (guessed, said), strict=True)]
            return (
                painting.partial(*match_rows.AT_END, match_rows.blank_guess(row, holes, len(seats), is_bot=seats[row.seat].is_bot))
                + f"{used}{keys}{skill}"
                + painting.partial("#seats", "outerMorph", painting.draw("match/seats", shown))
                + pad_parts.drawn_turn(line)
                + painting.safe_news(news)
                + painting.cue(push.cues)
            )

        shape = ("match/turned", own, row.seat, turn.seat, match_strip.tested(strip), self._table.shape)
        holes = len(self._shared) + len(fixed) + 5 + len(match_rows.guess_values(row, ""))
        return Card(own, stencils.of(shape, draw, holes), fixed, safe(words["status"]))
