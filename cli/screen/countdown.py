"""Questions that end by themselves, and what is said of the time left.  Pure.

The table ends the window of a race (`p2p.protocol.races.window`), and earlier if all have passed;
other questions end because the game says so (`Wording.by_itself`), or because the table has a clock
(`p2p.seat.decision`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.kit.clock import left as time_left
from engine.time_out import is_under_clock

if TYPE_CHECKING:  # nothing is asked in the first picture
    from engine.question import Question
    from engine.view import View
    from engine.wording import Wording


@dataclass(frozen=True, slots=True)
class Countdown:
    """Until when one is asked, on the clock of the screen; the end of it may be a last call."""

    until: float
    last_call: float = 0.0
    """For how many seconds before the end."""

    def said(self, now: float) -> str:
        """The time that is left, in whole seconds.

        >>> ends = Countdown(10.0, last_call=3.0)
        >>> ends.said(2.8), ends.said(7.5), ends.said(10.1)
        ('8 s', 'LAST CALL, 3 s', 'LAST CALL, 0 s')
        """
        left = self.until - now
        shown = time_left(left)
        return f"LAST CALL, {shown}" if left <= self.last_call and self.last_call else shown


def countdown(
    view: View, question: Question[Any], text: Wording[Any], now: float, clock: int = 0
) -> Countdown | None:
    """The end of a question that is asked `now`, if nobody does anything; None if there is none.

    `clock` is that of the table, in seconds; 0 if it has none.
    """
    milliseconds = question.lasts_ms()
    ends = [text.by_itself.get(question.topic) if milliseconds is None else milliseconds / 1_000]
    ends += [float(clock)] if clock and is_under_clock(question, view.seat) else []
    seconds = min((one for one in ends if one is not None), default=None)
    if seconds is None:
        return None
    called = text.last_call.get(question.topic)
    return Countdown(now + seconds, called(view.table) / 1_000 if called else 0.0)
