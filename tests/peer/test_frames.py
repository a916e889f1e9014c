"""What a running peer does with frames that mean nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import trio

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
    HEADER,
    RECORD,
    TOLD,
    WATCHED,
    FrameKind,
)
from p2p.spectators.gallery import LAST_SECONDS, watch_frame
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


def seated(mesh: Mesh, folder: Path) -> AtTable:
    """A seat at a table that was proposed."""
    own = identities(3)[0]
    peer: Any = SimpleNamespace(mesh=mesh, identity=own, parts=None, race_cap_us=80_000)
    peer.list_for = lambda token: sign_addresses(own, token, 1, [])
    evening = Evening(peer, sitter(own, Watcher(0)), store(folder))
    return AtTable(evening, Seating(PROPOSAL, 0, {}), evening.store.files("table"))


@pytest.mark.check("frame.seat")
@pytest.mark.parametrize("kind", [RECORD, TOLD, BALLOT, CHAT, AGAIN, ADDRESSES, WATCHED])
async def test_who_only_watches_asks_and_says_nothing(kind: FrameKind, tmp_path: Path) -> None:
    """Somebody without a seat sends records, talk, ballots, or the message "that was all", for
    which a restarted seat waits.

    Answer: it may greet and ask for the game; anything else is not read, and ends its link.
    """
    mesh, stranger = Mesh(), identities(4)[3].public
    table = seated(mesh, tmp_path)
    peer: Any = table._sitting.peer
    table._route(None)
    place = wire.pack({"table": bytes(32), "step": 0})
    peer.on_frame(stranger, bytes([HAVE.number]) + place)
    with pytest.raises(PeerError, match="without a seat"):
        peer.on_frame(stranger, bytes([kind.number]) + place)
    assert mesh.peers == []


class Reads(Mesh):
    """Its peers read what was sent a second later."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def send(self, peer: bytes, frame: bytes) -> None:
        self.sent.append(frame)

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> None:
        """Spectators are no seats."""

    def source(self, peer: bytes) -> str:
        return ""

    async def flushed(self, peer: bytes) -> None:
        await trio.sleep(1)

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


class _ClosesError(Exception):
    """Somebody closes the program."""


async def _closes() -> object:
    raise _ClosesError


@pytest.mark.parametrize("ends", ["played", "caught", "left"])
async def test_who_watches_has_a_moment_for_the_rest(
    autojump_clock: object, tmp_path: Path, ends: str
) -> None:
    """However the table ends, but not if its host's person leaves: then it is not over."""
    mesh, stranger = Reads(), identities(4)[3].public
    at, header = seated(mesh, tmp_path), make_header(load("flip-over"), 3)

    async def playing() -> Any:
        gallery = at.room.gallery
        gallery.show(header, [[b"one"], [b"two"]])
        gallery.receive(stranger, watch_frame(PROPOSAL.token, "Eve")[1:])
        gallery.asked(stranger, wire.pack({"table": header.table, "step": 0}))
        if ends == "left":
            await at.driver.desk.consult(_closes)[1]
        if ends == "caught":
            raise PeerError("malformed", "an entry")
        return "a table"

    began = trio.current_time()
    if ends == "played":
        assert await at.driver.run(at.room.gallery.attended(playing())) == "a table"
    else:
        with pytest.raises(PeerError if ends == "caught" else _ClosesError):
            await at.driver.run(at.room.gallery.attended(playing()))
    shown = [HEADER.make(header.encode()), RECORD.make(b"one")]
    assert mesh.sent[:2] == (shown[:1] if ends == "left" else shown)
    assert trio.current_time() - began == pytest.approx(0 if ends == "left" else LAST_SECONDS)
