"""The time that the clock gives those for whom the table waits, as it is drawn for the others.

Pure; imported before anything of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.words.clock import left

TICK_SECONDS: Final = 0.5
"""How often the time that is left is drawn."""


def no_limit() -> float | None:
    """Nobody is waited for, or for as long as it takes."""
    return None


class OthersTime:
    """Asks the table how many seconds are left; None where there is no limit."""

    def __init__(self) -> None:
        self.left: Callable[[], float | None] = no_limit

    def beside(self, prompt: str) -> str:
        """What is asked of others, with the time that they have."""
        seconds = self.left()
        return prompt if seconds is None else f"{prompt}  ({left(seconds)})"

    def next_look(self) -> float:
        """After how many seconds it is drawn again; 0 for never."""
        return 0.0 if self.left() is None else TICK_SECONDS
