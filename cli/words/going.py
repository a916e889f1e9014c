"""What is said of leaving a table, and what can be said before anybody sits there.

Light enough for the first picture: who decides instead is in `cli.line.going`.
"""

from __future__ import annotations

from typing import Final

SURE: Final = "Leave the table? (y/n)"
WAYS: Final = "Leave? l: later again, the table waits  b: a bot plays for you{}  {}: stay"
GOOD: Final = "  g: for good"
FOR_GOOD: Final = "For good: they play on without you, and you cannot come back. Sure? (y/n)"
CUT: Final = "{} reach each other only through you: without you their game stops. Sure? (y/n)"
LATER: Final = ("l", "y", "yes")
STAYS: Final = "You stay."
GOES: Final = "You leave for good at your next decision."
BOT: Final = "A bot plays for you. {}: you play again."
YOURSELF: Final = "You play again."


class NobodyGoes:
    """No game is played: one can only leave the table."""

    can_leave: bool = False
    """Whether the others can play on without this person."""

    @property
    def bot_plays(self) -> bool:
        """Whether a bot decides for this person."""
        return False

    @property
    def sure(self) -> str:
        """What is asked before one leaves for good."""
        return FOR_GOOD

    def ways(self, stay: str) -> str:
        """How one may go, in a line; with `stay` one does not."""
        return SURE

    def leave(self) -> None:
        """Leave for good, as soon as there is something to decide."""

    def let_bot_play(self) -> None:
        """A bot decides from now on, what is asked just now included."""

    def play_again(self) -> None:
        """The person decides again."""
