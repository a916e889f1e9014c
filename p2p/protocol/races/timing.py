"""What this machine's own clock says about the entries of the last steps (protocol section 5).

The clock is a function that returns whole microseconds and never runs back; a machine that
decides nothing (an audit) has none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from engine.zone import Seat
from p2p.protocol.step_kinds import Asked, asks

Clock = Callable[[], int]
"""Microseconds since some moment; never runs back."""
REMEMBERED: Final = 16
"""How many steps' moments are kept: a race looks back to its claims, to the step before them,
and to what was turned up before a few races about the same card."""


def no_clock() -> int:
    """The clock of a machine that decides nothing: it stands still."""
    return 0


@dataclass(slots=True)
class _Moments:
    """One step: when it began, when our own entry left, and when that of each seat arrived."""

    began: int | None = None
    automatic: bool = False
    kind: str = ""
    left: int | None = None
    arrived: dict[Seat, int] = field(default_factory=dict)


_NOTHING: Final = _Moments()


class Timing:
    """When steps began here, and when each seat's entry arrived.

    `one_way` tells how long a message from a seat takes to us at least; None if that was not
    measured.
    """

    def __init__(
        self, clock: Clock = no_clock, one_way: Callable[[Seat], int | None] = lambda _: None
    ) -> None:
        self.clock: Final = clock
        self.one_way: Final = one_way
        self.live_from = 0
        """Moments of earlier steps mean nothing: they were played back after a restart."""
        self._steps: Final[defaultdict[int, _Moments]] = defaultdict(_Moments)

    def begin(self, step: int, automatic: bool, kind: str = "") -> None:
        """Note that `step` begins here; in an `automatic` one nobody has anything to decide."""
        moments = self._steps[step]
        moments.began, moments.automatic, moments.kind = self.clock(), automatic, kind
        for old in [old for old in self._steps if old <= step - REMEMBERED]:
            del self._steps[old]

    def _at(self, step: int) -> _Moments:
        """What is known of a step; nothing if it is forgotten, or was never heard of."""
        return self._steps.get(step, _NOTHING)

    def note(self, step: int, seat: Seat) -> None:
        """Note that an entry of `seat` arrived or our decision was made; the first time counts."""
        self._steps[step].arrived.setdefault(seat, self.clock())

    def leave(self, step: int) -> None:
        """Note that our own entry for `step` leaves now: it is on disk, and the links have it."""
        moments = self._steps[step]
        moments.left = self.clock() if moments.left is None else moments.left

    def own_after(self, step: int) -> int | None:
        """How long after the beginning of `step` our own entry left."""
        began, left = self.began(step), self._at(step).left
        return None if began is None or left is None else max(0, left - began)

    def after_own(self, step: int, seat: Seat, own: int) -> int | None:
        """How long after our entry for step `own` left the entry of `seat` for `step` arrived.

        Below 0 if before; None if one of the two is missing or their moments mean nothing.
        """
        left, arrived = self._at(own).left, self.arrived(step, seat)
        if self.began(min(step, own)) is None or left is None or arrived is None:
            return None
        return arrived - left

    def began(self, step: int) -> int | None:
        """When `step` began here; None if that means nothing."""
        return self._at(step).began if step >= self.live_from else None

    def since(self, step: int, seat: Seat) -> int | None:
        """How long after the beginning of `step` the entry of `seat` arrived."""
        began, arrived = self.began(step), self.arrived(step, seat)
        return None if began is None or arrived is None else max(0, arrived - began)

    def relayed(self, step: int) -> bool:
        """Whether the entries of `step` are passed on at once by all who have them."""
        return asks(self._at(step).kind, Asked.PASSED_ON)

    def turned_up(self, step: int) -> int | None:
        """The step that turned a card up, if `step` and all since then belong to races."""
        while asks(self._at(step).kind, Asked.RACING):
            step -= 1
        return step if self.relayed(step) and self.began(step) is not None else None

    def arrived(self, step: int, seat: Seat) -> int | None:
        """When the entry of `seat` arrived, on the clock."""
        return self._at(step).arrived.get(seat)

    def parts(self, step: int, me: Seat | None, leave_out: Seat | None) -> dict[Seat, int]:
        """When the part of each seat in `step` arrived, on the clock.

        Our own counts from when we could make it.  If nobody had anything to decide, that of
        `leave_out` is left out.  Empty if moments mean nothing.
        """
        began = self.began(step)
        if began is None:
            return {}
        parts = self._at(step).arrived.copy()
        if self._at(step).automatic:
            if leave_out is not None:
                parts.pop(leave_out, None)
            if me is not None:
                parts[me] = began
        return parts

    def lateness(self, step: int, seat: Seat, most: int) -> int | None:
        """How late the part of `seat` in `step` arrived; None if that means nothing.

        In an automatic step it is counted from when we could sign our own part: everybody
        could sign then, so a seat that takes longer may have looked first.

        If there was something to decide, taking long is nobody's fault.  But the part that
        arrived last was still on its way when its seat already saw everything: that counts from
        the part before it, and is at most `most`, the way there and back.

        A seat that had no part in the step is not late, nor is any seat before the first step.
        """
        if step < 0:
            return 0
        if self.began(step) is None:
            return None
        if self._at(step).automatic:
            return self.since(step, seat) or 0
        parts = self._at(step).arrived.copy()
        part = parts.pop(seat, None)
        if part is None:
            return 0
        return min(most, max(0, part - max(parts.values()))) if parts else most
