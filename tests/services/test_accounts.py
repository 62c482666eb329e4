"""Accounts and first sign-ins (R12.1, R12.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from guessio.rules import tunables
from guessio.rules.terms import Refusal
from guessio.services import accounts
from guessio.services.accounts import Identity, Rejected, SignUp
from guessio.store import accounts as rows
from guessio.store import database
from tests.kit.fake_clock import FakeClock

pytestmark = pytest.mark.db

MIRA = Identity(
    issuer="https://issuer.example",
    subject="1001",
    email="mira@example.org",
    name="Mira K",
    given_name="Mira",
    family_name="K",
    picture="https://lh3.googleusercontent.com/a/mira",
)


def begun(identity: Identity = MIRA) -> SignUp:
    result = accounts.sign_in(identity)
    assert isinstance(result, SignUp)
    return result


def stored(username: str) -> rows.Account | None:
    with database.read() as conn:
        return rows.find_by_username(conn, username)


def test_nothing_is_stored_before_a_username_is_chosen(app: Flask) -> None:
    assert begun().suggestion == "mira_k"
    assert begun().suggestion == "mira_k"
    assert stored("mira_k") is None


def test_the_account_takes_name_and_picture_from_the_provider(app: Flask) -> None:
    made = accounts.create(begun(), "mira_k")
    account = stored("mira_k")
    assert account is not None
    assert (account.id, account.display_name, account.avatar_url) == (made, "Mira K", MIRA.picture)


def test_the_next_sign_in_finds_the_account_by_issuer_and_subject_alone(app: Flask) -> None:
    made = accounts.create(begun(), "mira_k")
    moved = replace(MIRA, email="new@example.org", name="Somebody", given_name="Some")
    assert accounts.sign_in(moved) == made
    assert isinstance(accounts.sign_in(replace(MIRA, subject="1002")), SignUp)
    assert isinstance(accounts.sign_in(replace(MIRA, issuer="https://other.example")), SignUp)


def test_a_taken_name_is_refused_whatever_its_owner_looks_like(app: Flask) -> None:
    accounts.create(begun(), "mira_k")
    other = begun(replace(MIRA, subject="1002"))
    assert other.suggestion == "mira_k2"
    assert accounts.create(other, "mira_k") == Rejected(Refusal.USERNAME_TAKEN, "mira_k")
    assert not isinstance(accounts.create(other, "mira_k2"), Rejected)


def test_the_same_choice_sent_twice_makes_one_account(app: Flask) -> None:
    sign_up = begun()
    first = accounts.create(sign_up, "mira_k")
    assert accounts.create(sign_up, "mira_k") == first
    assert accounts.create(sign_up, "another") == Rejected(Refusal.SIGN_UP_EXPIRED)


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        ("ab", Refusal.USERNAME_LENGTH),
        ("a" * 31, Refusal.USERNAME_LENGTH),
        ("Mira", Refusal.USERNAME_FORM),
        ("mira k", Refusal.USERNAME_FORM),
        ("mirа", Refusal.USERNAME_FORM),
        ("guest", Refusal.USERNAME_RESERVED),
    ],
)
def test_a_name_of_the_wrong_form_is_refused(app: Flask, wanted: str, refusal: Refusal) -> None:
    assert accounts.create(begun(), wanted) == Rejected(refusal)


def test_choosing_ends_after_fifteen_minutes(fake_clock: FakeClock, app: Flask) -> None:
    sign_up = begun()
    fake_clock.advance(tunables.SIGN_UP_MS - 1)
    assert not sign_up.expired(fake_clock.now_ms)
    fake_clock.advance(1)
    assert accounts.create(sign_up, "mira_k") == Rejected(Refusal.SIGN_UP_EXPIRED)
    assert stored("mira_k") is None


@pytest.mark.parametrize(
    "picture",
    [
        "http://lh3.googleusercontent.com/a",
        "https://evil.example/a",
        "https://googleusercontent.com.evil.example/a",
        "https://evilgoogleusercontent.com/a",
        "https://lh3.googleusercontent.com@evil.example/a",
        "https://lh3.googleusercontent.com:8443/a",
        "javascript:alert(1)",
        'https://lh3.googleusercontent.com/"\nx',
        "https://[broken",
        "https://lh3.googleusercontent.com/" + "a" * 2000,
        "",
    ],
)
def test_only_pictures_of_allowed_hosts_are_kept(picture: str) -> None:
    assert accounts.allowed_picture(picture) == ""


def test_a_long_subject_still_fits_and_stays_distinct() -> None:
    keys = {accounts.subject_key("https://issuer.example", "9" * 255 + tail) for tail in "ab"}
    assert len(keys) == 2
    assert all(len(key) <= accounts.SUBJECT_MAX for key in keys)
