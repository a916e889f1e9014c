"""A table's clock in words.  Pure."""

from __future__ import annotations

import math
from typing import Final

AWAY: Final = "away, by the clock"
"""What stands beside somebody whose last decisions the clock has made."""
MINUTE: Final = 60
LONG: Final = 100
"""From so many seconds on they are told in minutes."""


def left(seconds: float) -> str:
    """The time that is left, in whole seconds.

    >>> left(7.5), left(-1.0), left(100), left(3600)
    ('8 s', '0 s', '1:40 min', '60:00 min')
    """
    whole = max(0, math.ceil(seconds))
    return f"{whole} s" if whole < LONG else f"{whole // MINUTE}:{whole % MINUTE:02} min"
