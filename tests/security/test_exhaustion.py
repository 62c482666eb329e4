"""Nobody takes what everybody needs: connections, and the patience of the limits (requirement 45)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from guessio.live import hub
from guessio.web import limits
from tests.kit import signed_in
from tests.kit.fake_clock import FakeClock


@pytest.mark.usefixtures("app")
def test_an_account_has_no_more_streams_than_a_person_has_tabs() -> None:
    mira, nova = signed_in.new_account("mira"), signed_in.new_account("nova")

    def opened(account: int) -> hub.Stream:
        body = hub.new_stream(account, "t", {}, 0)  # type: ignore[arg-type]
        assert body is not None
        next(body)
        return body.stream

    calm = opened(nova)
    streams = [opened(mira) for _ in range(hub.STREAMS_MOST)]
    assert not any(stream.is_ended for stream in streams)
    newest = opened(mira)
    assert [stream.is_ended for stream in (*streams[:2], newest, calm)] == [True, False, False, False]


@pytest.fixture
def limited(fake_clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An application that lets an address ask five times a minute."""
    monkeypatch.setattr(limits, "EVERYTHING", 5)
    yield signed_in.fresh_app(tmp_path, GUESSIO_LIMITS="on")
    limits.install(Flask("unlimited"), False)


def asked_from(app: Flask, address: str) -> int:
    return app.test_client().get("/sign-in", environ_base={"REMOTE_ADDR": address}).status_code


def test_all_addresses_of_one_ipv6_line_count_together(limited: Flask) -> None:
    statuses = [asked_from(limited, f"2001:db8:1:2::{n:x}") for n in range(1, 7)]
    assert statuses == [200] * 5 + [429]
    assert asked_from(limited, "2001:db8:1:3::1") == 200


def test_ipv4_addresses_count_each_alone_however_they_are_written(limited: Flask) -> None:
    assert [asked_from(limited, f"192.0.2.{n}") for n in range(1, 7)] == [200] * 6
    statuses = [asked_from(limited, f"{prefix}192.0.2.9") for prefix in ("::ffff:", "", "::ffff:", "", "", "")]
    assert statuses == [200] * 5 + [429]
