"""After a game: the keys with which one agrees to the next one, or as the host proposes it.

A key means what the picture under it said: Enter agrees to what was drawn, and the host may propose
something else while one looks.  Enter never leaves: whoever has just played by it may press it
once too often, and would not see the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.errors import UsageError

if TYPE_CHECKING:
    from cli.words.next_game import Outlook
    from p2p.player.choosing import Choosing
    from p2p.player.events import PlayAgain
    from p2p.protocol.terms import Terms


@dataclass(slots=True)
class Deciding:
    """What one person is asked; `another` opens the host's list of games, `leave` leaves."""

    choosing: Choosing
    outlook: Outlook
    another: Callable[[], None]
    leave: Callable[[], None]
    drawn: Outlook | None = None
    """What the last picture said."""

    def hear(self, said: PlayAgain) -> None:
        """What the others say by now."""
        self.outlook = replace(self.outlook, said=said)

    def draw(self) -> Outlook:
        """What the picture that is made now says."""
        self.drawn = self.outlook
        return self.outlook

    def keys(self) -> list[str]:
        """Those of this moment."""
        outlook = self.outlook
        if outlook.hosts:
            return ["r again", "o other"]
        if outlook.offer is not None:
            return ["Enter agrees"]
        return [] if outlook.agreed or outlook.is_over else ["r again"]

    def press(self, key: str) -> str:
        """Why a key did nothing, in a sentence; empty if what it did is seen."""
        seen = self.drawn or self.outlook
        if key == "q" or (key == "n" and seen.offer is not None):
            self.leave()
        elif key == "o" and seen.hosts:
            self.another()
        elif key in ("r", "enter") and seen.offer is not None:
            return self.agree(seen.offer)
        elif key == "r" and (seen.hosts or not (seen.agreed or seen.is_over)):
            return self.agree(self.choosing.same)
        return ""

    def agree(self, plan: Terms) -> str:
        """Agree to it, or propose it; why not, in a sentence."""
        try:
            self.choosing.agree(plan)
        except UsageError as error:
            return f"{error}."
        return ""
