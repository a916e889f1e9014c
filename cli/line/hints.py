"""Hints: what the hard bot would do in your place, in games against bots only.

It thinks in a process of its own, from what your seat knows, so keys are echoed as always.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, Final

from cli.line.told import Teller
from cli.words.hints import NO_HINT, hint
from engine.question import Question
from engine.view import View
from p2p.player.events import Seated
from p2p.supervisor import Supervisor

_HINT: Final = Supervisor("hint")


class Hints:
    """Gives hints to the person at this table, as long as all others are bots."""

    def __init__(self, teller: Teller, rng: Random) -> None:
        self._teller: Final = teller
        self._rng: Final = rng
        self._alone = False

    def sit(self, event: Seated) -> None:
        """Learn who sits there."""
        self._alone = event.among_bots

    def offered(self, view: View, question: Question[Any]) -> bool:
        """Whether a hint can be asked for while this is asked: in a race too, if it is one's turn.

        In a race for somebody else's turn a hint would come too late.
        """
        return self._alone and view.course is not None and not question.for_others(view.seat)

    async def give(self, view: View, question: Question[Any]) -> str:
        """The hint in a sentence, once the bot has thought; who cancels it ends its process.

        NO_HINT if that failed.
        """
        with _HINT.contained():
            return await self._think(view, question)
        return NO_HINT

    async def _think(self, view: View, question: Question[Any]) -> str:
        from p2p.player.beside import Beside, ProcessGoneError  # noqa: PLC0415 (seldom needed)

        beside = Beside()
        try:
            advice = await beside.advise(view, self._rng)
        except ProcessGoneError:
            return NO_HINT
        finally:
            beside.close()
        told = partial(self._teller.decision, view, question)
        return hint(advice, told, self._teller.why(advice.why))
