"""Questions that end by themselves: how long they last, and what is said of the time left.  Pure.

The table ends the window of a race (`p2p.protocol.races.window`), and earlier if all have passed;
other questions end because the game says so (`Wording.by_itself`).
"""

from __future__ import annotations

import math
from typing import Any, Final

from engine.question import Question
from engine.wording import Wording

TICK_SECONDS: Final = 0.5
"""How often the time that is left is drawn."""


def lasts(question: Question[Any], text: Wording[Any]) -> float | None:
    """For how many seconds one is asked, if nobody does anything; None if there is no end."""
    milliseconds = question.lasts_ms()
    return text.by_itself.get(question.topic) if milliseconds is None else milliseconds / 1_000


def countdown(seconds: float) -> str:
    """The time that is left, in whole seconds.

    >>> countdown(7.2), countdown(-0.1)
    ('8 s', '0 s')
    """
    return f"{max(0, math.ceil(seconds))} s"
