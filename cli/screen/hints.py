"""Hints at the full screen: what the hard bot would do in your place, in games against bots only.

It thinks in a process of its own, from what your seat knows, so keys are echoed as always.  A hint
stands among what happened, so that whoever looks back sees which decisions were one's own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Final

import trio

from cli.line.told import Teller
from cli.screen.asking import Asking
from cli.screen.model import Model
from cli.words.hints import THINKS, hint
from p2p.driver.connection import one_error
from p2p.player.events import Seated


class Hints:
    """Gives hints to the person at this screen, as long as all others are bots."""

    def __init__(self, model: Model, teller: Teller, rng: Random) -> None:
        self._model: Final = model
        self._teller: Final = teller
        self._rng: Final = rng
        self._alone = False

    def sit(self, event: Seated) -> None:
        """Learn who sits there."""
        self._alone = event.bots == {*range(len(event.names))} - {event.seat}

    @asynccontextmanager
    async def offered(self, asking: Asking) -> AsyncIterator[None]:
        """While this is asked, a hint can be asked for, once."""
        view, question = asking.view, asking.question
        with one_error():
            async with trio.open_nursery() as nursery:
                if self._alone and view.course is not None and not question.timed:
                    asking.hint = partial(nursery.start_soon, self._give, asking)
                try:
                    yield
                finally:
                    asking.hint = None
                    nursery.cancel_scope.cancel()

    async def _give(self, asking: Asking) -> None:
        from p2p.player.beside import Beside  # noqa: PLC0415 (most people ask for no hint)

        model, view = self._model, asking.view
        asking.hint, model.notice = None, THINKS
        model.changed()
        beside = Beside()
        try:
            advice = await beside.advise(view, self._rng)
        finally:
            beside.close()
        told = partial(self._teller.decision, view, asking.question)
        model.notice = hint(advice, told, self._teller.why(advice.why))
        model.happened([model.notice])
