"""The audit of whole logs, good and bad."""

from __future__ import annotations

import pytest

from engine.games import load
from replay.audit import audit_bytes
from tests.protocol.kit import game_hub, log_bytes, seeded


@pytest.fixture(scope="module")
def match_log() -> bytes:
    hub = game_hub(load("flip-over"), 4, seed=3)
    hub.run()
    assert not hub.faults
    logs = {log_bytes(seat) for seat in hub.seats}
    assert len(logs) == 1
    return logs.pop()


def test_an_honest_match_is_complete(match_log: bytes) -> None:
    report = audit_bytes(match_log, "match", seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True)
    assert (report.game, report.seats) == ("flip-over", 4)
    assert report.shuffles == 4
    assert report.returns is not None
    assert sum(report.returns) == 0
