"""A byte stream over one QUIC connection of iroh, with trio's stream contract.

Each stream has a connection of its own.  At most one read chunk is kept here: QUIC's flow control
holds up a writer whose reader is slow (1.25 MB on their way).

This module needs the optional package `iroh`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

import iroh
import trio

from p2p.net.asyncio_thread import AsyncioThread, Job
from p2p.net.limits import at_most
from p2p.net.reach_plan import ReachedStream

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK: Final = 32 * 1024
"""Bytes of one read or write; a TLS record has 16 KiB."""
FAREWELL_SECONDS: Final = 2.0
"""How long a closed stream waits for its last bytes to be acknowledged."""
_DONE: Final = 0
_ABORTED: Final = 1
T = TypeVar("T")


@final
class Pipe:
    """A connection and its only stream; its coroutines run on the loop's thread."""

    def __init__(self, connection: iroh.Connection, stream: iroh.BiStream) -> None:
        self._connection: Final = connection
        self._outward: Final = stream.send()
        self._inward: Final = stream.recv()

    async def read(self) -> bytes:
        """Some bytes, b"" at the end.  Bytes are lost if this is cancelled."""
        data: bytes = await self._inward.read(CHUNK)
        return data

    async def read_exactly(self, count: int) -> bytes:
        """Read exactly this many bytes."""
        data: bytes = await self._inward.read_exact(count)
        return data

    async def write(self, data: bytes) -> None:
        """Hand over bytes, once there is room."""
        await self._outward.write_all(data)

    async def finish(self) -> None:
        """Say that nothing more will be written."""
        await self._outward.finish()

    async def farewell(self) -> None:
        """Let what was written arrive, for a while; then end the connection."""
        try:
            with suppress(TimeoutError):  # a peer that vanished acknowledges nothing
                async with asyncio.timeout(FAREWELL_SECONDS):
                    for last in (partial(self._inward.stop, _DONE), self.finish, self._arrived):
                        with suppress(iroh.IrohError):  # it may have ended, either way
                            await last()
        finally:
            self.end(_DONE)

    async def _arrived(self) -> None:
        """Wait until the other end has all, or wants no more."""
        await self._outward.stopped()

    def end(self, code: int = _ABORTED) -> None:
        """End the connection at once; from any thread."""
        self._connection.close(code, b"")


@final
class ReachStream(ReachedStream):
    """One end of a connection.  `part` takes over a pipe that is to be closed in good order."""

    def __init__(self, thread: AsyncioThread, pipe: Pipe, part: Callable[[Pipe], object]) -> None:
        self._thread = thread
        self._pipe = pipe
        self._part = part
        self._reading: Job[bytes] | None = None
        self._writing: Job[None] | None = None
        self._held = b""
        self._busy: set[str] = set()
        self._closed = False
        self._ended = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """See `trio.abc.SendStream`; if cancelled, nobody knows how much it has sent."""
        async with _Turn(self._busy, "sending"):
            self._check_sendable()
            for chunk in _chunks(data):
                await self._write(partial(self._pipe.write, chunk))

    async def wait_send_all_might_not_block(self) -> None:
        """Return at once, as trio allows: iroh does not tell whether there is room."""
        async with _Turn(self._busy, "sending"):
            self._check_sendable()

    async def send_eof(self) -> None:
        """See `trio.abc.HalfCloseableStream`."""
        async with _Turn(self._busy, "sending"):
            if self._closed:
                raise trio.ClosedResourceError
            if not self._ended:
                self._ended = True
                await self._write(self._pipe.finish)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """See `trio.abc.ReceiveStream`; cancelled, it loses nothing."""
        limit = at_most(CHUNK, max_bytes)
        async with _Turn(self._busy, "receiving"):
            if self._closed:
                raise trio.ClosedResourceError
            if not self._held:
                self._held = await self._read()
            data, self._held = self._held[:limit], self._held[limit:]
            return data

    async def aclose(self) -> None:
        """Close; what was sent still arrives.  If cancelled, the connection ends at once."""
        if not self._closed:
            self._closed = True
            for job in (self._reading, self._writing):
                if job is not None:
                    job.cancel()
            self._part(self._pipe)
        try:
            await trio.lowlevel.checkpoint()
        except trio.Cancelled:
            self._pipe.end()
            raise

    def _check_sendable(self) -> None:
        if self._closed or self._ended:
            raise trio.ClosedResourceError

    async def _read(self) -> bytes:
        """The next bytes; a read that nobody waits for any more is kept for the next caller."""
        if self._reading is None:
            self._reading = self._thread.begin(self._pipe.read)
        await self._reading.ended.wait()
        job, self._reading = self._reading, None
        return self._outcome(job)

    async def _write(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        job = self._writing = self._thread.begin(work)
        try:
            await job.ended.wait()
        except trio.Cancelled:
            job.cancel()
            with trio.CancelScope(shield=True):
                await job.ended.wait()
            raise
        finally:
            self._writing = None
        self._outcome(job)

    def _outcome(self, job: Job[T]) -> T:
        if self._closed:
            raise trio.ClosedResourceError
        try:
            return job.outcome()
        except iroh.IrohError as error:
            raise trio.BrokenResourceError(error.message()) from error


@final
class _Turn:
    """One task at a time in each direction, and a checkpoint for each."""

    def __init__(self, busy: set[str], what: str) -> None:
        self._busy = busy
        self._what = what

    async def __aenter__(self) -> None:
        if self._what in self._busy:
            raise trio.BusyResourceError(f"another task is {self._what}")
        self._busy.add(self._what)
        try:
            await trio.lowlevel.checkpoint()
        except BaseException:
            self._busy.discard(self._what)
            raise

    async def __aexit__(self, *_: object) -> None:
        self._busy.discard(self._what)


def _chunks(data: bytes | bytearray | memoryview) -> Iterator[bytes]:
    view = memoryview(data)
    return (bytes(view[start : start + CHUNK]) for start in range(0, len(view), CHUNK))
