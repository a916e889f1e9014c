"""When the steps of a game arrived on this machine (`NAME.ndtime`, optional)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from p2p.disk.outside import TIMES_MAX, read_outside

_LINE: Final = re.compile(r"([0-9]{1,9}) ([0-9]{1,12})")


def read_times(log: Path) -> dict[int, int]:
    """Milliseconds since the table began, by step; empty if no times were kept.

    A garbled line ends them: they are only for show.
    """
    try:
        lines = read_outside(log.with_suffix(".ndtime"), TIMES_MAX).decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    times: dict[int, int] = {}
    for line in lines:
        said = _LINE.fullmatch(line)
        if said is None:
            break
        times[int(said[1])] = int(said[2])
    return times
