"""Every test of a service has a database of its own and a clock that stands still."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.kit.fake_clock import FakeClock


@pytest.fixture(autouse=True)
def time(fake_clock: FakeClock, app: Flask) -> FakeClock:
    """The clock, installed before the app."""
    return fake_clock
