"""What a person says, line by line, of somebody who is gone; also while nothing else is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, TypeVarTuple

import trio

from cli.line.choices import normal
from cli.words.missed import answered, keys
from p2p.driver.connection import one_error
from p2p.player.events import Missed

Result = TypeVar("Result")
Given = TypeVarTuple("Given")


class MissedLines:
    """`read` gets a line, `say` prints one; `otherwise` obeys whatever else is typed here."""

    def __init__(
        self,
        read: Callable[[str], Awaitable[str]],
        say: Callable[[str], None],
        otherwise: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._read: Final = read
        self._say: Final = say
        self._otherwise: Final = otherwise
        self._event: Missed | None = None
        """Who is missed just now, if there is something to say of it."""
        self._readers = 0
        self._asks = trio.Event()
        self._scope: trio.CancelScope | None = None

    def hear(self, event: Missed) -> None:
        """Somebody is missed, or nobody any more."""
        self._event = event if event.say is not None else None
        if self._event is not None:
            self._asks.set()
        elif self._scope is not None:
            self._scope.cancel()

    async def beside(
        self, function: Callable[[*Given], Awaitable[Result]], *args: *Given
    ) -> Result:
        """Run this; while nothing else is read, ask about who is missed."""
        with one_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._ask)
                result = await function(*args)
                nursery.cancel_scope.cancel()
        return result

    @contextmanager
    def stepping_aside(self) -> Iterator[None]:
        """Something else is read meanwhile."""
        self._readers += 1
        if self._scope is not None:
            self._scope.cancel()
        try:
            yield
        finally:
            self._readers -= 1
            if self._event is not None:
                self._asks.set()

    def obey(self, typed: str) -> bool:
        """Do what `/go` and `/wait` say; whether it was one of them."""
        if typed in ("/go", "/wait"):
            self._answer(goes_on=typed == "/go")
            return True
        return False

    async def _ask(self) -> None:
        while True:
            await self._asks.wait()
            self._asks = trio.Event()
            with trio.CancelScope() as self._scope:
                while self._event is not None and not self._readers:
                    await self._hear(await self._read(f"{keys(self._event)} > "))

    async def _hear(self, typed: str) -> None:
        said = normal(typed)
        if said in ("y", "yes", "n", "no"):
            self._answer(goes_on=said[0] == "y")
        elif not self.obey(said) and not await self._otherwise(typed):
            ways = keys(self._event) if self._event is not None else ""
            self._say(f"{ways}  q leave  c hello says hello".lstrip())

    def _answer(self, *, goes_on: bool) -> None:
        self._say(answered(self._event, goes_on=goes_on))
