"""Hints at the full screen, asked for by a key; one at a time.

A hint stands among what happened, so that whoever looks back sees which decisions were one's own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import trio

from cli.line.hints import Hints
from cli.screen.asking import Asking
from cli.screen.model import Model
from cli.words.hints import NO_HINT, THINKS
from p2p.driver.connection import one_error


class HintKey:
    """The key that asks for a hint at this screen."""

    def __init__(self, model: Model, hints: Hints) -> None:
        self._model: Final = model
        self._hints: Final = hints

    @asynccontextmanager
    async def offered(self, asking: Asking) -> AsyncIterator[None]:
        """While this is asked, a hint can be asked for; it is thought of once, and told again."""
        with one_error():
            async with trio.open_nursery() as nursery:
                if self._hints.offered(asking.view, asking.question):
                    asking.hint = partial(self._ask, nursery, asking)
                try:
                    yield
                finally:
                    asking.hint = None
                    nursery.cancel_scope.cancel()

    def _ask(self, nursery: trio.Nursery, asking: Asking) -> None:
        nursery.start_soon(self._give, nursery, asking)
        asking.hint = partial(self._tell, THINKS)
        self._tell(THINKS)

    def _tell(self, said: str) -> None:
        self._model.notice = said

    async def _give(self, nursery: trio.Nursery, asking: Asking) -> None:
        given = await self._hints.give(asking.view, asking.question)
        if given == NO_HINT:
            asking.hint = partial(self._ask, nursery, asking)
            self._tell(given)
            return
        asking.hint = partial(self._tell, given)
        self._tell(given)
        self._model.happened([given])
