"""People at real browsers; at the end of a test none of their pages may have complained."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.kit.person import Person
from tests.kit.server import Server

Sit = Callable[..., Person]


@pytest.fixture
def speed() -> float:
    """How many times shorter the durations are; a test that types by hand chooses a slower one by `@pytest.mark.parametrize`."""
    return 20


@pytest.fixture
def server(database_url: str, speed: float) -> Iterator[Server]:
    """A development server as a process of its own."""
    server = Server(database_url, speed=speed)
    try:
        yield server.start()
    finally:
        server.forget()


@pytest.fixture
def sit(browser: Browser, server: Server) -> Iterator[Sit]:
    """Give a name a browser of its own, signed in: `sit("mira")`."""
    people: list[Person] = []

    def sit_down(name: str, **options: object) -> Person:
        people.append(Person(browser, server.url, name, **options))  # pyright: ignore[reportArgumentType]
        return people[-1].sign_in()

    yield sit_down
    for person in people:
        person.context.close()
    assert [fault for person in people for fault in person.faults] == []
