"""SPEC 20: every number in one place, and time can be shortened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guessio.rules import tunables


@pytest.fixture
def _restored() -> Iterator[None]:
    yield
    tunables.shorten(1)


@pytest.mark.usefixtures("_restored")
class TestShorten:
    def test_divides_plain_durations(self) -> None:
        tunables.shorten(20)
        assert (tunables.TURN_MS, tunables.COUNTDOWN_MS, tunables.AWAY_GRACE_MS) == (1_500, 250, 3_000)

    def test_divides_within_tables_and_tuples(self) -> None:
        tunables.shorten(10)
        assert tunables.DUEL_CLOCKS_MS == {1: 6_000, 3: 18_000, 5: 30_000, 10: 60_000}
        assert tunables.SUSPENSION_STEPS_MS == (180_000, 720_000, 8_640_000, 25_920_000)

    def test_counts_from_the_written_values(self) -> None:
        tunables.shorten(20)
        tunables.shorten(2)
        assert tunables.TURN_MS == 15_000
        tunables.shorten(1)
        assert tunables.TURN_MS == 30_000

    def test_nothing_falls_to_zero(self) -> None:
        tunables.shorten(1_000_000)
        assert tunables.CLOSING_MS == 1

    def test_leaves_everything_else_alone(self) -> None:
        tunables.shorten(20)
        assert tunables.GUESS_LIMIT == {2: 10, 3: 15, 4: 20}
        assert tunables.WIN_POINTS["standard"] == 3

    @pytest.mark.parametrize("factor", [0, -1])
    def test_refuses_a_factor_that_would_stop_time(self, factor: float) -> None:
        with pytest.raises(ValueError, match="above 0"):
            tunables.shorten(factor)


def test_the_room_alphabet_has_no_look_alikes() -> None:
    """R4.1: A to Z and 2 to 9 without I and O."""
    assert len(set(tunables.ROOM_CODE_ALPHABET)) == len(tunables.ROOM_CODE_ALPHABET) == 24 + 8
    assert not set("IO01") & set(tunables.ROOM_CODE_ALPHABET)
