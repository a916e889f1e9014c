"""Meshes under random faults, seeded: whatever happened, healing brings every link back."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import trio
from trio.testing import MockClock

from p2p.net.memory_network import MemoryNetwork

from .helpers import Node, nodes, until

PEERS = 4
FAULTS = 12


async def trouble(network: MemoryNetwork, chance: random.Random) -> None:
    """One fault between two machines, and some time to feel it."""
    one, other = (f"machine{place}" for place in chance.sample(range(PEERS), 2))
    fault = chance.choice(["disconnect", "cut", "heal"])
    if fault == "heal":
        network.heal(one, other)
    else:
        act = network.cut if fault == "cut" else network.disconnect
        act(one, other, silently=chance.random() < 0.5)
    await trio.sleep(chance.choice([0.0, 0.01, 0.3, 2.0, 9.0]))


def open_links(node: Node) -> int:
    return node.mesh.statistics.links_opened - node.mesh.statistics.links_closed


def all_linked(running: Sequence[Node]) -> bool:
    return all(one.is_up(other) for one in running for other in running if one is not other)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
async def test_every_link_comes_back(autojump_clock: MockClock, seed: int) -> None:
    chance = random.Random(seed)
    network = MemoryNetwork(delay=chance.choice([0.0, 0.005, 0.08]))
    async with nodes(network, PEERS) as running:
        for _ in range(FAULTS):
            await trouble(network, chance)
        for one in range(PEERS):
            for other in range(one):
                network.heal(f"machine{one}", f"machine{other}")
        # silence is noticed after 6 s; the longest pause between dials is about 6 s more
        assert await until(lambda: all_linked(running)) < 20
        await trio.sleep(20)
        assert all_linked(running)
        assert [open_links(node) for node in running] == [PEERS - 1] * PEERS
        for node in running:
            last = dict(node.changes)
            assert list(last.values()) == [True] * (PEERS - 1)
            assert node.mesh.flood(b"\x10 still here") == PEERS - 1
        for node in running:
            senders = [(await node.incoming.receive())[0] for _ in range(PEERS - 1)]
            assert sorted(senders) == sorted(each.key for each in running if each is not node)
