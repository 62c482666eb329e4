"""People at real browsers; at the end of a test none of their pages may have complained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from tests.kit.person import Person
from tests.kit.server import Server
from tests.kit.standing import stranger

Sit = Callable[..., Person]


@contextmanager
def seating(browser: Browser, server: Server, named: Callable[[str], str] = stranger) -> Iterator[Sit]:
    """Give people browsers of their own; `named` makes the name to sign in as out of the one that a test says."""
    people: list[Person] = []

    def sit_down(name: str, *, by_hand: bool = False, **options: object) -> Person:
        people.append(Person(browser, server.url, named(name), **options))  # pyright: ignore[reportArgumentType]
        return people[-1].sign_in() if by_hand else people[-1].come_in()

    yield sit_down
    for person in people:
        person.context.close()
    assert [fault for person in people for fault in person.faults] == []


@pytest.fixture
def sit(browser: Browser, server: Server) -> Iterator[Sit]:
    """Give somebody nobody knows a browser, signed in: `sit("mira")`; with `by_hand=True` by way of the welcome page."""
    with seating(browser, server) as sit_down:
        yield sit_down
