"""Between two games, line by line: what is asked, and what a line means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from threading import Event as Signal
from typing import Final

from cli.kit.reaction import EARLY_SECONDS, LATE_SECONDS
from cli.words.next_game import Outlook
from engine.wording.layout import fit
from p2p.player.choosing import Choosing
from p2p.player.events import PlayAgain
from p2p.protocol.terms import Terms

ChoosesGame = Callable[[int, Signal], Terms | None]
"""Asks a host for another game for so many people, until it is given up; it blocks, in a thread."""
STORY: Final = "s"
OTHER: Final = "o"


class Means(Enum):
    """What a line means that agrees to nothing."""

    LEAVE = auto()
    NOTHING = auto()


class Between:
    """What one person is asked; `now` gives seconds.

    A line means what the question above it said, not what came while Enter went down.  An Enter
    alone may be meant for the game that has just ended, so it never leaves, and agrees only to what
    has been there for a while.
    """

    def __init__(self, choosing: Choosing, said: PlayAgain, now: Callable[[], float]) -> None:
        self.choosing: Final = choosing
        self._outlook = Outlook(choosing.names, choosing.seat, said)
        self._now: Final = now
        self._since = -LATE_SECONDS if self._outlook.offer is None else now()

    @property
    def hosts(self) -> bool:
        """Whether this person proposes what is played."""
        return self._outlook.hosts

    def hear(self, said: PlayAgain) -> list[str]:
        """What the others say by now; what is new for this person to know."""
        before, self._outlook = self._outlook, replace(self._outlook, said=said)
        asked = before.offer, before.is_over, before.agreed
        if asked != (self._outlook.offer, self._outlook.is_over, self._outlook.agreed):
            self._since = self._now()
        news = self._outlook.offer is not None and self._outlook.offer != before.offer
        lines = [line for text in self._outlook.lines() for line in fit(f"  {text}")]
        over = self._outlook.is_over or bool(said.why_not)
        told = fit(self._outlook.sentence) if over and before.said != said else []
        return (lines if news else []) + told

    def ask(self) -> str:
        """The question, with what a line may be."""
        outlook = self._outlook
        if outlook.offer is not None:
            return "Enter: agree   s: story   n: leave > "
        if outlook.agreed:
            return f"Waiting.   {_OTHER if outlook.hosts else ''}c: talk   q: leave > "
        if outlook.is_over:
            return "s: story   q: leave > "
        other = _OTHER if outlook.hosts else ""
        return f"r: play again with the same people   {other}s: story   q: leave > "

    def means(self, typed: str) -> Means | Terms:
        """What a line means: the plan to which it agrees, to leave, or nothing."""
        outlook, shown = self._outlook, self._now() - self._since
        if typed in ("q", "quit"):
            return Means.LEAVE
        if shown < (EARLY_SECONDS if typed else LATE_SECONDS):
            return Means.NOTHING
        if outlook.offer is not None:
            return self._answer(outlook.offer, typed)
        asks = not outlook.agreed and not outlook.is_over
        return self.choosing.same if asks and typed in _YES else Means.NOTHING

    def _answer(self, offer: Terms, typed: str) -> Means | Terms:
        if typed in _NO:
            return Means.LEAVE
        return offer if typed in ("", *_YES) else Means.NOTHING


_OTHER: Final = "o: other game   "
_YES: Final = ("r", "again", "y", "yes")
_NO: Final = ("n", "no")
