"""Whether the person looks at this terminal, and what they are called back for.  Pure.

A terminal may say that it is in front, or no longer.  One that never does is taken to be in front
for a while after each key.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

FRONT_SECONDS: Final = 10.0
"""How long after a key a terminal that says nothing is taken to be in front."""
APART_SECONDS: Final = 5.0
"""No two bells are nearer to each other, whatever others do."""


class Signs(Protocol):
    """What reaches somebody who does not look."""

    def ring(self, said: str) -> None:
        """One bell, and where the terminal has them a notification of what is said."""

    def entitle(self, said: str) -> None:
        """Give the window this title, or with "" the one that it had."""


class NoSigns:
    """Nobody is called: the setting is off, or there is no terminal."""

    def ring(self, said: str) -> None:
        """Stay silent."""

    def entitle(self, said: str) -> None:
        """Leave the title."""


class Attention:
    """Calls a person who is away; `now` gives seconds.

    The title says that it is their turn as long as it is; other news stand in it until they look.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, signs: Signs | None = None
    ) -> None:
        self.signs: Signs = signs or NoSigns()
        self._now: Final = now
        self._front: bool | None = None
        """What the terminal has said; None as long as it has said nothing."""
        self._key_at = now()
        self._rung_at = -APART_SECONDS + now()
        self._turn = self._news = self._title = ""

    @property
    def in_front(self) -> bool:
        """Whether the person can be taken to look."""
        silent = self._now() - self._key_at
        return silent < FRONT_SECONDS if self._front is None else self._front

    def key(self) -> None:
        """A key was pressed here, so the terminal is in front."""
        self._key_at = self._now()
        self.focus(None if self._front is None else True)

    def focus(self, front: bool | None) -> None:
        """The terminal says that it is in front, or not; None: it cannot be asked for now."""
        self._front = front
        self._entitle()

    def news(self, said: str) -> None:
        """Something happened that a person would like to know."""
        if not self.in_front:
            self._news = said
            self._call(said)

    def turn(self, said: str) -> None:
        """It is this person's turn."""
        self._turn = said
        if not self.in_front:
            self._call(said)

    def turn_over(self) -> None:
        """It is their turn no more."""
        self._turn = ""
        self._entitle()

    def _call(self, said: str) -> None:
        self._entitle()
        if self._now() - self._rung_at >= APART_SECONDS:
            self._rung_at = self._now()
            self.signs.ring(said)

    def _entitle(self) -> None:
        if self.in_front:
            self._news = ""
        title = "" if self.in_front else self._turn or self._news
        if title != self._title:
            self._title = title
            self.signs.entitle(title)
