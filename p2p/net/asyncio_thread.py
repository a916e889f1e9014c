"""An asyncio loop in a thread of its own, for libraries that know no trio.

Work is started from trio and its outcome comes back to trio.  Cancelling the waiting task cancels
the work as well and waits until it has ended, so that nothing goes on unseen; a task that must lose
nothing keeps the `Job` and waits for it again.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar, final

import trio

T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


@final
class Job(Generic[T]):
    """Work under way on the loop.  `ended` is set, in trio, when there is an outcome."""

    def __init__(self, thread: AsyncioThread, work: Work[T]) -> None:
        self.ended: Final = trio.Event()
        self._thread = thread
        self._work = work
        self._task: asyncio.Task[T] | None = None
        self._trio = trio.lowlevel.current_trio_token()

    def begin(self) -> None:
        """Start; on the loop only."""
        self._task = asyncio.ensure_future(self._work())
        self._task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[T]) -> None:
        if not task.cancelled():
            task.exception()  # retrieved: asyncio need not warn if nobody waits
        self._trio.run_sync_soon(self.ended.set)

    def cancel(self) -> None:
        """Ask the work to stop; it has `ended` a little later."""
        self._thread.call(self._cancel)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    @property
    def cancelled(self) -> bool:
        """Whether it ended because it was asked to stop."""
        return self._task is not None and self._task.cancelled()

    def outcome(self) -> T:
        """What the ended work returned; raises what it raised.

        ClosedResourceError for what was cancelled, or never begun.
        """
        if self._task is None or self._task.cancelled():
            raise trio.ClosedResourceError
        return self._task.result()

    async def wait(self) -> T:
        """Wait for the outcome; when trio cancels this, the work goes on."""
        await self.ended.wait()
        return self.outcome()


@final
class AsyncioThread:
    """The thread and its loop, from `start` to `stop`."""

    def __init__(self) -> None:
        self._loop: Final = asyncio.new_event_loop()
        self._stopped = False
        self._thread: Final = threading.Thread(target=self._run, name="asyncio", daemon=True)

    def start(self) -> None:
        """Let the loop run."""
        self._thread.start()

    async def stop(self) -> None:
        """End the loop and its thread; what is still under way there is cancelled."""
        self._stopped = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._thread.join)

    def call(self, function: Callable[[], object]) -> None:
        """Call `function` on the loop soon; do nothing once it is stopped."""
        if not self._stopped:
            self._loop.call_soon_threadsafe(function)

    def begin(self, work: Work[T]) -> Job[T]:
        """Start work on the loop; ClosedResourceError once it is stopped."""
        if self._stopped:
            raise trio.ClosedResourceError
        job = Job(self, work)
        self._loop.call_soon_threadsafe(job.begin)
        return job

    async def run(self, work: Work[T]) -> T:
        """Start work and wait for it.

        When cancelled, the work is cancelled and waited for; if it is done by then its result
        is returned all the same, so that a connection just made is not lost.
        """
        job = self.begin(work)
        try:
            await job.ended.wait()
        except trio.Cancelled:
            job.cancel()
            with trio.CancelScope(shield=True):
                await job.ended.wait()
            if job.cancelled:
                raise
        return job.outcome()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(_cancel_others())
        finally:
            self._loop.close()


async def _cancel_others() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
