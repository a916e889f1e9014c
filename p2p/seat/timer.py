"""What a part of a seat does later: one thing at a time."""

from __future__ import annotations

import math
from typing import Final

from p2p.seat.desk import Act, Alarm, Desk


class Timer:
    """At most one thing to be done later; another one takes its place."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._alarm: Alarm | None = None

    @property
    def due(self) -> float:
        """When it will be done; infinite if nothing will."""
        if self._alarm is None or self._alarm.act is None:
            return math.inf
        return self._alarm.when

    def at(self, when: float, act: Act) -> None:
        """Do this at a time, and nothing else."""
        self.stop()
        self._alarm = self._desk.at(when, act)

    def after(self, seconds: float, act: Act) -> None:
        """Do this after so many seconds, and nothing else."""
        self.at(self._desk.now() + seconds, act)

    def every(self, seconds: float, act: Act) -> None:
        """Do this after so many seconds and again and again, and nothing else."""

        def ring() -> None:
            self.after(seconds, ring)
            act()

        self.after(seconds, ring)

    def hurry(self) -> None:
        """What is to be done later, if anything, is done at once, but not within this call."""
        if self._alarm is not None and self._alarm.act is not None:
            self.at(self._desk.now(), self._alarm.act)

    def stop(self) -> None:
        """Do nothing."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
