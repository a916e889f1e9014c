"""For tests of the network over loopback."""

from __future__ import annotations

import pytest
import trio.testing


@pytest.fixture
def quiet_clock() -> trio.testing.MockClock:
    """Time jumps on when nothing has come over loopback for this many seconds."""
    return trio.testing.MockClock(autojump_threshold=0.03)
