"""When the steps of a game came in on this machine (`NAME.ndtime`, optional)."""

from __future__ import annotations

from pathlib import Path


def read_times(log: Path) -> dict[int, int]:
    """Milliseconds since the table began, by step; empty where no times were kept.

    A line that is garbled ends them: they are for show only.
    """
    try:
        lines = log.with_suffix(".ndtime").read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    times: dict[int, int] = {}
    for line in lines:
        step, _, milliseconds = line.partition(" ")
        if not (step.isdecimal() and milliseconds.isdecimal()):
            break
        times[int(step)] = int(milliseconds)
    return times
