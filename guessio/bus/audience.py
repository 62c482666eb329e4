"""Which process shows or plays which tables: a step of a table travels only to those who want to know of it.

What is known of the others may be late or lost; then a page waits for its next sweep. So everybody tells again and again what they
want, and what was not told again for a while, because its process died, counts no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from guessio.bus.messages import TablesLeft, TablesWatched
from guessio.rules.terms import TableId

RENEW_MS = 60_000
FORGET_MS = 150_000
ANSWER_MS = 3_000
"""How long the others have to say what they keep, after this process could not hear; until then it tells everybody everything."""
NAMED_MOST = 200


class Audience:
    """The tables that are wanted here, and those that are wanted elsewhere. All times are this process's own."""

    def __init__(self) -> None:
        self._here: Counter[TableId] = Counter()
        self._elsewhere: dict[TableId, dict[str, int]] = {}
        self._left: list[TableId] = []
        self._known_ms = 0
        self._renewed_ms = 0

    def want(self, table_id: TableId) -> bool:
        """One more here wants to know of the table; whether it is the first."""
        self._here[table_id] += 1
        return self._here[table_id] == 1

    def let_go(self, table_id: TableId) -> None:
        """One less wants to know of it."""
        self._here[table_id] -= 1
        if self._here[table_id] <= 0:
            del self._here[table_id]
            self._left.append(table_id)

    def of(self, table_id: TableId, now_ms: int) -> tuple[str, ...] | None:
        """The other processes that want to know of the table; None while that is not known."""
        return None if now_ms < self._known_ms else tuple(self._elsewhere.get(table_id, ()))

    def hear(self, message: TablesWatched | TablesLeft, now_ms: int) -> None:
        """Another process says what it wants to know of, or no more."""
        for table_id in message.tables:
            if isinstance(message, TablesWatched):
                self._elsewhere.setdefault(table_id, {})[message.worker] = now_ms
            elif table_id in self._elsewhere:
                self._elsewhere[table_id].pop(message.worker, None)

    def lose(self, now_ms: int) -> None:
        """Others may have said what was not heard: they are asked now."""
        self._known_ms = now_ms + ANSWER_MS

    def told(self, worker: str, *, asks: bool = False) -> Iterator[TablesWatched]:
        """Everything that is wanted here, as this process's messages; at least one."""
        tables = tuple(self._here)
        for first in range(0, max(len(tables), 1), NAMED_MOST):
            yield TablesWatched(worker, tables[first : first + NAMED_MOST], is_new=False, asks=asks)

    def left(self, worker: str) -> Iterator[TablesLeft]:
        """What nobody here has wanted to know of since this was last called."""
        tables, self._left = [table for table in self._left if table not in self._here], []
        for first in range(0, len(tables), NAMED_MOST):
            yield TablesLeft(worker, tuple(tables[first : first + NAMED_MOST]))

    def forget_left(self) -> None:
        """There is nobody to be told of it."""
        self._left = []

    def is_to_renew(self, now_ms: int) -> bool:
        """Whether it is time to tell again; what the others have not told again is forgotten then."""
        if now_ms - self._renewed_ms < RENEW_MS:
            return False
        self._renewed_ms = now_ms
        for table_id, workers in list(self._elsewhere.items()):
            lasting = {worker: heard_ms for worker, heard_ms in workers.items() if now_ms - heard_ms < FORGET_MS}
            if lasting:
                self._elsewhere[table_id] = lasting
            else:
                del self._elsewhere[table_id]
        return True
