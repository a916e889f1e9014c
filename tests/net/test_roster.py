"""Whom a mesh takes into its roster, and whom nobody dials."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.net.addresses import Address
from p2p.net.handshake import connect
from p2p.net.memory_network import memory_streams
from p2p.net.mesh import Mesh

from .helpers import identities
from .test_identity import SMALL_ORDER

OWN, OTHER = identities(2)


@pytest.mark.call("p2p.net.mesh:Mesh.__init__ -> self.add")
def test_those_it_is_made_with() -> None:
    mesh = Mesh(OWN, {OTHER.public: [Address("127.0.0.1", 9)]})
    assert list(mesh.links()) == [OTHER.public]


@pytest.mark.call("p2p.net.mesh:Mesh.add -> decode_identity")
@pytest.mark.parametrize("key", [*map(bytes.fromhex, SMALL_ORDER), b"", OTHER.public[:-1]])
def test_nobody_with_an_unsound_key(key: bytes) -> None:
    """Under such a key one signature fits several messages: anybody could be it."""
    mesh = Mesh(OWN, {})
    with pytest.raises(PeerError) as caught:
        mesh.add(key)
    assert caught.value.verdict == "bad-key"
    assert not mesh.links()


@pytest.mark.call("p2p.net.handshake:connect.shake_hands -> decode_identity")
async def test_who_expects_an_unsound_key_dials_nobody() -> None:
    """Not one byte is sent: there is nothing to wait for."""
    near, far = memory_streams()
    with pytest.raises(PeerError, match="not of prime order"):
        await connect(near, OWN, bytes.fromhex(SMALL_ORDER[0]))
    assert await far.receive_some() == b""
