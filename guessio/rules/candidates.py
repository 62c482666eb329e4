"""Which codes fit what a player knows, how many there are, and drawing one of them fairly (R3.4).

All digits of a code differ. Then the Standard answer to a guess says exactly: for each place which digits are possible there,
and which digits are in the code; the Hardcore answer says only the latter. So codes are counted by walking through
the places with the set of used digits, and one is drawn by its number in that count: every candidate is equally likely, without
ever listing them. Digits that nothing is known about are alike and are counted together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from guessio.rules.codes import DIGITS
from guessio.rules.terms import Difficulty, Mark

_ALL = (1 << len(DIGITS)) - 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a code: per place a bit set of possible digits, and a bit set of digits that it holds.

    Frozen: `learn` and `reveal` give the richer knowledge back.
    """

    length: int
    difficulty: Difficulty = Difficulty.STANDARD
    possible: tuple[int, ...] = ()
    required: int = 0

    def __post_init__(self) -> None:
        if not self.possible:
            object.__setattr__(self, "possible", (_ALL,) * self.length)

    def learn(self, guess: str, marks: tuple[Mark, ...]) -> Knowledge:
        """Take in the answer to a guess of different digits: one's own, or one seen by X-Ray Vision."""
        possible, required = list(self.possible), self.required
        for place, (digit, mark) in enumerate(zip(guess, marks, strict=True)):
            bit = 1 << int(digit)
            match mark:
                case Mark.RIGHT:
                    possible[place] &= bit
                    required |= bit
                case Mark.ELSEWHERE:
                    possible[place] &= ~bit
                    required |= bit
                case Mark.PRESENT:
                    required |= bit
                case _:
                    possible = [mask & ~bit for mask in possible]
        return replace(self, possible=tuple(possible), required=required)

    def reveal(self, position: int, digit: str) -> Knowledge:
        """Take in that `digit` stands at `position` (0-based): Reveal Position."""
        bit = 1 << int(digit)
        possible = tuple(mask & bit if place == position else mask for place, mask in enumerate(self.possible))
        return replace(self, possible=possible, required=self.required | bit)


def count(knowledge: Knowledge) -> int:
    """How many codes fit the knowledge."""
    return _Count(knowledge).codes_from(0, 0)


def choose(knowledge: Knowledge, tried: frozenset[str], pick: Callable[[int], int]) -> str:
    """One of the fitting codes outside `tried`, all equally likely if `pick(n)` is uniform in range(n).

    `pick` is called once.

    Raises:
        ValueError: no code is left, which true knowledge cannot lead to.
    """
    counted = _Count(knowledge)
    taken = sorted(rank for rank in map(counted.rank, tried) if rank is not None)
    left = counted.codes_from(0, 0) - len(taken)
    if left <= 0:
        raise ValueError("no code fits this knowledge")
    index = pick(left)
    for rank in taken:
        if rank <= index:
            index += 1
    return counted.code(index)


@dataclass(slots=True)
class _Count:
    """Counts completions and numbers the codes in ascending order."""

    knowledge: Knowledge
    alike: int = field(init=False)
    """The digits of which nothing is known: possible in every place, not required."""
    _memo: dict[int, int] = field(init=False, default_factory=dict[int, int])

    def __post_init__(self) -> None:
        everywhere = _ALL & ~self.knowledge.required
        for mask in self.knowledge.possible:
            everywhere &= mask
        self.alike = everywhere

    def codes_from(self, place: int, used: int) -> int:
        """How many ways there are to fill the places from `place` on with digits outside `used`."""
        missing = (self.knowledge.required & ~used).bit_count()
        rest = self.knowledge.length - place
        if missing > rest:
            return 0
        if rest == 0:
            return 1
        # How many of the alike digits are used follows from the place, so they need not tell states apart.
        key = (used & ~self.alike) << 4 | place
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._sum(place, used)
        return known

    def _sum(self, place: int, used: int) -> int:
        options = self.knowledge.possible[place] & ~used
        alike = options & self.alike
        total = alike.bit_count() * self.codes_from(place + 1, used | (alike & -alike)) if alike else 0
        for bit in _bits(options & ~self.alike):
            total += self.codes_from(place + 1, used | bit)
        return total

    def rank(self, code: str) -> int | None:
        """The number of `code` among the fitting codes, from 0; None if it does not fit."""
        used = rank = 0
        for place, digit in enumerate(code):
            own = 1 << int(digit)
            options = self.knowledge.possible[place] & ~used
            if not options & own:
                return None
            rank += sum(self.codes_from(place + 1, used | bit) for bit in _bits(options & (own - 1)))
            used |= own
        return None if self.knowledge.required & ~used else rank

    def code(self, index: int) -> str:
        """The fitting code with this number."""
        used, digits = 0, ""
        for place in range(self.knowledge.length):
            options = _bits(self.knowledge.possible[place] & ~used)
            bit = next(options)
            while index >= (below := self.codes_from(place + 1, used | bit)):
                index -= below
                bit = next(options)
            used |= bit
            digits += DIGITS[bit.bit_length() - 1]
        return digits


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
