"""A folder in which the processes of one machine leave their figures, so that whichever is asked can answer for all of them."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from guessio.figures import Family

FRESH_MS = 20_000
NAME = re.compile(r"[0-9a-f]{8,32}")


class Notice(msgspec.Struct, frozen=True):
    """What one worker counted up to a moment."""

    worker: str
    at_ms: int
    families: list[Family]


def post(folder: Path, notice: Notice) -> None:
    """Put the notice in place of this worker's earlier one; a reader finds the one or the other whole. Raises: OSError."""
    if not NAME.fullmatch(notice.worker):
        raise ValueError(notice.worker)
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{notice.worker}.new"
    draft.write_bytes(msgspec.json.encode(notice))
    draft.replace(folder / f"{notice.worker}.json")


def fresh(folder: Path, now_ms: int) -> list[Notice]:
    """The notices of workers that live, by name; those of workers that are gone are taken down."""
    found: list[Notice] = []
    for path in sorted(folder.glob("*.json")):
        try:
            notice = msgspec.json.decode(path.read_bytes(), type=Notice)
        except (OSError, msgspec.DecodeError):
            continue
        if now_ms - notice.at_ms <= FRESH_MS:
            found.append(notice)
        else:
            path.unlink(missing_ok=True)
    return found
