"""How a person goes while a game is played: to come back, leaving it to a bot, or for good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Final

import trio

from cli.words.going import (
    CUT,
    ENDS,
    GOOD_CONTINUE,
    GOOD_CUT,
    GOOD_ENDS,
    HOW,
    SHORT,
    TOLD,
    WAYS,
    NobodyGoes,
    sure,
)
from cli.words.won import win_without_you
from engine.bots.pace import PACES
from engine.levels import NORMAL
from engine.question import Question
from engine.view import View
from engine.zone import Seat
from p2p.driver.connection import one_error
from p2p.player.bots import BotPlayer, Thinks
from p2p.player.events import Event, Opened, Seated
from p2p.player.player import Player
from p2p.protocol.step import LEAVE

LEAST_SECONDS: Final = 0.4
"""How long a bot in one's place thinks at least: one has to be able to stop it."""
NAME: Final = 16
ROW_NAME: Final = 8
"""The columns of a winner's name: in a question, and in a row of the same width as the others."""
Decides = Callable[[View, Question[Any]], Awaitable[object]]


class Going(NobodyGoes):
    """What one person has chosen.  Every decision of the seat goes through `decide`.

    A bot in their place `thinks` that long.
    """

    def __init__(self, thinks: Thinks) -> None:
        self._thinks: Final[Thinks] = lambda size: max(LEAST_SECONDS, thinks(size))
        self._seated: Seated | None = None
        self._opened: Opened | None = None
        self._known: tuple[Question[Any] | None, tuple[Seat, ...] | None] | None = None
        """The question at which the winners without this person were found, and these winners."""
        self._bot: Player | None = None
        self._decided: set[int] = set()
        self._changed = trio.Event()

    def hear(self, event: Event) -> None:
        """Take what is told of the table, if it matters for leaving."""
        match event:
            case Seated():
                self.sit(event)
            case Opened():
                self.open(event)

    def sit(self, seated: Seated) -> None:
        """A game begins, or goes on.  Nobody leaves a table of bots for good: they need nobody."""
        people = set(range(len(seated.names))) - {seated.seat} - seated.bots
        self._seated, self.can_leave = seated, seated.can_leave and bool(people)
        self.for_good, self._bot = False, None
        self._decided.clear()
        self._opened = self._known = None

    def open(self, opened: Opened) -> None:
        """The game is there, with which rules say what leaving means."""
        self._opened = opened

    def _winners(self, at: Seated) -> list[str] | None:
        """Return the winners if this person leaves now; None if the others can continue.

        The game is played again for that: once for each question, not for each picture.
        """
        if self._opened is None:
            return None
        asked = self._opened.waits_for()
        if self._known is None or self._known[0] is not asked:
            self._known = asked, self._opened.winners_without()
        seats = self._known[1]
        return None if seats is None else [at.names[seat] for seat in seats]

    def _row(self, at: Seated) -> str:
        """The consequence of leaving for good, in a row beside its key."""
        winners = self._winners(at)
        if winners is None:
            return GOOD_CUT if _cut_off(at) else GOOD_CONTINUE
        return GOOD_ENDS.format(win_without_you(winners, ROW_NAME))

    @property
    def asks(self) -> str:
        return HOW if self._seated is not None else super().asks

    def ways(self, *, short: bool = False) -> tuple[str, ...]:
        if self._seated is None:
            return super().ways(short=short)
        ways = SHORT if short else WAYS
        return ways if self.can_leave else ways[:-1]

    def told(self) -> tuple[str, ...]:
        at = self._seated
        if at is None:
            return ()
        return (*TOLD, self._row(at)) if self.can_leave else TOLD

    @property
    def sure(self) -> str:
        at = self._seated
        winners = None if at is None else self._winners(at)
        if winners is not None:
            return sure(ENDS.format(win_without_you(winners, NAME)))
        cut = () if at is None else _cut_off(at)
        return sure(CUT.format(" and ".join(cut))) if cut else super().sure

    @property
    def bot_plays(self) -> bool:
        return self._bot is not None

    @property
    def bot_decided(self) -> frozenset[int]:
        return frozenset(self._decided)

    def leave(self) -> None:
        self.for_good = True
        self._change()

    def let_bot_play(self) -> None:
        if self._seated is not None:
            self._bot = BotPlayer(
                self._seated.terms.game, Random(), None, PACES[NORMAL], self._thinks
            )
            self._change()

    def play_again(self) -> None:
        self._bot = None
        self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def decide(
        self,
        view: View,
        question: Question[Any],
        person: Decides,
        meanwhile: Callable[[], Awaitable[None]] = trio.sleep_forever,
    ) -> object:
        """The decision of the person, or of whoever decides instead.

        `meanwhile` runs beside a bot.
        """
        while not self.for_good:
            found, bot = list[object](), self._bot
            with one_error():
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._give_up, self._changed, nursery.cancel_scope)
                    if bot is not None:
                        nursery.start_soon(meanwhile)
                    decides = person if bot is None else bot.decide
                    found.append(await decides(view, question))
                    nursery.cancel_scope.cancel()
            if found:
                if bot is not None and view.course is not None:
                    self._decided.add(len(view.course.answers))
                return found[0]
        return LEAVE

    async def _give_up(self, changed: trio.Event, scope: trio.CancelScope) -> None:
        await changed.wait()
        scope.cancel()


def _cut_off(at: Seated) -> tuple[str, ...]:
    """Return the players whose records reach each other only through this seat."""
    alone = [one.seats for one in at.unlinked if one.between == (at.seat,)]
    return tuple([at.names[seat] for seat in alone[0]]) if alone else ()
