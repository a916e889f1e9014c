"""The turn of one reader: all get the same time of a processor, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tests.fuzz.reader import Reader


class Turn:
    """So many seconds of this process's processor, from the end of the first input on.

    What comes before (imports, sound examples) is not counted, and the clock on the wall has no
    say: a reader that had to wait for its processor reads as much as any other.
    """

    def __init__(
        self, reader: Reader, seconds: float, clock: Callable[[], float] = time.process_time
    ) -> None:
        self.runs = 0
        self._reader: Final = reader
        self._seconds: Final = seconds
        self._clock: Final = clock
        self._ends: float | None = None

    def take(self, data: bytes) -> None:
        """Let it read this; raises what must not be raised."""
        self._reader.take(data)
        self.runs += 1
        if self._ends is None:
            self._ends = self._clock() + self._seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is used up; never before something was read."""
        return self._ends is not None and self._clock() >= self._ends
