"""Entries that say something other than their seat would have, under its valid signature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.protocol.cheats import sign_again
from tests.replay.logs import entries, with_records

Change = tuple[str, Any]
"""What was changed, and the payload after it."""


def changes(payload: Any) -> Iterator[Change]:
    """Payloads that differ from this one in one place."""
    match payload:
        case bytes():
            yield from _changed_bytes(payload)
        case dict():
            yield from _changed_map(payload)
        case list():
            yield "an item less", payload[:-1]
            yield "an item more", [*payload, 0]
            for place, item in enumerate(payload[:2]):
                for what, changed in changes(item):
                    yield f"{place}: {what}", [*payload[:place], changed, *payload[place + 1 :]]
        case bool() | None:
            yield "a number", 0
        case int():
            yield "a number more", payload + 1
            yield "a boolean", True
            yield "nothing", None


def _changed_bytes(payload: bytes) -> Iterator[Change]:
    if payload:
        yield "the first bit", bytes([payload[0] ^ 1]) + payload[1:]
        yield "the last bit", payload[:-1] + bytes([payload[-1] ^ 0x80])
        middle = len(payload) // 2
        yield (
            "in the middle",
            payload[:middle] + bytes([payload[middle] ^ 8]) + payload[middle + 1 :],
        )
        yield "zeros", bytes(len(payload))
        yield "a byte less", payload[:-1]
    yield "a byte more", payload + b"\0"
    yield "nothing", None


def _changed_map(payload: dict[str, Any]) -> Iterator[Change]:
    yield "a field more", {**payload, "more": 0}
    yield "nothing", None
    for key, value in payload.items():
        yield f"without {key}", {name: kept for name, kept in payload.items() if name != key}
        for what, changed in changes(value):
            yield f"{key}: {what}", {**payload, key: changed}


def cheated(log: bytes, number: int, change: Any) -> bytes:
    """The log up to record `number`, whose seat says `change` instead, and nobody after it."""
    said = entries(log)
    kept = [entry.record for entry in said[:number]]
    return with_records(log, [*kept, sign_again(said[number].record, payload=change)])
