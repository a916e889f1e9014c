"""Shared by the network tests: seeded entropy, identities in key order, meshes in memory."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from p2p.identity.keys import Identity
from p2p.net.addresses import Address
from p2p.net.limits import Limits
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh, Owner


def seeded(seed: int) -> Callable[[int], bytes]:
    """A reproducible source of bytes."""
    return random.Random(seed).randbytes


def identities(count: int, seed: int = 1) -> list[Identity]:
    """`count` identities, lowest public key first."""
    entropy = seeded(seed)
    return sorted((Identity.generate(entropy) for _ in range(count)), key=lambda who: who.public)


class Arrived:
    """Frames that came to a mesh (`deliver`), for a test to take."""

    def __init__(self) -> None:
        self._put, self._taken = trio.open_memory_channel[tuple[bytes, bytes]](math.inf)

    async def deliver(self, peer: bytes, frame: bytes) -> None:
        await self._put.send((peer, frame))

    async def receive(self) -> tuple[bytes, bytes]:
        """The next (peer key, frame)."""
        return await self._taken.receive()


@dataclass
class Node:
    """A mesh on a machine of a memory network, with everything it told us."""

    identity: Identity
    mesh: Mesh
    address: Address
    changes: list[tuple[bytes, bool]]
    incoming: Arrived

    @property
    def key(self) -> bytes:
        return self.identity.public

    def is_up(self, other: Node) -> bool:
        state = self.mesh.links().get(other.key)
        return state is not None and state.connected


@asynccontextmanager
async def nodes(
    network: MemoryNetwork,
    count: int,
    *,
    knows: Callable[[int, int], bool] = lambda _who, _whom: True,
    dials: Callable[[int, int], bool] = lambda _who, _whom: True,
    limits: Limits | None = None,
    strangers: Callable[[bytes], bool] = lambda _key: False,
) -> AsyncIterator[list[Node]]:
    """`count` running meshes; `dials` says who has whose address, `knows` who has whose key."""
    people = identities(count)
    addresses = [Address(f"machine{place}", 7000) for place in range(count)]
    running: list[Node] = []
    for place, person in enumerate(people):
        roster: dict[bytes, Sequence[Address]] = {
            other.public: [addresses[there]] if dials(place, there) else []
            for there, other in enumerate(people)
            if there != place and knows(place, there)
        }
        changes: list[tuple[bytes, bool]] = []
        incoming = Arrived()
        mesh = Mesh(
            person,
            roster,
            Owner(
                lambda peer, up, changes=changes: changes.append((peer, up)),  # type: ignore[misc]
                incoming.deliver,
                open_to_strangers=strangers,
            ),
            transport=network.transport(f"machine{place}"),
            limits=limits,
            entropy=seeded(place),
        )
        running.append(Node(person, mesh, addresses[place], changes, incoming))
    async with trio.open_nursery() as nursery:
        for node in running:
            await nursery.start(node.mesh.run, [network.listen(node.address)])
        yield running
        nursery.cancel_scope.cancel()


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> float:
    """Wait (in virtual time) until `condition` holds; the seconds it took."""
    started = trio.current_time()
    with trio.fail_after(seconds):
        while not condition():
            await trio.sleep(0.01)
    return trio.current_time() - started
