"""For tables over real sockets whose time is virtual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing


async def _at_once(work: Callable[..., Any], *arguments: Any, **_: object) -> Any:
    """Do in place what a thread would do: the clock cannot see that a thread is at work."""
    await trio.lowlevel.checkpoint()
    return work(*arguments)


@pytest.fixture
def quiet_clock(monkeypatch: pytest.MonkeyPatch) -> trio.testing.MockClock:
    """Advance time only when the whole table waits, so that a busy machine delays nobody.

    All seats share one process: what a seat has sent over loopback is there before the clock jumps.
    """
    monkeypatch.setattr(trio.to_thread, "run_sync", _at_once)
    return trio.testing.MockClock(autojump_threshold=0.03)
