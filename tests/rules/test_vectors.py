"""Every case of the vector files, one test each; GUESSIO_VECTORS names another directory of the same form."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rules import judges, timelines

DIRECTORY = Path(os.environ.get("GUESSIO_VECTORS") or Path(__file__).parent.parent / "vectors")

Judge = Callable[[dict[str, Any]], None]

JUDGES: dict[str, Judge] = {
    "achievements": judges.achievements_over_history,
    "daily": judges.daily_diary,
    "duel": timelines.duel_timeline,
    "guess_validation": judges.guess_validation,
    "inactivity": timelines.inactivity,
    "marking": judges.marking,
    "match_outcomes": timelines.match_outcomes,
    "points": judges.points_after_match,
    "rating": judges.rating_after_match,
    "turn_order": timelines.turn_order,
}

# Lists that stand beside the cases of a file.
EXTRAS: dict[tuple[str, str], Judge] = {("points", "retries"): judges.retry, ("duel", "rematch"): timelines.rematch}


def _collected() -> list[Any]:
    """One parameter a case; a file that nobody can judge is an error, a missing one is not."""
    found: list[Any] = []
    for path in sorted(DIRECTORY.glob("*.json")):
        judge = JUDGES[path.stem]
        content = json.loads(path.read_text(encoding="utf-8"))
        found += [pytest.param(judge, case, id=case["id"]) for case in content["cases"]]
        for (stem, name), extra in EXTRAS.items():
            if stem == path.stem:
                listed = enumerate(content.get(name, ()), start=1)
                found += [pytest.param(extra, one, id=f"{stem}-{name}-{number}") for number, one in listed]
    if not found:
        raise FileNotFoundError(f"no vectors in {DIRECTORY}")
    return found


@pytest.mark.parametrize(("judge", "case"), _collected())
def test_vector(judge: Judge, case: dict[str, Any]) -> None:
    judge(case)
