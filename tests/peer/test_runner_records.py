"""A record that comes over a link reaches the machine of its table."""

from __future__ import annotations

import pytest

from p2p.catching_up import RECORD
from p2p.protocol.entry import sign_entry
from tests.protocol.kit import identities

from .test_runner import LIAR, sit


@pytest.mark.call("p2p.runner:Runner._record -> machine.take")
async def test_what_nobody_signed_costs_the_link() -> None:
    """The record is sound but for the signature, so only the machine of the table refuses it."""
    runner, table, mesh = sit()
    machine, liar = table.machine, mesh.peers[LIAR - 1]
    runner._catching_up.machines[machine.chain.table] = machine
    machine.start()
    entry = sign_entry(identities(3)[0], machine.chain, LIAR, "shuffle", None, bytes(16))
    runner.receive(liar, bytes([RECORD]) + entry.record)
    assert [peer for _, peer in mesh.dropped] == [liar]
