"""A bot that thinks in a process beside the table, so that no thought holds up its loop."""

from __future__ import annotations

from collections import deque
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from threading import Lock
from time import monotonic
from typing import Final

import trio

from engine.bots.beside import Asked, Teller, serve
from engine.bots.hard import Advice
from engine.errors import EngineError
from engine.view import View

_FAILED: Final = 1
"""How a process ends that has raised something: it wrote why to the terminal."""


class ProcessGoneError(Exception):
    """The process has ended and the bot has not failed: the machine took it away."""


class Beside:
    """A `hard` bot elsewhere.  Its process starts with the first decision and ends with `close`,
    or when this program ends, whatever ends it: the other end of its pipe is gone then.

    If it ends by itself, the next decision starts another one.
    """

    def __init__(self) -> None:
        self._thinker = _Thinker()

    async def decide(self, view: View, rng: Random) -> object:
        """The decision of the seat of `view`.

        ProcessGoneError if there is none because the process has ended, EngineError if the bot has
        failed.  Who does not want to wait any longer may cancel it; the next decision is thought
        about then when this one is done.
        """
        return await self._think(view, rng, advises=False)

    async def advise(self, view: View, rng: Random) -> Advice:
        """What the bot would decide at that seat, and what that is worth; likewise."""
        advice = await self._think(view, rng, advises=True)
        assert isinstance(advice, Advice)  # the other end answers what it is asked
        return advice

    async def _think(self, view: View, rng: Random, *, advises: bool) -> object:
        thinker = self._thinker
        try:
            return await thinker.think(view, rng.getrandbits(64), advises=advises)
        except (EOFError, OSError) as gone:
            if thinker is self._thinker:
                self.close()
            raise ProcessGoneError from gone

    def close(self) -> None:
        """End the process, in the middle of a thought too."""
        self._thinker.close()
        self._thinker = _Thinker()


class _Thinker:
    """One process, from its first question to its end."""

    def __init__(self) -> None:
        self._teller: Final = Teller()
        self._one_at_a_time: Final = Lock()
        self._starts_or_closes: Final = Lock()
        self._due: Final[deque[Asked]] = deque()
        self._asked = self._answered = 0
        self._decisions: Final[dict[int, object]] = {}
        self._running: tuple[BaseProcess, Connection] | None = None
        self._closed = False

    async def think(self, view: View, seed: int, *, advises: bool) -> object:
        """What it answers; EOFError or OSError if the process is gone."""
        self._due.append(self._teller.tell(view, seed, advises=advises))
        self._asked += 1
        return await trio.to_thread.run_sync(self._wait, self._asked, abandon_on_cancel=True)

    def close(self) -> None:
        """End it, or see to it that it never starts."""
        with self._starts_or_closes:
            self._closed = True
        if self._running is not None:
            process, _ = self._running
            process.kill()
            process.join()
            # Whoever waits finds the pipe at its end; it is closed when nobody has it any more.
            self._running = None

    def _wait(self, number: int) -> object:
        """In a thread: ask what is due, in order, until the decision of that number is there."""
        with self._one_at_a_time:
            while self._answered < number:
                process, pipe = self._running or self._start()
                try:
                    pipe.send(self._due[0])
                    self._decisions[self._answered + 1] = pipe.recv()
                except (EOFError, OSError):
                    # Of two threads that join it at one moment, one takes it for alive.
                    if self._closed:
                        raise
                    process.join()
                    if process.exitcode == _FAILED:
                        raise EngineError("a hard bot has failed: see above") from None
                    raise
                self._due.popleft()
                self._answered += 1
            return self._decisions.pop(number)

    def _start(self) -> tuple[BaseProcess, Connection]:
        # A fork would take the locks of other threads along, held or not.
        context = get_context("spawn")
        with self._starts_or_closes:
            if self._closed:
                raise EOFError
            here, there = context.Pipe()
            process = context.Process(target=serve, args=(there, monotonic), daemon=True)
            process.start()
            there.close()
            self._running = process, here
        return self._running
