"""Frames: the same however the bytes are cut, and nothing kept that a header forbids."""

from __future__ import annotations

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, memory_stream_pair

from p2p.errors import LocalError, PeerError
from p2p.net.frames import FrameDecoder, encode_frame
from p2p.net.link import Frames
from p2p.net.memory_network import memory_streams
from p2p.protocol.frame_kinds import FRAME_MAX


def decode(pieces: list[bytes]) -> tuple[list[bytes], str]:
    """All frames of a byte sequence that came in `pieces`, and how it ended."""
    decoder = FrameDecoder()
    found = []
    try:
        for piece in pieces:
            decoder.receive_data(piece)
            while (frame := decoder.next_frame()) is not None:
                found.append(frame)
        decoder.check_end()
    except PeerError as error:
        return found, error.reason
    return found, "whole"


bad_headers = st.sampled_from([b"", b"\0\0\0\0", b"\x80\0\0\0", b"\0\0", b"\0\0\0\5abc"])


@given(st.lists(st.binary(min_size=1, max_size=40)), bad_headers, st.data())
def test_a_growing_buffer_gives_what_the_whole_buffer_gives(
    payloads: list[bytes], tail: bytes, data: st.DataObject
) -> None:
    whole = b"".join(map(encode_frame, payloads)) + tail
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert decode(pieces) == decode([whole]) == decode([bytes([byte]) for byte in whole])
    assert decode([whole])[0] == payloads


@pytest.mark.check("frames.length")
@pytest.mark.parametrize("length", [0, FRAME_MAX + 1, 2**31, 2**32 - 1])
async def test_a_forbidden_length_is_refused_before_anything_is_kept(length: int) -> None:
    near, far = memory_stream_pair()
    await near.send_all(length.to_bytes(4, "big") + b"x" * 100)
    await near.send_eof()
    with pytest.raises(PeerError, match=f"a frame of {length} bytes is announced"):
        await Frames(far).receive()


@pytest.mark.check("frames.end")
@pytest.mark.parametrize("kept", [1, 3, 4, 5, 8])
@pytest.mark.call("p2p.net.link:Frames.receive -> self._decoder.check_end")
async def test_an_end_inside_a_frame_is_told_from_an_end_between(kept: int) -> None:
    near, far = memory_stream_pair()
    frames = Frames(far)
    await near.send_all(encode_frame(b"whole") + encode_frame(b"broken")[:kept])
    await near.send_eof()
    assert await frames.receive() == b"whole"
    with pytest.raises(PeerError, match="malformed: the connection ended inside a frame"):
        await frames.receive()


async def test_an_end_between_frames_is_no_fault() -> None:
    near, far = memory_stream_pair()
    sender, receiver = Frames(near), Frames(far)
    await sender.send(b"last")
    await sender.aclose()
    assert await receiver.receive() == b"last"
    with pytest.raises(trio.EndOfChannel):
        await receiver.receive()


async def test_the_longest_frame_passes(autojump_clock: MockClock) -> None:
    near, far = memory_streams()
    payload = bytes(range(256)) * (FRAME_MAX // 256) + bytes(FRAME_MAX % 256)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Frames(near).send, payload)
        assert await Frames(far).receive() == payload


@pytest.mark.parametrize("payload", [b"", bytes(FRAME_MAX + 1)])
async def test_sending_a_forbidden_length_is_our_bug(payload: bytes) -> None:
    near, _ = memory_stream_pair()
    with pytest.raises(LocalError):
        await Frames(near).send(payload)


async def test_after_half_a_frame_only_closing_is_left(autojump_clock: MockClock) -> None:
    near, far = memory_streams()
    frames = Frames(near)
    with trio.move_on_after(1) as patience:
        await frames.send(bytes(100_000))
    assert patience.cancelled_caught
    with pytest.raises(trio.BrokenResourceError):
        await frames.send(b"next")
    await frames.aclose()
    with pytest.raises(PeerError, match="inside a frame"):
        await Frames(far).receive()


async def test_silence_is_measured_by_the_byte(autojump_clock: MockClock) -> None:
    near, far = memory_streams()
    frames = Frames(far)

    async def trickle() -> None:
        for byte in encode_frame(b"slow"):
            await trio.sleep(5)
            await near.send_all(bytes([byte]))

    async def read() -> None:
        assert await frames.receive() == b"slow"
        await frames.receive()

    started = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trickle)
        nursery.start_soon(read)
        await frames.reading.lasts(6.0)
        nursery.cancel_scope.cancel()
    assert trio.current_time() - started == pytest.approx(5 * len(encode_frame(b"slow")) + 6.0)


async def test_frames_that_came_together_leave_others_their_turn() -> None:
    """One peer's chunk of small frames does not hold up what the other tasks have to do."""
    near, far = memory_stream_pair()
    frames, turns = Frames(far), 0

    async def others() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    await Frames(near).send(b"one", b"two", b"three")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        assert await frames.receive() == b"one"
        before = turns
        assert [await frames.receive(), await frames.receive()] == [b"two", b"three"]
        assert turns > before
        nursery.cancel_scope.cancel()
