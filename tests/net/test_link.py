"""One link against peers that flood, trickle, send broken pings or never read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import trio
from trio.testing import MockClock

from p2p.net.frames import encode_frame
from p2p.net.limits import Limits, TokenBucket
from p2p.net.link import TOGETHER_MAX, Channel, Frames, Link, Outbox
from p2p.net.memory_network import MemoryStream, memory_streams
from p2p.net.statistics import MeshStatistics
from p2p.protocol.frame_kinds import PING, PONG

from .helpers import seeded

PEER = bytes(32)
LONG = 1e9


@dataclass
class Bench:
    """A link under test, the raw stream at the other end, and what the link delivered."""

    link: Link
    far: MemoryStream
    frames: Frames
    delivered: list[bytes] = field(default_factory=list)
    ended: trio.Event = field(default_factory=trio.Event)

    async def deliver(self, peer: bytes, frame: bytes) -> None:
        assert peer == PEER
        self.delivered.append(frame)
        await trio.lowlevel.checkpoint()

    async def run(self) -> None:
        await self.link.run(self.deliver, lambda _link: None)
        self.ended.set()


@asynccontextmanager
async def bench(limits: Limits) -> AsyncIterator[Bench]:
    """Runs a link over a stream in memory, unencrypted: the channel has its own tests."""
    near, far = memory_streams()
    channel = Channel(PEER, Frames(near))
    link = Link(channel, "test", limits, MeshStatistics(), seeded(1))
    table = Bench(link, far, Frames(far))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.run)
        yield table
        nursery.cancel_scope.cancel()


QUIET = Limits(ping_seconds=LONG, first_ping_seconds=LONG, silence_seconds=LONG)


async def test_pings_are_answered_ahead_of_the_queue(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        await table.frames.receive()
        await table.frames.send(PING.make(b"12345678"))
        assert await table.frames.receive() == PONG.make(b"12345678")
        assert table.delivered == []


async def test_a_ping_is_answered_before_all_that_waits(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        await table.frames.receive()
        for number in range(50):
            table.link.send(bytes([0x10, number]) * 20_000)
        await trio.sleep(1)
        await table.frames.send(PING.make(b"12345678"))
        await trio.sleep(1)
        under_way = 2  # one frame in the stream, one that its end holds up
        kinds = [(await table.frames.receive())[0] for _ in range(under_way + 1)]
        assert kinds[-1] == PONG.number


async def test_our_own_queue_does_not_spoil_a_measurement(autojump_clock: MockClock) -> None:
    """The second ping waits 4 s behind a frame that cannot be written."""
    limits = Limits(ping_seconds=LONG, first_pings=2, first_ping_seconds=1.0, silence_seconds=LONG)
    async with bench(limits) as table:
        await table.frames.receive()
        for _ in range(2):
            table.link.send(bytes([0x10]) * 100_000)
        await trio.sleep(5)
        ping = b""
        while ping[:1] != bytes([PING.number]):
            ping = await table.frames.receive()
        await trio.sleep(0.25)
        await table.frames.send(bytes([PONG.number]) + ping[1:])
        await trio.sleep(1)
        assert table.link.rtt_ms == pytest.approx(250)


async def test_no_answer_is_believed_before_the_ping_left(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        table.link._pings[b"12345678"] = None
        await table.frames.send(PONG.make(b"12345678"))
        await trio.sleep(1)
        assert table.link.rtt_ms is None


@pytest.mark.check("link.ping")
@pytest.mark.parametrize("ping", [b"\0", b"\0" + bytes(7), b"\0" + bytes(9), b"\0" + bytes(70_000)])
async def test_a_ping_of_another_length_ends_the_link(
    autojump_clock: MockClock, ping: bytes
) -> None:
    async with bench(QUIET) as table:
        await table.frames.send(ping)
        await table.frames.send(b"\x10next")
        with trio.fail_after(10):
            await table.ended.wait()
        assert table.link.reason == "malformed: a ping has another length"
        assert table.delivered == []


async def test_an_answer_to_no_ping_counts_for_nothing(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        ping = await table.frames.receive()
        await trio.sleep(0.5)
        await table.frames.send(PONG.make(b"guessing"))
        await table.frames.send(bytes([PONG.number]))
        await trio.sleep(0.5)
        assert table.link.rtt_ms is None
        await table.frames.send(bytes([PONG.number]) + ping[1:])
        await table.frames.send(bytes([PONG.number]) + ping[1:])
        await trio.sleep(1)
        assert table.link.rtt_ms == table.link.rtt_min_ms == pytest.approx(1000)


@pytest.mark.check("link.flood")
async def test_a_flood_is_slowed_down_and_then_cut_off(autojump_clock: MockClock) -> None:
    limits = Limits(
        ping_seconds=LONG, first_ping_seconds=LONG, received_rate=100.0, flood_seconds=5.0
    )
    async with bench(limits) as table:
        started = trio.current_time()
        flood = encode_frame(b"\x10 more of it") * 10_000
        with pytest.raises(trio.BrokenResourceError):
            await table.far.send_all(flood)
        await table.ended.wait()
        assert trio.current_time() - started < 10
        assert "100 frames a second" in table.link.reason
        # the burst of one second, then no more than the rate until patience ended
        assert len(table.delivered) <= 100 + 100 * 6.1


async def test_a_burst_within_the_limit_is_not_slowed_down(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        await table.far.send_all(encode_frame(b"\x10busy") * 4000)
        started = trio.current_time()
        while len(table.delivered) < 4000:
            await trio.sleep(0.001)
        assert trio.current_time() - started < 0.1


async def test_an_honest_writer_stays_below_the_flood_limit(autojump_clock: MockClock) -> None:
    """Pacing: a long catch-up leaves at the sender's rate, which receivers allow."""
    async with bench(QUIET) as table:
        for _ in range(12_000):
            assert table.link.send(b"\x10record")
        started = trio.current_time()
        for _ in range(12_000):
            await table.frames.receive()
        assert trio.current_time() - started == pytest.approx(3.0, abs=0.1)
        assert Limits().sent_rate < Limits().received_rate


async def test_a_peer_that_never_reads_is_cut_off(autojump_clock: MockClock) -> None:
    limits = Limits(ping_seconds=LONG, silence_seconds=LONG, write_seconds=30.0)
    async with bench(limits) as table:
        started = trio.current_time()
        for _ in range(3):
            table.link.send(bytes([0x10]) * 100_000)
        await table.ended.wait()
        assert "a frame could not be sent" in table.link.reason
        assert trio.current_time() - started == pytest.approx(30, abs=1)


async def test_silence_is_not_held_against_a_peer_while_we_do_not_read(
    autojump_clock: MockClock,
) -> None:
    async with bench(Limits(silence_seconds=6.0)) as table:

        async def busy(_peer: bytes, frame: bytes) -> None:
            await trio.sleep(20)
            table.delivered.append(frame)

        table.deliver = busy  # type: ignore[method-assign]
        await table.frames.send(b"\x10 hard to digest")
        await table.frames.send(b"\x10 after it")
        await trio.sleep(45)
        assert len(table.delivered) == 2
        assert table.link.reason == ""
        await table.ended.wait()
        assert "silent" in table.link.reason


async def test_flushing_ends_with_the_link(autojump_clock: MockClock) -> None:
    async with bench(QUIET) as table:
        for _ in range(3):
            table.link.send(bytes([0x10]) * 100_000)
        with trio.move_on_after(5) as patience:
            await table.link.flushed()
        assert patience.cancelled_caught
        table.link.stop("for the test")
        with trio.fail_after(5):
            await table.link.flushed()
        assert not table.link.send(b"\x10too late")


async def test_an_outbox_is_bounded_in_frames_and_in_bytes() -> None:
    box = Outbox(max_frames=3, max_bytes=100)
    assert [box.put(bytes(40)) for _ in range(3)] == [True, True, False]
    assert box.put(b"first", first=True)
    assert not box.put(b"fourth")
    assert await box.get() == [b"first"]
    assert await box.get() == [bytes(40), bytes(40)]
    assert box.put(bytes(60))


async def test_what_waits_leaves_together_but_not_without_bound() -> None:
    box = Outbox(max_frames=10, max_bytes=10 * TOGETHER_MAX)
    large = bytes(TOGETHER_MAX + 1)
    for frame in (b"small", large, b"small", bytes(TOGETHER_MAX - 5), b"more"):
        assert box.put(frame)
    assert await box.get() == [b"small"]
    assert await box.get() == [large]
    assert await box.get() == [b"small", bytes(TOGETHER_MAX - 5)]
    box.written(4)
    assert await box.get() == [b"more"]
    box.written(1)
    await box.join()


def test_a_token_bucket_grants_a_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=10.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(10)] == [0.0] * 10
    assert bucket.take(0.0) == pytest.approx(0.1)
    assert bucket.take(0.0) == pytest.approx(0.2)
    assert bucket.take(0.3) == 0.0
    assert [bucket.take(100.0) for _ in range(11)][9:] == [0.0, pytest.approx(0.1)]
