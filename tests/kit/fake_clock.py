"""A clock that stands still until a test moves it."""

from __future__ import annotations

from guessio import clock


class FakeClock:
    """`with FakeClock() as time:` puts itself in the place of the real clock; `time.advance(ms)` lets time pass."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.now_ms = now_ms

    def advance(self, by_ms: int) -> int:
        """Let `by_ms` milliseconds pass; gives the new time."""
        self.now_ms += by_ms
        return self.now_ms

    def __enter__(self) -> FakeClock:
        clock.install(lambda: self.now_ms)
        return self

    def __exit__(self, *_: object) -> None:
        clock.reset()
