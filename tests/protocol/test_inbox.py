"""A kind of frame is a line in the table, and a handler in an inbox."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.net.memory_network import MemoryNetwork
from p2p.protocol import frame_kinds, wire
from p2p.protocol.frame_kinds import (
    ANYBODY,
    BALLOT,
    KINDS,
    STRANGER,
    FrameKind,
    Inbox,
    Sender,
    leave_aside,
    unknown,
)
from tests.net.helpers import nodes, until

PEER = bytes(32)
SHAPE = frame_kinds._Map({"suit": int})


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> FrameKind:
    """A kind that a test adds: one line of the table."""
    monkeypatch.setattr(frame_kinds, "KINDS", dict(KINDS))
    return frame_kinds.add(0x7E, "toy", Sender.SEAT, 10, SHAPE)


async def test_a_new_kind_goes_over_a_link_to_its_handler(
    toy: FrameKind, autojump_clock: object
) -> None:
    told: list[object] = []
    inbox: Inbox[None] = Inbox(
        Sender.SEAT, unknown, {toy: lambda peer, payload: told.append((peer, toy.read(payload)))}
    )
    async with nodes(MemoryNetwork(), 2) as (alice, bob):
        await until(lambda: alice.is_up(bob))
        assert alice.mesh.send(bob.key, toy.make({"suit": 3}))
        inbox.take(*await bob.incoming.receive())
    assert told == [(alice.key, {"suit": 3})]


def test_a_handler_gets_what_fits_its_shape_and_its_size(toy: FrameKind) -> None:
    inbox = Inbox(ANYBODY, unknown, {toy: lambda _, payload: toy.read(payload)})
    assert inbox.take(PEER, toy.make({"suit": 3})) == {"suit": 3}
    with pytest.raises(PeerError, match="has not the fields"):
        inbox.take(PEER, bytes([toy.number]) + wire.pack({"rank": 3}))
    with pytest.raises(PeerError, match="larger than its kind"):
        inbox.take(PEER, toy.make({"suit": 1 << 20}))


def test_who_may_not_send_a_kind_has_no_handler_for_it(toy: FrameKind) -> None:
    told: list[bytes] = []
    handlers = {toy: lambda peer, payload: told.append(payload)}
    frame = toy.make({"suit": 3})
    with pytest.raises(PeerError, match="unknown kind"):
        Inbox(STRANGER, unknown, handlers).take(PEER, frame)
    assert Inbox(STRANGER, leave_aside, handlers).take(PEER, frame) is None
    assert told == []


def test_a_number_and_a_handler_are_there_once(toy: FrameKind) -> None:
    with pytest.raises(ValueError, match="two kinds of frames with the number 7e"):
        frame_kinds.add(0x7E, "another", Sender.SEAT, 10, SHAPE)
    inbox = Inbox(ANYBODY, unknown, {toy: lambda peer, payload: None})
    inbox.register({BALLOT: lambda peer, payload: None})
    with pytest.raises(ValueError, match="two handlers for the same frames: ballot"):
        inbox.register({BALLOT: lambda peer, payload: None})
