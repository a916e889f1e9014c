"""The test kit itself: its streams keep trio's contract, its cuts cut."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, check_half_closeable_stream

from p2p.net.addresses import Address
from p2p.net.memory_network import CAPACITY, MemoryNetwork, MemoryStream, memory_streams

PLACE = Address("far", 7000)


@pytest.mark.parametrize("delay", [0.0, 0.05])
async def test_streams_keep_the_contract(autojump_clock: MockClock, delay: float) -> None:
    async def pair() -> tuple[MemoryStream, MemoryStream]:
        return memory_streams(delay)

    async def clogged() -> tuple[MemoryStream, MemoryStream]:
        near, far = memory_streams(delay)
        await near.send_all(bytes(CAPACITY))
        await far.send_all(bytes(CAPACITY))
        return near, far

    await check_half_closeable_stream(pair, clogged)


async def test_bytes_take_their_time(autojump_clock: MockClock) -> None:
    near, far = memory_streams(0.25)
    started = trio.current_time()
    await near.send_all(b"there")
    assert await far.receive_some() == b"there"
    assert trio.current_time() - started == pytest.approx(0.25)


async def test_a_cut_is_noticed_and_a_silent_one_is_not(autojump_clock: MockClock) -> None:
    for silently in (False, True):
        network = MemoryNetwork()
        listener = network.listen(PLACE)
        near = await network.transport("near").dial(PLACE)
        far = await listener.accept()
        await near.send_all(b"under way")
        network.cut("near", "far", silently=silently)
        with trio.move_on_after(60) as patience:
            with pytest.raises(trio.BrokenResourceError):
                await far.receive_some()
        assert patience.cancelled_caught == silently
        with pytest.raises(OSError, match="does not answer"):
            await network.transport("near").dial(PLACE)
        network.heal("near", "far")
        again = await network.transport("near").dial(PLACE)
        await again.send_all(b"healed")
        assert await (await listener.accept()).receive_some() == b"healed"


async def test_nobody_listens_after_closing(autojump_clock: MockClock) -> None:
    network = MemoryNetwork()
    with pytest.raises(OSError, match="does not answer"):
        await network.transport("near").dial(PLACE)
    await network.listen(PLACE).aclose()
    with pytest.raises(OSError, match="nobody listens"):
        await network.transport("near").dial(PLACE)
