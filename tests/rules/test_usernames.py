"""R12.2 and requirement 42: names."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guessio.rules import usernames
from guessio.rules.terms import Refusal


@pytest.mark.parametrize(
    ("username", "refusal"),
    [
        ("nova_7", None),
        ("abc", None),
        ("a" * 30, None),
        ("ab", Refusal.USERNAME_LENGTH),
        ("a" * 31, Refusal.USERNAME_LENGTH),
        ("Nova", Refusal.USERNAME_FORM),
        ("no va", Refusal.USERNAME_FORM),
        ("nova\n", Refusal.USERNAME_FORM),
        ("nóva", Refusal.USERNAME_FORM),
        ("guest", Refusal.USERNAME_RESERVED),
    ],
)
def test_validate(username: str, refusal: Refusal | None) -> None:
    assert usernames.validate(username) is refusal


def test_names_are_compared_without_capitals() -> None:
    assert usernames.key("NoVa_7") == usernames.key("nova_7")


@pytest.mark.parametrize(
    ("given_name", "family", "email", "suggested"),
    [
        ("Zoë", "O'Brien", "z@x.org", "zoe_o_brien"),
        ("", "", "Juno.B+spam@x.org", "juno_b_spam"),
        ("李", "雷", "li@x.org", "player"),
        ("Guest", "", "g@x.org", "player"),
        ("李", "雷", "lilei@x.org", "lilei"),
    ],
)
def test_the_first_suggestion(given_name: str, family: str, email: str, suggested: str) -> None:
    assert next(usernames.suggestions(given_name, family, email)) == suggested


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
@example("0" * 20, "0" * 8 + "2", "")
def test_suggestions_are_valid_and_differ(given_name: str, family: str, email: str) -> None:
    first = list(islice(usernames.suggestions(given_name, family, email), 12))
    assert all(usernames.validate(username) is None for username in first)
    assert len(set(first)) == 12


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("a\u202eb\u200bc", "abc"),
        ("\u3164\u2800", "nova_7"),
        ("\u0301\u0301", "nova_7"),
        ("", "nova_7"),
        ("Z" + "\u0335" * 20, "Z" + "\u0335" * 3),
        ("李雷", "李雷"),
        ("🦊", "🦊"),
        ("tab\there", "tab here"),
        ("x" * 40, "x" * 30),
        ("x" * 29 + " y", "x" * 29),
    ],
)
def test_display_names_are_cleaned(raw: str, shown: str) -> None:
    assert usernames.display_name(raw, "nova_7") == shown


@given(st.text(max_size=80))
def test_a_display_name_is_always_visible_and_short(raw: str) -> None:
    name = usernames.display_name(raw, "nova_7")
    assert 1 <= len(name) <= 30
    assert name == name.strip()
    assert usernames.display_name(name, "nova_7") == name
