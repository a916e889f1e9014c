"""Logs to audit, and knives to cut them with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.games import load
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.logfile import begin_log, frame, split_log
from replay.audit import Report, audit_bytes
from tests.protocol.kit import game_hub, log_bytes, seeded


@cache
def match(seed: int = 3, seats: int = 4) -> bytes:
    """The log of a whole match of Flip Over."""
    hub = game_hub(load("flip-over"), seats, seed)
    hub.run()
    assert not hub.faults
    logs = {log_bytes(seat) for seat in hub.seats}
    assert len(logs) == 1, "the logs of the seats differ"
    return logs.pop()


def judge(data: bytes) -> Report:
    """The verdict of the audit, reproducibly."""
    return audit_bytes(data, "log", seeded("audit"))


def records(log: bytes) -> list[bytes]:
    return list(split_log(log).records)


def entries(log: bytes) -> list[Entry]:
    return [decode_entry(record) for record in records(log)]


def with_records(log: bytes, kept: Sequence[bytes]) -> bytes:
    """The same header, other records."""
    return begin_log(split_log(log).header) + b"".join(frame(record) for record in kept)
