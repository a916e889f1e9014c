"""Bots at the table, and one whose seat a person watches."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from cli.kit.output import say
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.tables.bot_names import level_of
from engine.bots.pace import PACES, Pace
from engine.levels import NORMAL
from engine.question import Question
from engine.view import View
from p2p.logs import logger
from p2p.peer import Player
from p2p.player.bots import BotPlayer, Thinks
from p2p.player.events import Event, Noted, Seated

LOG: Final = logger("cli")


def bot_player(
    game_name: str,
    seed: int | None,
    seat: int,
    pace: Pace | None = None,
    thinks: Thinks | None = None,
    level: str = NORMAL,
) -> Player:
    """The bot of one seat; the seed decides its choices, never a key.

    It keeps to `pace` in races, or to that of its level, except at a table of bots only, where
    nobody has to keep up.
    Where people look on, it `thinks` at its other decisions.
    """
    # A string seed: hashing a tuple would differ from one process to the next.
    rng = Random(None if seed is None else f"{seed}/{seat}")
    return _LoggedBot(game_name, rng, pace=pace or PACES[level], thinks=thinks, level=level)


class _LoggedBot(BotPlayer):
    """A bot that leaves a trace for `-vv`: the kinds of the events it is told, and of what the
    rules tell.  What is in them may be for this seat only.
    """

    def __init__(self, game_name: str, rng: Random, **how: Any) -> None:
        super().__init__(game_name, rng, **how)
        self._own_pace: Final = self._pace

    def tell(self, event: Event) -> None:
        """Log the event."""
        super().tell(event)
        if isinstance(event, Seated):
            self._pace = None if event.bots_only else self._own_pace
        noted = f" {event.note[0]}" if isinstance(event, Noted) else ""
        LOG.debug("bot is told: %s%s", type(event).__name__, noted)


class Onlooker:
    """A `Player` (p2p.peer): the bot `player` decides, and its news is printed in words."""

    def __init__(self, settings: Settings, player: Player) -> None:
        self._teller = Teller(settings, later=self._print)
        self._settings = settings
        self._player = player

    async def decide(self, view: View, question: Question[Any]) -> object:
        """What the bot decides."""
        return await self._player.decide(view, question)

    def tell(self, event: Event) -> None:
        """Print the news, and tell the bot too."""
        self._print(self._teller.news(event))
        self._player.tell(event)

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            say(self._settings.paint(line))


class GuestBot:
    """A bot that learns which game it plays when it is seated; its name says how well."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed
        self._player: Player | None = None

    async def decide(self, view: View, question: Question[Any]) -> object:
        """What the game's bot decides."""
        assert self._player is not None  # nobody decides anything before being seated
        return await self._player.decide(view, question)

    def tell(self, event: Event) -> None:
        """Become the bot of the game once that is known."""
        if isinstance(event, Seated):
            level = level_of(event.names[event.seat])
            self._player = bot_player(event.terms.game, self._seed, event.seat, level=level)
        if self._player is not None:
            self._player.tell(event)
