"""docs/rules.md names every number, every rule that has one, and only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from guessio.rules import tunables

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
SOURCE = (ROOT / "guessio" / "rules" / "tunables.py").read_text(encoding="utf-8")
NAMES = sorted(name for name in vars(tunables) if name.isupper() and not name.startswith("_"))
ROWS = [line.split("|") for line in PAGE.splitlines() if re.match(r"\| R\d", line)]


def rules_in(text: str) -> set[str]:
    """The rule ids of a text, with ranges spelled out."""
    found = set(re.findall(r"R\d+(?:\.\d+)?", text))
    for chapter, first, last in re.findall(r"R(\d+)\.(\d+) to R\d+\.(\d+)", text):
        found |= {f"R{chapter}.{number}" for number in range(int(first), int(last) + 1)}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_on_the_page(name: str) -> None:
    assert any(f"`{name}`" in row[5] for row in ROWS)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_names_a_rule_that_is_on_the_page(name: str) -> None:
    written = re.search(rf"^{name} = .*(?:\n(?: .*|[)}}].*))*", SOURCE, re.MULTILINE)
    assert written is not None
    ids = rules_in(written.group())
    assert ids, "a number has the id of its rule beside it"
    assert ids <= {rule for row in ROWS for rule in rules_in(row[1])}


def test_no_number_is_on_the_page_that_is_not_in_the_module() -> None:
    on_page = {name for row in ROWS for name in re.findall(r"`([A-Z_]+)`", row[5])}
    assert on_page == set(NAMES)


def test_files_named_on_the_page_exist() -> None:
    for row in ROWS:
        for column, folder in ((3, "guessio"), (4, "tests")):
            for path in re.findall(r"`([\w/]+\.py)`", row[column]):
                assert (ROOT / folder / path).is_file(), path
