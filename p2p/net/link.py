"""One live link: frames over a stream, a reader, a writer with a bounded queue, and a heartbeat,
until any of them has to stop.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final, final

import trio

from p2p import checks
from p2p.checks import Entropy
from p2p.errors import PeerError
from p2p.net.frames import FrameDecoder, encode_frame
from p2p.net.limits import Limits, TokenBucket
from p2p.net.statistics import MeshStatistics
from p2p.protocol.frame_kinds import FRAME_MAX, NONCE_BYTES, PING, PONG, kind_of, payload_of

TOGETHER_MAX: Final = 16 * 1024
"""Bytes of frames that leave in one write: what one TLS record holds (RFC 8446, 5.1)."""
_CHUNK: Final = 64 * 1024
_PINGS_REMEMBERED: Final = 8
# Sleeping for less costs more than it evens out.
_SHORTEST_WAIT: Final = 0.01

Deliver = Callable[[bytes, bytes], Awaitable[None]]
"""Passes (peer key, frame) upwards; waiting in it holds up this link's reader."""


@final
class Wait:
    """How long a task has been waiting, for another task that watches it.

    A scope with a deadline around each of many short waits would cost more than the waits.
    """

    def __init__(self) -> None:
        self._since = math.inf

    def __enter__(self) -> None:
        self._since = trio.current_time()

    def __exit__(self, *_: object) -> None:
        self._since = math.inf

    async def lasts(self, seconds: float) -> None:
        """Return once a single wait has lasted this long."""
        while (now := trio.current_time()) < self._since + seconds:
            await trio.sleep_until(min(self._since, now) + seconds)


@final
class Frames:
    """Frames over a stream: one task may receive while one other sends.

    After a send was cancelled or failed, the stream may hold half a frame: it then refuses
    everything but `aclose`.  `reading` and `writing` say how long the stream has kept us waiting.
    """

    def __init__(self, stream: trio.abc.Stream, *, limit: int = FRAME_MAX) -> None:
        self.reading: Final = Wait()
        self.writing: Final = Wait()
        self._stream: Final = stream
        self._decoder: Final = FrameDecoder(limit)
        self._half_sent = False

    def set_limit(self, limit: int) -> None:
        """Allow frames of up to `limit` bytes from here on."""
        self._decoder.limit = limit

    async def receive(self) -> bytes:
        """The next payload; between those that came together, other tasks have their turn.

        trio.EndOfChannel if the peer closed between frames; trio.BrokenResourceError if the stream
        broke; PeerError `malformed` for a forbidden length or an end inside a frame.
        """
        if (payload := self._decoder.next_frame()) is not None:
            await trio.lowlevel.checkpoint()
            return payload
        while payload is None:
            with self.reading:
                data = await self._stream.receive_some(_CHUNK)
            if not data:
                self._decoder.check_end()
                raise trio.EndOfChannel
            self._decoder.receive_data(data)
            payload = self._decoder.next_frame()
        return payload

    async def send(self, *payloads: bytes) -> None:
        """Send frames, one for each payload, in one write; LocalError for a forbidden length."""
        data = b"".join(map(encode_frame, payloads))
        if self._half_sent:
            raise trio.BrokenResourceError("an earlier frame was cut off")
        self._half_sent = True
        with self.writing:
            await self._stream.send_all(data)
        self._half_sent = False

    async def aclose(self) -> None:
        """Close the stream in good order, if it still is in good order."""
        if self._half_sent:
            await trio.aclose_forcefully(self._stream)
        else:
            await self._stream.aclose()

    async def abort(self) -> None:
        """Close the stream at once."""
        await trio.aclose_forcefully(self._stream)


@dataclass(frozen=True, eq=False)
class Channel:
    """Frames to and from the peer that holds the identity key `peer` (32 bytes)."""

    peer: bytes
    frames: Frames


@final
class Outbox:
    """Frames on their way out.  Putting never waits; a full box says so instead."""

    def __init__(self, max_frames: int, max_bytes: int) -> None:
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._frames: deque[bytes] = deque()
        self._first: deque[bytes] = deque()
        self._bytes = 0
        self._filled = trio.Event()
        self._emptied = trio.Event()
        self._emptied.set()
        self._unwritten = 0

    def limit(self, max_frames: int, max_bytes: int) -> None:
        """Hold this much from now on."""
        self._max_frames, self._max_bytes = max_frames, max_bytes

    def put(self, frame: bytes, *, first: bool = False) -> bool:
        """Queue a frame, `first` ahead of all others; False if it does not fit."""
        count, size = len(self._first) + len(self._frames), self._bytes + len(frame)
        if count >= self._max_frames or size > self._max_bytes:
            return False
        (self._first if first else self._frames).append(frame)
        self._bytes = size
        self._unwritten += 1
        if self._unwritten == 1:
            self._emptied = trio.Event()
        self._filled.set()
        return True

    async def get(self) -> list[bytes]:
        """Wait for frames and take up to `TOGETHER_MAX` bytes of them; for the writer only.

        A frame that was put first comes alone: nothing adds to the time that it takes.
        """
        while not self._first and not self._frames:
            self._filled = trio.Event()
            await self._filled.wait()
        frames = [self._first.popleft()] if self._first else list(self._together())
        self._bytes -= sum(map(len, frames))
        return frames

    def _together(self) -> Iterator[bytes]:
        size = len(self._frames[0])
        yield self._frames.popleft()
        while self._frames and (size := size + len(self._frames[0])) <= TOGETHER_MAX:
            yield self._frames.popleft()

    def written(self, count: int) -> None:
        """Note that the writer has sent this many of the frames that it got."""
        self._unwritten -= count
        if self._unwritten == 0:
            self._emptied.set()

    async def join(self) -> None:
        """Return once everything put so far, and all that came meanwhile, is written."""
        await self._emptied.wait()


@final
class Link:
    """A channel in use.  `present` once the peer's first frame has come, which shows acceptance."""

    def __init__(
        self,
        channel: Channel,
        via: str,
        limits: Limits,
        statistics: MeshStatistics,
        entropy: Entropy,
        *,
        source: str = "",
    ) -> None:
        self.peer: Final = channel.peer
        self.via: Final = via
        self.source: Final = source
        """Whom a link that a stranger opened is counted for."""
        self.present = False
        self.by_reach = False
        self.reason = ""
        self.opened_at: Final = trio.current_time()
        self.rtt_ms: float | None = None
        self.rtt_min_ms: float | None = None
        self.outbox: Final = Outbox(limits.queue_frames, limits.queue_bytes)
        self.on_round_trip: Callable[[float], None] = lambda seconds: None
        self._frames: Final = channel.frames
        self._statistics = statistics
        self._entropy = entropy
        self._scope = trio.CancelScope()
        self._pings: OrderedDict[bytes, float | None] = OrderedDict()
        self._throttled_since: float | None = None
        self._ended = trio.Event()
        self.limit(limits)

    def limit(self, limits: Limits, shared: Callable[[], float] = lambda: 0.0) -> None:
        """Keep within these limits from now on.

        `shared` gets each frame, and says how many seconds it has to wait for others.
        """
        self._limits = limits
        self._shared = shared
        self._received = TokenBucket(
            limits.received_rate, trio.current_time(), limits.received_burst
        )
        self.outbox.limit(limits.queue_frames, limits.queue_bytes)
        self._frames.set_limit(limits.frame_bytes)

    async def run(self, deliver: Deliver, on_present: Callable[[Link], None]) -> None:
        """Carry frames until the link ends; `reason` then says why.  Closes the channel."""
        self._statistics.links_opened += 1
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._ending, self._heartbeat)
                    nursery.start_soon(self._ending, self._write)
                    nursery.start_soon(self._watch_silence)
                    nursery.start_soon(self._watch_writing)
                    await self._ending(self._read, deliver, on_present)
        finally:
            self.reason = self.reason or "the mesh stopped"
            self._statistics.links_closed += 1
            self._ended.set()
            await self._close()

    def stop(self, reason: str) -> None:
        """End the link; the first reason given is kept."""
        self.reason = self.reason or reason
        self._scope.cancel()

    def send(self, frame: bytes) -> bool:
        """Queue a frame; if the queue is full, the link ends and False is returned."""
        return self._put(frame, first=False)

    async def flushed(self) -> None:
        """Return once the queue is written, or the link has ended."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._cancel_when_ended, nursery.cancel_scope)
            await self.outbox.join()
            nursery.cancel_scope.cancel()

    async def _cancel_when_ended(self, scope: trio.CancelScope) -> None:
        await self._ended.wait()
        scope.cancel()

    def _put(self, frame: bytes, *, first: bool) -> bool:
        if self.reason:
            return False
        queued = self.outbox.put(frame, first=first)
        if not queued:
            self.stop("the peer reads too slowly: the queue is full")
        return queued

    async def _ending(self, part: Callable[..., Awaitable[None]], *arguments: object) -> None:
        """Run one part of the link; its failure ends the whole link with a sentence."""
        try:
            await part(*arguments)
        except PeerError as error:
            self.stop(str(error))
        except trio.EndOfChannel:
            self.stop("the peer closed the link")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.stop("the connection broke")

    async def _read(self, deliver: Deliver, on_present: Callable[[Link], None]) -> None:
        while True:
            frame = await self._frames.receive()
            await self._throttle()
            self._statistics.frames_received += 1
            self._statistics.bytes_received += len(frame)
            if not self.present:
                self.present = True
                on_present(self)
            await self._take(frame, deliver)

    async def _take(self, frame: bytes, deliver: Deliver) -> None:
        kind = kind_of(frame)
        if kind is PING:
            whole = len(frame) == PING.limit
            checks.require("link.ping", whole, "malformed", "a ping has another length")
            # Ahead of the queue: the round trip should measure the way, not our backlog.
            self._put(PONG.make(payload_of(frame)), first=True)
        elif kind is PONG:
            self._measure(payload_of(frame))
        else:
            await deliver(self.peer, frame)

    async def _throttle(self) -> None:
        """Slow a flood down by not reading; end the link if it does not subside."""
        now = trio.current_time()
        wait = self._received.take(now)
        if wait == 0.0:
            self._throttled_since = None
        elif self._throttled_since is None:
            self._throttled_since = now
        since = now if self._throttled_since is None else self._throttled_since
        checks.require(
            "link.flood",
            now - since <= self._limits.flood_seconds,
            "malformed",
            f"more than {self._received.rate:g} frames a second for "
            f"{self._limits.flood_seconds:g} s",
        )
        wait = max(wait, self._shared())
        if wait > _SHORTEST_WAIT:
            await trio.sleep(wait)

    async def _write(self) -> None:
        bucket = TokenBucket(self._limits.sent_rate, trio.current_time())
        while True:
            frames = await self.outbox.get()
            wait = max([bucket.take(trio.current_time()) for _ in frames])
            if wait > _SHORTEST_WAIT:
                await trio.sleep(wait)
            self._stamp(frames[0])
            await self._frames.send(*frames)
            self.outbox.written(len(frames))
            self._statistics.frames_sent += len(frames)
            self._statistics.bytes_sent += sum(map(len, frames))

    async def _watch_silence(self) -> None:
        await self._frames.reading.lasts(self._limits.silence_seconds)
        self.stop(f"silent for {self._limits.silence_seconds:g} s")

    async def _watch_writing(self) -> None:
        await self._frames.writing.lasts(self._limits.write_seconds)
        self.stop("the peer reads too slowly: a frame could not be sent")

    async def _heartbeat(self) -> None:
        """Ping at once, a few times in quick succession for a first measurement, then steadily."""
        sent = 0
        while True:
            nonce = self._entropy(NONCE_BYTES)
            self._pings[nonce] = None
            if len(self._pings) > _PINGS_REMEMBERED:
                self._pings.popitem(last=False)
            self._put(PING.make(nonce), first=True)
            sent += 1
            quick = sent < self._limits.first_pings
            await trio.sleep(
                self._limits.first_ping_seconds if quick else self._limits.ping_seconds
            )

    def _stamp(self, frame: bytes) -> None:
        """A ping counts from the moment it leaves, so that our own queue does not count.

        It leaves alone, like anything that is put first.
        """
        nonce = payload_of(frame)
        if kind_of(frame) is PING and nonce in self._pings:
            self._pings[nonce] = trio.current_time()

    def _measure(self, nonce: bytes) -> None:
        """Note a round trip; an answer to no ping of ours (the nonce is random) is ignored."""
        sent_at = self._pings.pop(nonce, None)
        if sent_at is None:
            return
        seconds = trio.current_time() - sent_at
        self.rtt_ms = 1000 * seconds
        least = self.rtt_ms if self.rtt_min_ms is None else self.rtt_min_ms
        self.rtt_min_ms = min(self.rtt_ms, least)
        self.on_round_trip(seconds)

    async def _close(self) -> None:
        with trio.move_on_after(1, shield=True):
            await self._frames.aclose()
