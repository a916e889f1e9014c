"""The others as one waits for them: the time that the clock gives them, and who is missing.

Pure; imported before anything of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.kit.clock import left
from engine.zone import Seat

if TYPE_CHECKING:  # in the first picture there is no game yet
    from engine.question import Question

TICK_SECONDS: Final = 0.5
"""How often the time that is left is drawn."""
FEW: Final = 2
"""So many are named; of more it is no news that they are waited for."""
ALL_WAIT: Final = "; all wait for you"
ALL_PASSED: Final = "; all others have passed"


def no_limit() -> float | None:
    """Nobody is waited for, or for as long as it takes."""
    return None


class OthersTime:
    """Asks the table how many seconds are left, None where there is no limit, and who is missing.

    A window in which anybody may do something ends before its time when all have passed, so in it
    those who have not are told of.
    """

    def __init__(self) -> None:
        self.left: Callable[[], float | None] = no_limit
        self.missing: Callable[[], Sequence[Seat]] = tuple

    def alone(self, question: Question[Any], me: Seat) -> str:
        """What is said to the only one whose answer is missing; else empty."""
        missing = self.missing()
        others = [seat for seat in question.deciders if seat != me]
        waits = others and me in missing and not any(seat in missing for seat in others)
        return (ALL_PASSED if question.timed else ALL_WAIT) if waits else ""

    def beside(
        self, prompt: str, question: Question[Any] | None, me: Seat, names: Sequence[str]
    ) -> str:
        """What is asked of others, with the time that they have, or with those who are missing."""
        seconds = self.left()
        if seconds is not None:
            return f"{prompt}  ({left(seconds)})"
        missing = [names[seat] for seat in self._missing(question, me)]
        return f"{prompt}  (all wait for {', '.join(missing)})" if missing else prompt

    def next_look(self, question: Question[Any] | None, me: Seat) -> float:
        """After how many seconds it is drawn again; 0 for never."""
        return TICK_SECONDS if self.left() is not None or self._missing(question, me) else 0.0

    def _missing(self, question: Question[Any] | None, me: Seat) -> list[Seat]:
        """The few others who have yet to say whether they do something in a window."""
        if question is None or question.lasts_ms() is None:
            return []
        missing = self.missing()
        found = [seat for seat in question.deciders if seat in missing and seat != me]
        return found if len(found) <= FEW else []
