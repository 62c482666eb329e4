"""Group commit: saves that are wanted at the same time share one transaction, and each learns its own fate after the commit."""

from __future__ import annotations

from collections.abc import Callable

from guessio import figures
from guessio.services.together import Together
from guessio.store.saves import Writer
from guessio.store.tables import Save


class Saver(Together[Save, bool]):
    """Writes saves through the writer that `open_writer` gives."""

    def __init__(self, open_writer: Callable[[], Writer]) -> None:
        super().__init__(open_writer, _write)

    def save(self, save: Save) -> bool:
        """Durable when it returns True; False when the row no longer had the expected version.

        Raises: what the database raised for this save, or BrokenOff; in both cases it may or may not have been written.
        """
        return self.ask(save)


def _write(writer: Writer, saves: list[Save]) -> list[bool]:
    written = writer.write(saves)
    figures.SAVES.observe(len(saves))
    return written
