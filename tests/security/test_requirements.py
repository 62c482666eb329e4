"""What is installed is what was looked at: exact versions, known by their hashes, from nowhere in particular."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.txt", "requirements-dev.txt"]
ENTRY = re.compile(r"([a-z0-9][a-z0-9._-]*)(?:\[[a-z0-9,_-]+\])?==[0-9][0-9a-z.+!]*(?: ;[^\\]*)?((?: --hash=sha256:[0-9a-f]{64})+)")


def entries(lock: str) -> list[str]:
    """The requirements of a lock file, each on one line."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    return [" ".join(line.split()) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def names(file: str) -> set[str]:
    lines = [line.partition("#")[0].strip() for line in (ROOT / file).read_text().splitlines()]
    return {re.split(r"[\[=<> ;]", line)[0] for line in lines if line and not line.startswith("-")}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_has_one_version_and_its_hashes(lock: str) -> None:
    found = entries(lock)
    assert len(found) > 20
    assert [entry for entry in found if not ENTRY.fullmatch(entry)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_says_where_to_fetch_from(lock: str) -> None:
    text = (ROOT / lock).read_text()
    for word in ("://", "--index", "--extra-index", "--find-links", "--trusted-host", " @ ", "-e "):
        assert word not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_what_is_asked_for_is_locked(lock: str) -> None:
    locked = {entry.partition("==")[0].partition("[")[0] for entry in entries(lock)}
    assert names(lock.replace(".txt", ".in")) <= locked


def test_both_locks_agree() -> None:
    """Tests run on the versions that a production server gets."""
    production, development = ({entry.partition(" ")[0] for entry in entries(lock)} for lock in LOCKS)
    assert production <= development


def test_installing_insists_on_the_hashes() -> None:
    for file in ("scripts/setup.sh", "Dockerfile"):
        for line in re.findall(r"pip install.*", (ROOT / file).read_text()):
            assert "--require-hashes" in line
