"""In the lobby, line by line: whether this person is ready, and how well a host's bots play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Event as Signal
from typing import Final

from cli.options.bot_levels import LobbyBots

ChoosesBots = Callable[[Mapping[str, str], Signal], dict[str, str] | None]
"""Asks a host for the level of each bot, until it is given up; it blocks, in a thread."""
BOTS: Final = "b"
_READY: Final = "Enter: I am ready   {bots}c hello: says hello   q: leave > "
_UNREADY: Final = (
    "You are ready; waiting for the others.   n: not ready   {bots}c: talk   q: leave > "
)


class InLobby:
    """What one person is asked before a game; `say` is told whether they are ready.

    `bots` are those of a host, and `choose` asks for their levels.
    """

    def __init__(
        self, say: Callable[[bool], None], bots: LobbyBots | None, choose: ChoosesBots
    ) -> None:
        self._say: Final = say
        self._ready = False
        self.bots: Final = bots
        self.choose: Final = choose

    def ask(self) -> str:
        """The question, with what a line may be."""
        bots = "" if self.bots is None else f"{BOTS}: bots   "
        return (_UNREADY if self._ready else _READY).format(bots=bots)

    def hear(self, typed: str) -> None:
        """A line that may say whether the person is ready."""
        if typed in (("n", "no") if self._ready else ("", "y", "yes")):
            self.set_ready(not self._ready)

    def set_ready(self, ready: bool) -> None:
        """Say it: whoever changes the bots is not ready meanwhile."""
        self._ready = ready
        self._say(ready)
