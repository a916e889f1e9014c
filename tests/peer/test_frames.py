"""What a running peer does with frames that mean nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from engine.games import load
from p2p.driver.connection import Evening
from p2p.errors import PeerError
from p2p.lobby.plan import Seating
from p2p.net.limits import Limits
from p2p.net.signed_addresses import sign_addresses
from p2p.net.strangers import Strangers
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
from p2p.table.at_table import AtTable
from tests.peer.desk_kit import World, runner_at
from tests.peer.kit import Watcher, sitter, store
from tests.protocol.kit import identities, make_header

PEER = identities(3)[1].public


PROPOSAL = make_header(load("flip-over"), 3).proposal


def dropped(frame: bytes) -> list[bytes]:
    """Whose links a runner drops that gets this frame from a peer."""
    world = World()
    runner_at(world, PROPOSAL).receive(PEER, frame)
    return [peer for _, peer in world.dropped]


class Mesh:
    """Stands in for a mesh: remembers who was dropped."""

    def __init__(self) -> None:
        self.peers: list[bytes] = []
        self.strangers = Strangers(Limits(), lambda key: True)

    def drop(self, peer: bytes, reason: str) -> None:
        self.peers.append(peer)


@pytest.mark.check("frame.kind")
@pytest.mark.call("p2p.seat.runner:Runner.__init__ -> unknown")
@pytest.mark.call("p2p.seat.runner:Runner.receive -> self.inbox.take")
def test_an_unknown_kind_of_frame_drops_its_link() -> None:
    assert dropped(bytes([0x7F]) + b"?") == [PEER]


@pytest.mark.parametrize("kind", [RECORD, HAVE, TOLD])
@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 500])
def test_garbage_drops_its_link_and_nothing_else(kind: FrameKind, size: int) -> None:
    assert dropped(bytes([kind.number]) + Random(size).randbytes(size)) == [PEER]


def test_a_ballot_before_the_game_is_left_alone() -> None:
    assert dropped(BALLOT.make(b"garbage")) == []


@pytest.mark.check("frame.seat")
@pytest.mark.parametrize("kind", [RECORD, TOLD, BALLOT, CHAT, AGAIN, ADDRESSES, WATCHED])
async def test_who_only_watches_asks_and_says_nothing(kind: FrameKind, tmp_path: Path) -> None:
    """Somebody without a seat sends records, talk, ballots, or the word that it has told all,
    which a restarted seat waits for.

    Answer: it may greet and ask for the game; anything else costs it the link, unread.
    """
    mesh, stranger, own = Mesh(), identities(4)[3].public, identities(3)[0]
    peer = SimpleNamespace(mesh=mesh, identity=own, parts=None, race_cap_us=80_000)
    peer.list_for = lambda token: sign_addresses(own, token, 1, [])
    evening = Evening(peer, sitter(own, Watcher(0)), store(tmp_path))  # type: ignore[arg-type]
    table = AtTable(evening, Seating(PROPOSAL, 0, {}), evening.store.files("table"))
    table._route(None)
    place = wire.pack({"table": bytes(32), "step": 0})
    peer.on_frame(stranger, bytes([HAVE.number]) + place)
    with pytest.raises(PeerError, match="without a seat"):
        peer.on_frame(stranger, bytes([kind.number]) + place)
    assert mesh.peers == []
