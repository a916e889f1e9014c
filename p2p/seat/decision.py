"""Gets decisions from the player: at leisure, or in a race before the window ends."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import trio

from engine.question import PASS, Question
from engine.view import View
from p2p.errors import LocalError
from p2p.player.events import Claimed
from p2p.player.player import Player
from p2p.protocol.races.window import Window
from p2p.seat.clock import run_clock, seconds


class Deciding:
    """Asks the player of one seat, and watches the window of a race meanwhile."""

    def __init__(self, player: Player) -> None:
        self._player: Final = player
        self._stirred = trio.Event()

    def stir(self) -> None:
        """An entry of another seat came: a pass may have to leave sooner."""
        self._stirred.set()

    async def decide(self, view: View, question: Question[Any], window: Window | None) -> object:
        """A decision that the question allows."""
        if window is not None:
            decision = await self._race(view, question, window)
        else:
            decision = await self._player.decide(view, question)
        if not question.allows(view, decision):
            raise LocalError("a player decided what the question does not allow")
        return decision

    async def _race(self, view: View, question: Question[Any], window: Window) -> object:
        """A claim as soon as it is made; a pass when the window lets it leave."""
        began, said = run_clock()(), _Said()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(self._ask, view, question, said))
            await self._until_due(said, window)
            nursery.cancel_scope.cancel()
        if said.claims and question.for_others(view.seat):
            self._player.tell(Claimed(question.topic, run_clock()() - began))
        return said.decision

    async def _ask(self, view: View, question: Question[Any], said: _Said) -> None:
        said.decision = await self._player.decide(view, question)
        said.anything = True
        self.stir()

    async def _until_due(self, said: _Said, window: Window) -> None:
        """Return when the player claims, or when its pass may leave."""
        while not said.claims:
            self._stirred = trio.Event()
            leaves = window.pass_at(wants=not said.anything)
            if leaves is None:
                await self._stirred.wait()
                continue
            with trio.move_on_at(seconds(leaves)) as patience:
                await self._stirred.wait()
            if patience.cancelled_caught:
                return


class _Said:
    """What the player has said so far in a race."""

    def __init__(self) -> None:
        self.anything = False
        self.decision: object = PASS

    @property
    def claims(self) -> bool:
        return self.decision is not PASS
