"""Bots as players at a table between peers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

import trio

from engine.bots import Bot, player
from engine.bots.lookahead import lookahead
from engine.bots.pace import Moment, Normals, Pace, is_moment, moment_of, second_press
from engine.levels import HARD, NORMAL
from engine.question import Question
from engine.view import View
from engine.zone import Seat
from p2p.player.beside import Beside, ProcessGoneError
from p2p.player.events import Event, Finished, Seated, Stopped

LONGEST_SECONDS: Final = 60.0
"""Nobody waits longer for a process that thinks for a second (`engine.bots.hard.SECONDS`), and has
to start first: it hangs."""
Thinks = Callable[[int], float]
"""How many seconds a bot takes for a decision among so many things, where nobody races."""


class BotPlayer:
    """A bot at a seat; `rng` is the source of its choices, never of keys.

    It knows how to play `game_name`, and whatever it is seated at later, as well as its `level`
    says, unless a `bot` decides.  A hard one thinks in a process of its own.  With a `pace` it
    takes its time in races, like people, and where it `thinks` at its other decisions; without
    them it is a machine.
    """

    def __init__(
        self,
        game_name: str,
        rng: Random,
        bot: Bot | None = None,
        pace: Pace | None = None,
        thinks: Thinks | None = None,
        level: str = NORMAL,
    ) -> None:
        self._bot = bot or player(game_name, level)
        self._game = game_name
        self._level = level
        self._beside = Beside() if level == HARD and bot is None else None
        self._learns = bot is None
        self._rng = rng
        self._normals = Normals(rng)
        self._pace = pace
        self._thinks = thinks
        self._moment: Moment | None = None
        self._sees_at = 0.0

    async def decide(self, view: View, question: Question[object]) -> object:
        due = self._due(view, question)
        if self._beside is None:
            await trio.sleep_until(due)
            decision = self._bot(view, question, self._rng)
        else:
            decision = await self._searched(self._beside, view, question, due)
        if question.timed and self._pace is not None:
            self._sees_at = trio.current_time() + second_press(self._rng)
        return decision

    async def _searched(
        self, beside: Beside, view: View, question: Question[object], due: float
    ) -> object:
        """What is found by looking ahead; in a race, what one does without it if it is not ready.

        A claim comes when it was drawn to come, whatever there was to think about: a late one would
        tell that.  Without its process, which may be killed for want of memory, it plays on so too,
        and if that does not answer: then the next decision gets another one.
        """
        found: list[object] = []
        races = question.timed and self._pace is not None
        in_time = due if races else trio.current_time() + LONGEST_SECONDS
        with trio.move_on_at(in_time) as waiting, suppress(ProcessGoneError):
            found.append(await beside.decide(view, self._rng))
        if waiting.cancelled_caught and not races:
            beside.close()
        await trio.sleep_until(due)
        return found[0] if found else lookahead(self._game).habit(view, question, self._rng)

    def _due(self, view: View, question: Question[object]) -> float:
        """When the decision may be there, drawn before the bot looks at its cards."""
        if question.timed:
            return 0.0 if self._pace is None else self._seen_at(self._pace, view, question)
        takes = 0.0 if self._thinks is None else self._thinks(_size(question, view.seat))
        return trio.current_time() + takes

    def _seen_at(self, pace: Pace, view: View, question: Question[object]) -> float:
        """When what lies there is seen, once for each moment; then it only has to press again."""
        if self._moment is None or not is_moment(self._moment, view.table, question):
            self._moment = moment_of(view.table, question)
            self._sees_at = trio.current_time() + pace.draw(self._normals)
        return self._sees_at

    def tell(self, event: Event) -> None:
        """Learn which game is played, and when it is over; the view shows everything else."""
        if self._learns and isinstance(event, Seated):
            self._bot, self._game = player(event.terms.game, self._level), event.terms.game
        if self._beside is not None and isinstance(event, Finished | Stopped):
            self._beside.close()


def _size(question: Question[object], seat: Seat) -> int:
    """How much there is to choose from, as far as everybody sees it: the time tells no card."""
    parts = question.parts(seat)
    return sum(len(part.hand(seat) or ()) + len(part.options_of(seat)) for part in parts)
