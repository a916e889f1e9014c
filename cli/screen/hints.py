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
from cli.words.hints import THINKS
from p2p.driver.connection import one_error


class HintKey:
    """The key that asks for a hint at this screen."""

    def __init__(self, model: Model, hints: Hints) -> None:
        self._model: Final = model
        self._hints: Final = hints

    @asynccontextmanager
    async def offered(self, asking: Asking) -> AsyncIterator[None]:
        """While this is asked, a hint can be asked for, once."""
        with one_error():
            async with trio.open_nursery() as nursery:
                if self._hints.offered(asking.view, asking.question):
                    asking.hint = partial(nursery.start_soon, self._give, asking)
                try:
                    yield
                finally:
                    asking.hint = None
                    nursery.cancel_scope.cancel()

    async def _give(self, asking: Asking) -> None:
        model = self._model
        asking.hint, model.notice = None, THINKS
        model.changed()
        model.notice = await self._hints.give(asking.view, asking.question)
        model.happened([model.notice])
