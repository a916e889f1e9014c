"""Which seats have left their last decisions to the clock, as this machine sees it.

A decision of the clock is an entry like any other, and nothing in it says so: that would be a claim
that nobody could check.  So each machine looks at its own clock when an entry comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.question import Question
from engine.time_out import is_under_clock
from engine.zone import Seat
from p2p.player.events import IN_A_ROW, Away
from p2p.protocol.races.timing import Timing
from p2p.seat.desk import Desk
from p2p.seat.timing import microseconds

EARLY_SECONDS: Final = 1.0
"""A question may come to us so much later than to the seat that decides it, but a tenth of a short
clock at most: else the last moments of a person who hurries would look like the end.
"""
ROUNDED_SECONDS: Final = 0.001
"""By how much our own clock may seem to have been early: moments are whole microseconds."""
LATE_SECONDS: Final = 1.0
"""How long after the end of the clock its decision arrives at the latest."""


class Absence:
    """Tells the player when a seat seems to be away, and when it decides again; `clock` seconds."""

    def __init__(self, desk: Desk, names: Sequence[str], own: Seat, clock: int) -> None:
        self._desk: Final = desk
        self._names: Final = names
        self._own: Final = own
        self._clock: Final = clock
        self._late = [0] * len(names)

    def look(self, question: Question[Any] | None, step: int, timing: Timing) -> None:
        """The decisions of this step are complete."""
        if not self._clock or question is None:
            return
        for seat in question.deciders:
            since = timing.since(step, seat)
            if since is not None and is_under_clock(question, seat):
                self._note(seat, since)

    def _note(self, seat: Seat, since: int) -> None:
        """`since` is how many microseconds after the question the decision was here."""
        before, early = self._late[seat], min(EARLY_SECONDS, self._clock / 10)
        least = self._clock - (ROUNDED_SECONDS if seat == self._own else early)
        most = self._clock + LATE_SECONDS
        by_clock = microseconds(least) <= since <= microseconds(most)
        self._late[seat] = before + 1 if by_clock else 0
        if self._late[seat] == IN_A_ROW or (not by_clock and before >= IN_A_ROW):
            self._desk.tell(Away(seat, self._names[seat], by_clock, seat == self._own))
