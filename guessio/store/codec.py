"""Frozen dataclasses to JSON text and back, typed on the way in. msgspec does it because a guess writes its whole table."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


def encode(state: Any) -> str:
    """The JSON text of a state or record."""
    return _encode(state).decode()


def decode(form: type[T], text: str | bytes) -> T:
    """The `form` that `encode` wrote. Raises: msgspec.ValidationError for a text of another shape."""
    return _decoder(form).decode(text)


@cache
def _decoder(form: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(form)
