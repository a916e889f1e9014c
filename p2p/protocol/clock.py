"""The clock of a table: how many seconds a decision may take, until one's own program decides.

It stands in the proposal, so everybody has agreed to it.  Nobody can see whether another program
keeps to it: one that does not makes the table wait, as a player who is gone does.
"""

from __future__ import annotations

from typing import Any, Final

from engine.errors import UsageError
from p2p import checks
from p2p.protocol import wire

NO_CLOCK: Final = 0
"""A table that waits for as long as people think."""
CLOCKS: Final = range(5, 3601)
"""The seconds that a clock may give."""


def check_clock(seconds: int) -> None:
    """UsageError for a number of seconds that no table has."""
    if seconds != NO_CLOCK and seconds not in CLOCKS:
        least, most = CLOCKS[0], CLOCKS[-1]
        raise UsageError(f"the clock is {least} to {most} seconds, or 0 for none (not {seconds})")


def decode_clock(value: Any) -> int:
    """The clock that somebody sent; PeerError `malformed`."""
    seconds: int = wire.exactly(value, int, "the clock")
    sound = seconds == NO_CLOCK or seconds in CLOCKS
    checks.require("genesis.clock", sound, "malformed", "the clock is out of range")
    return seconds
