"""Carries out what one seat orders: with a mesh, files, threads, a clock and a player."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

import trio

from engine.question import Question
from engine.view import View
from p2p.driver.connection import one_error
from p2p.files.storage import TableFiles
from p2p.net.mesh import Mesh
from p2p.player.player import Player
from p2p.protocol.outcome import Outcome, attempt, returning
from p2p.seat.desk import (
    Ask,
    Consult,
    Desk,
    Dial,
    DropLink,
    Flood,
    Flush,
    Forget,
    KeepNewest,
    LinkOrder,
    Measure,
    Order,
    Post,
    ReadSlowly,
    Retire,
    Run,
    Save,
    Unask,
)
from p2p.seat.reply import Reply, Script

QUICK_SYNC: Final = 0.002
"""The longest sync, in seconds, that may hold up this seat's links and timers."""
P = ParamSpec("P")
T = TypeVar("T")


class Driver:
    """The world of one seat at one table.  Its `desk` is where the seat orders.

    Whoever calls the seat from outside does it by `enter`; what is ordered otherwise (a line of
    talk) is carried out soon.
    """

    def __init__(self, mesh: Mesh, player: Player, files: TableFiles | None = None) -> None:
        clock = trio.lowlevel.current_clock()  # computations in threads read it too
        self.desk: Final = Desk(
            *(clock.current_time, mesh, os.urandom),
            wall=time.time,
            tell=player.tell,
            wanted=self._look_soon,
        )
        self._files: Final = files
        self._mesh: Final = mesh
        self._player: Final = player
        self._saves: Final[deque[Save]] = deque()
        self._asked: Final[dict[int, trio.CancelScope]] = {}
        self._asks: Final = trio.Lock()
        self._nursery: trio.Nursery | None = None
        self._inside = False
        """Whether what is ordered now will be carried out by whoever has called."""
        self._rest = trio.CancelScope()
        """Ends when we look at the alarms next."""
        self._woken = trio.Event()
        self._to_save = trio.Event()
        self._all_saved = trio.Event()

    @property
    def files(self) -> TableFiles:
        """The files of the table; LookupError before there is one."""
        if self._files is None:
            raise LookupError("a lobby has no files")
        return self._files

    async def run(self, coroutine: Coroutine[Reply[Any], None, T], *, drains: bool = True) -> T:
        """Run a script of this seat to its end, with all that follows from it; and if it `drains`,
        until all that was sent has been written.

        What the script raises, and what disk and player raise: StorageError and others.
        """
        with one_error():
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                nursery.start_soon(self._look)
                nursery.start_soon(self._keep_saving)
                script = Script(coroutine)
                try:
                    await self._end_of(script)
                    if drains:
                        await self._mesh.drain()
                    result = script.outcome.result()
                finally:
                    script.close()
                    self._nursery = None
                nursery.cancel_scope.cancel()
        return result

    async def _end_of(self, script: Script[Any]) -> None:
        ended = trio.Event()
        script.outcome.listen(ended.set)
        self.enter(_nothing)
        await ended.wait()
        while self._saves:
            self._all_saved = trio.Event()
            await self._all_saved.wait()

    def enter(self, act: Callable[[], object]) -> None:
        """Let something happen to the seat, and carry out what it orders then.

        For each frame a task would cost as much again as the seat itself, so none is woken for it:
        if something is to be done earlier than it knows, its rest is made shorter.
        """
        before, self._inside = self._inside, True
        try:
            try:
                act()
            finally:  # garbage is refused by an error, and what came before it counts
                self._carry_out_all()
        finally:  # a full disk is an error too, and whoever orders later is not silent
            self._inside = before
        wakes_at = self.desk.wakes_at
        if wakes_at is not None and wakes_at < self._rest.deadline:
            self._rest.deadline = wakes_at

    def entered(self, act: Callable[P, object]) -> Callable[P, None]:
        """The same act, which enters."""

        def enters(*args: P.args, **kwargs: P.kwargs) -> None:
            self.enter(partial(act, *args, **kwargs))

        return enters

    def _carry_out_all(self) -> None:
        while (order := self.desk.take()) is not None:
            self._carry_out(order)

    def _look_soon(self) -> None:
        if self._inside:
            return
        if self._nursery is None:
            self.enter(_nothing)  # before and after the scripts nobody else looks
        else:
            self._woken.set()

    async def _look(self) -> None:
        """Carry out what was ordered meanwhile, and ring when it is time."""
        while True:
            self.enter(self.desk.ring)
            self._woken = trio.Event()
            wakes_at = self.desk.wakes_at
            deadline = math.inf if wakes_at is None else wakes_at
            with trio.CancelScope(deadline=deadline) as self._rest:
                await self._woken.wait()

    def _carry_out(self, order: Order) -> None:
        match order:
            case Unask(number):
                self._asked.pop(number, trio.CancelScope()).cancel()
            case Save() | Ask() | Consult() | Run() | Flush() | Measure():
                if self._nursery is not None:  # else the table is over, and only late frames come
                    self._begin(order, self._nursery)
            case _:
                self._link(order)

    def _link(self, order: LinkOrder) -> None:
        match order:
            case Post(peer, frame):
                self._mesh.send(peer, frame)
            case Flood(frame, skip):
                self._mesh.flood(frame, skip=skip)
            case DropLink(peer, reason):
                self._mesh.drop(peer, reason)
            case ReadSlowly(peer):
                self._mesh.slow(peer)
            case Dial(peer, addresses):
                self._mesh.add(peer)
                if addresses:
                    self._mesh.learn(peer, addresses)
            case Retire(peer):
                self._mesh.retire(peer)
            case Forget(peer):
                self._mesh.forget(peer)
            case KeepNewest(peer):
                self._mesh.keep_newest(peer)

    def _begin(
        self, order: Save | Ask | Consult | Run | Flush | Measure, nursery: trio.Nursery
    ) -> None:
        match order:
            case Save():
                self._save(order)
            case Ask(number, view, question):
                self._consult(number, partial(self._decide, view, question), nursery)
            case Consult(number, act):
                self._consult(number, act, nursery)
            case Run():
                nursery.start_soon(self._run, order)
            case Flush(number, peer):
                nursery.start_soon(self._wait_for, number, self._mesh.flushed, peer)
            case Measure(number, peers):
                nursery.start_soon(self._wait_for, number, self._mesh.measured, peers)

    def _answer(self, number: int, outcome: Outcome[Any]) -> None:
        self.enter(partial(self.desk.answer, number, outcome))

    def _consult(
        self, number: int, act: Callable[[], Awaitable[Any]], nursery: trio.Nursery
    ) -> None:
        """Ask; the question may be over before its task has begun."""
        scope = self._asked[number] = trio.CancelScope()
        nursery.start_soon(self._hear, number, act, scope)

    async def _hear(
        self, number: int, act: Callable[[], Awaitable[Any]], scope: trio.CancelScope
    ) -> None:
        with scope:
            await trio.lowlevel.checkpoint_if_cancelled()
            result = await act()
            await trio.lowlevel.checkpoint_if_cancelled()  # who has left decides nothing
            self._asked.pop(number, None)
            self._answer(number, returning(result))

    async def _decide(self, view: View, question: Question[Any]) -> object:
        """Ask the player, once what was asked before and taken back has ended there."""
        async with self._asks:
            return await self._player.decide(view, question)

    async def _run(self, run: Run) -> None:
        self._answer(run.number, await trio.to_thread.run_sync(attempt, run.job))

    async def _wait_for(self, number: int, wait: Callable[[T], Awaitable[None]], whom: T) -> None:
        await wait(whom)
        self._answer(number, returning(None))

    # -- the disk --------------------------------------------------------------------------

    def _save(self, save: Save) -> None:
        """Now, unless the disk is slower than handing over to a thread and back."""
        if self._saves or (save.syncs and self.files.sync_seconds >= QUICK_SYNC):
            self._saves.append(save)
            self._to_save.set()
        else:
            self.desk.answer(save.number, returning(save.act(self.files)))

    async def _keep_saving(self) -> None:
        while True:
            while self._saves:
                done = await trio.to_thread.run_sync(self._saves[0].act, self.files)
                self._answer(self._saves.popleft().number, returning(done))
            self._all_saved.set()
            self._to_save = trio.Event()
            await self._to_save.wait()


def _nothing() -> None:
    """Nothing happens: only what was ordered before is carried out."""
