"""What a running peer does with frames that mean nothing."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from engine.games import load
from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.frame_kinds import (
    ADDRESSES,
    AGAIN,
    BALLOT,
    CHAT,
    HAVE,
    RECORD,
    TOLD,
    WATCHED,
    FrameKind,
)
from p2p.seat.runner import Runner
from p2p.table.games import own_gallery, route
from p2p.table.room import Room
from tests.peer.seat_files import runner_on
from tests.protocol.kit import identities, make_header

PEER = identities(3)[1].public


class Dropped:
    """Stands in for a mesh: remembers who was dropped."""

    def __init__(self) -> None:
        self.peers: list[bytes] = []

    def drop(self, peer: bytes, reason: str) -> None:
        self.peers.append(peer)


def runner(mesh: Dropped) -> Runner:
    proposal = make_header(load("flip-over"), 3).proposal
    return runner_on(mesh, proposal)


@pytest.mark.check("frame.kind")
@pytest.mark.call("p2p.seat.runner:Runner.__init__ -> unknown")
@pytest.mark.call("p2p.seat.runner:Runner.receive -> self.inbox.take")
def test_an_unknown_kind_of_frame_drops_its_link() -> None:
    mesh = Dropped()
    runner(mesh).receive(PEER, bytes([0x7F]) + b"?")
    assert mesh.peers == [PEER]


@pytest.mark.parametrize("kind", [RECORD, HAVE, TOLD])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 500])
def test_garbage_drops_its_link_and_nothing_else(kind: FrameKind, size: int) -> None:
    mesh = Dropped()
    runner(mesh).receive(PEER, bytes([kind.number]) + Random(size).randbytes(size))
    assert mesh.peers == [PEER]


def test_a_ballot_before_the_game_is_left_alone() -> None:
    mesh = Dropped()
    runner(mesh).receive(PEER, BALLOT.make(b"garbage"))
    assert mesh.peers == []


@pytest.mark.check("frame.seat")
@pytest.mark.parametrize("kind", [RECORD, TOLD, BALLOT, CHAT, AGAIN, ADDRESSES, WATCHED])
def test_who_only_watches_asks_and_says_nothing(kind: FrameKind) -> None:
    """Somebody without a seat sends records, talk, ballots, or the word that it has told all,
    which a restarted seat waits for.

    Answer: it may greet and ask for the game; anything else costs it the link, unread.
    """
    mesh, stranger = Dropped(), identities(4)[3].public
    seat = runner(mesh)
    desk = SimpleNamespace(mesh=mesh, identity=identities(3)[0], list_for=None, race_cap_us=80_000)
    gallery = own_gallery(desk, seat.proposal)  # type: ignore[arg-type]
    room = Room(desk, seat.proposal, 0, seat.player, {}, gallery, seat.keep)  # type: ignore[arg-type]
    route(desk, seat, room)  # type: ignore[arg-type]
    place = wire.pack({"table": bytes(32), "step": 0})
    desk.on_frame(stranger, bytes([HAVE.number]) + place)
    with pytest.raises(PeerError, match="without a seat"):
        desk.on_frame(stranger, bytes([kind.number]) + place)
    assert mesh.peers == []
