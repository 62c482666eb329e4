"""Messages as text for the way between processes. A message is known by its class's name, an event by its game's module as well."""

from __future__ import annotations

import logging
from dataclasses import replace
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from guessio.bus import messages
from guessio.bus.messages import Message, TableStepped

log = logging.getLogger(__name__)

# Postgres takes 8,000 bytes; a longer step travels without its events, which makes the receivers show the whole table.
PART_MOST = 7_000

_messages: dict[str, type] = {form.__name__: form for form in get_args(messages.Message)}
_events: dict[str, type] = {}


def know(event: Any) -> None:
    """Let the events of a game travel: `event` is their union, or one class."""
    forms = get_args(event) if get_origin(event) in (Union, UnionType) else (event,)
    _events.update({name_of(form): form for form in forms})


def name_of(form: type) -> str:
    """What an event is called on the way: two games may use the same word for things of their own."""
    return f"{form.__module__}.{form.__qualname__}"


def encode(topic: str, message: Message) -> str:
    """One message with its topic, as JSON text of at most `PART_MOST` bytes."""
    text = _encode(topic, message)
    if len(text) > PART_MOST and isinstance(message, TableStepped):
        text = _encode(topic, replace(message, events=None))
    if len(text) > PART_MOST:
        raise ValueError(f"a {type(message).__name__} of {len(text)} bytes is too long for the bus")
    return text.decode()


def bundle(origin: str, parts: list[str]) -> str:
    """Several encoded messages of one process as one payload."""
    return f'["{origin}",' + ",".join(parts) + "]"


def origin_of(payload: str) -> str:
    """What `bundle` was given to name the process that sent the payload."""
    return payload[2 : payload.index('"', 2)]


def unbundle(payload: str) -> list[tuple[str, Message]]:
    """The messages in a payload; those that this version doesn't know are left out."""
    _, *parts = msgspec.json.decode(payload)
    found: list[tuple[str, Message]] = []
    for topic, name, fields, events in parts:
        try:
            found.append((topic, _decode(name, fields, events)))
        except (KeyError, msgspec.ValidationError) as error:
            log.warning("a message of another version was left out: %s", error)
    return found


def _encode(topic: str, message: Message) -> bytes:
    if not isinstance(message, TableStepped):
        return msgspec.json.encode((topic, type(message).__name__, message, None))
    events = None if message.events is None else [(name_of(type(event)), event) for event in message.events]
    fields = {"table_id": message.table_id, "version": message.version, "events": None}
    return msgspec.json.encode((topic, TableStepped.__name__, fields, events))


def _decode(name: str, fields: Any, events: Any) -> Message:
    if events is not None and name == TableStepped.__name__:
        fields["events"] = _decode_events(events)
    return msgspec.convert(fields, _messages[name])


def _decode_events(events: Any) -> tuple[Any, ...] | None:
    if any(name not in _events for name, _ in events):
        return None
    return tuple(msgspec.convert(fields, _events[name]) for name, fields in events)
