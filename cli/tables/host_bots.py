"""The bots that sit down with a host, and how the host changes them while the lobby is open.

How well a bot plays is in its name, and its name is in what all sign: where another level is
wanted a bot leaves, and another one with a key of its own sits down.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import trio

from cli.home.own_bots import MakeBot, OwnBot
from cli.options.bot_levels import OUT, LobbyBots
from cli.tables.bot_names import named
from engine.question import Question
from engine.view import View
from p2p.driver.connection import one_error
from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.player.events import Event, Gathering
from p2p.player.player import GetReady, Player
from p2p.text.names import called

Sits = Callable[[int, OwnBot, GetReady], Awaitable[object]]
"""A bot's evening at the table, as the bot of that number; what `GetReady` raises ends it."""
AskHost = Callable[[Callable[[bool], None], LobbyBots], Awaitable[None]]
"""As `GetReady`; the person may change the bots too."""


class SentOffError(Exception):
    """The host wants another bot in the place of this one, or none."""


@dataclass(slots=True)
class Chair:
    """Where a bot of this name may sit: at which level it plays, or `OUT`."""

    name: str
    level: str = OUT
    bot: str = ""
    """The words of the key of the bot that sits here, or is about to."""
    changed: trio.Event = field(default_factory=trio.Event)
    kept: bool = False
    """Whether somebody sees to it that the right bot sits here."""


class HostBots:
    """The bots of one host.  `tell` is given sentences for a person, who may change the bots;
    without it there is none, and a bot that cannot sit down ends the table with its error.
    """

    def __init__(
        self,
        chairs: Sequence[Chair],
        make: MakeBot,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._chairs: Final = chairs
        self._make: Final = make
        self._one_at_a_time: Final = trio.CapacityLimiter(1)
        self._tell: Final = tell
        self._open: tuple[trio.Nursery, Sits] | None = None
        self._lobby: Gathering | None = None
        self._sent_off: Final[set[str]] = set()
        self._ready = False
        self._news = trio.Event()

    def open(self, nursery: trio.Nursery, sits: Sits) -> None:
        """The table is open: let those bots sit down that are wanted."""
        self._open = nursery, sits
        for chair in self._chairs:
            self._keep(chair)

    # -- what the host changes -------------------------------------------------------------

    def offered(self) -> dict[str, str]:
        """As in `LobbyBots`: as many are `OUT` as seats are free."""
        free = 0 if self._lobby is None else self._lobby.missing
        out = [chair.name for chair in self._chairs if chair.level == OUT][:free]
        there = (one for one in self._chairs if one.level != OUT or one.name in out)
        return {chair.name: chair.level for chair in there}

    def change(self, levels: Mapping[str, str]) -> None:
        """As in `LobbyBots`."""
        for chair in self._chairs:
            level = levels.get(chair.name, chair.level)
            if level != chair.level:
                chair.level = level
                self._sent_off.add(chair.bot)
                chair.changed.set()
                self._keep(chair)
        self._news.set()

    async def get_ready(self, ask: AskHost, say: Callable[[bool], None]) -> None:
        """`ask` the host, who is ready once the lobby shows the bots that are wanted: a bot that
        leaves a table after all were ready ends it.
        """
        with one_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._say_when_settled, say)
                await ask(self._wish, self)

    def _wish(self, ready: bool) -> None:
        self._ready = ready
        self._news.set()

    async def _say_when_settled(self, say: Callable[[bool], None]) -> None:
        while True:
            await self._news.wait()
            self._news = trio.Event()
            say(self._ready and self._is_settled)

    @property
    def _is_settled(self) -> bool:
        there = () if self._lobby is None else (one.fingerprint for one in self._lobby.people)
        shown = set(there)
        wanted = {chair.bot for chair in self._chairs if chair.level != OUT}
        return wanted <= shown and shown.isdisjoint(self._sent_off)

    # -- what the bots do ------------------------------------------------------------------

    def _keep(self, chair: Chair) -> None:
        if self._open is not None and chair.level != OUT and not chair.kept:
            nursery, sits = self._open
            chair.kept = True
            nursery.start_soon(self._seat, chair, sits)

    async def _seat(self, chair: Chair, sits: Sits) -> None:
        """One bot after the other, until none is wanted here, or one has had its evening."""
        while chair.level != OUT:
            chair.changed = trio.Event()
            try:
                await self._seat_one(chair, sits)
                break
            except SentOffError:
                self._sent_off.add(chair.bot)  # it may have been made when it was sent off already
            except LobbyError as why:
                if self._tell is None:
                    raise
                chair.level = OUT
                self._tell(f"*** {called(chair.name)} (bot) cannot sit down: {why}.")
        chair.kept = False
        self._news.set()

    async def _seat_one(self, chair: Chair, sits: Sits) -> None:
        chair.bot = ""
        make = partial(self._make, named(chair.name, chair.level))
        bot = await trio.to_thread.run_sync(make, limiter=self._one_at_a_time)
        chair.bot = words(bot.identity.public)
        await sits(self._chairs.index(chair), bot, partial(_until, chair.changed))

    # -- what the host's own seat is told --------------------------------------------------

    def beside(self, player: Player) -> Player:
        """The host's player, of whose lobby these bots are told too."""
        return Overhears(player, self._hear)

    def _hear(self, event: Event) -> Event:
        if isinstance(event, Gathering):
            self._lobby = event
            self._news.set()
        return event

    def has(self, fingerprint: str) -> bool:
        """Whether these are the words of the key of a bot that is wanted here."""
        return any(fingerprint == chair.bot for chair in self._chairs if chair.level != OUT)


async def _until(sent_off: trio.Event, say: Callable[[bool], None]) -> None:
    """A bot is ready at once, until it is sent off."""
    say(True)
    await sent_off.wait()
    raise SentOffError


class Overhears:
    """A `Player` who is told what `hear` makes of each event; None is kept from them."""

    def __init__(self, player: Player, hear: Callable[[Event], Event | None]) -> None:
        self._player: Final = player
        self._hear: Final = hear

    async def decide(self, view: View, question: Question[object]) -> object:
        """What the player decides."""
        return await self._player.decide(view, question)

    def tell(self, event: Event) -> None:
        """Tell both."""
        heard = self._hear(event)
        if heard is not None:
            self._player.tell(heard)
