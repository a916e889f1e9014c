"""In the lobby, line by line: whether this person is ready, and how well a host's bots play."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from threading import Event as Signal
from typing import Final

import trio

from cli.kit.reaction import REST_SECONDS
from cli.options.bot_levels import LobbyBots
from cli.words.said import NO_SEAT
from p2p.player.events import Gathering

ChoosesBots = Callable[[Mapping[str, str], Signal], dict[str, str] | None]
"""Asks a host for the level of each bot, until it is given up; it blocks, in a thread."""
Levels = dict[str, str] | None
Asks = Callable[[Callable[[Signal], Levels]], Awaitable[Levels]]
"""Asks in a thread, until that is given up."""
BOTS: Final = "b"
_READY: Final = "Enter: I'm ready   {bots}c hello: says hello   q: leave > "
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
        self._plan: object = None
        """The terms and seats that this person was told last."""
        self._rests_until = -inf
        """Until then, Enter was meant for what was proposed before."""
        self.bots: Final = bots
        self.choose: Final = choose

    def ask(self) -> str:
        """The question, with what a line may be."""
        bots = "" if self.bots is None else f"{BOTS}: bots   "
        return (_UNREADY if self._ready else _READY).format(bots=bots)

    def gather(self, lobby: Gathering, prompt: str) -> str:
        """The lobby as it is now: a guest is not ready for what the host has changed.

        Return what is asked now, if something is by this `prompt`.
        """
        before, self._plan = self._plan, (lobby.terms, lobby.seats)
        if before not in (None, self._plan) and lobby.seat != 0:
            self._ready, self._rests_until = False, trio.current_time() + REST_SECONDS
        return prompt and self.ask()

    def hear(self, typed: str) -> None:
        """A line that may say whether the person is ready."""
        if trio.current_time() < self._rests_until:
            return
        if typed in (("n", "no") if self._ready else ("", "y", "yes")):
            self.set_ready(not self._ready)

    async def change_bots(self, bots: LobbyBots, ask: Asks) -> list[str]:
        """Let a host change the bots; why not, in a sentence, or nothing."""
        self.set_ready(False)
        levels = bots.offered()
        if not levels:
            return [NO_SEAT]
        chosen = await ask(partial(self.choose, levels))
        if chosen is not None:
            bots.change(chosen)
        return []

    def set_ready(self, ready: bool) -> None:
        """Say it: whoever changes the bots is not ready meanwhile."""
        self._ready = ready
        self._say(ready)
