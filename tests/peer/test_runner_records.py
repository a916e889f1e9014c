"""A record that comes over a link reaches the machine of its table."""

from __future__ import annotations

import pytest

from p2p.protocol.entry import sign_entry
from p2p.protocol.frame_kinds import RECORD
from tests.protocol.kit import identities

from .test_runner import LIAR, sit


@pytest.mark.call(
    "p2p.seat.runner:Runner._record -> self._surplus.receive",
    "p2p.seat.forwarding:Surplus.receive -> machine.take",
)
def test_what_nobody_signed_costs_the_link() -> None:
    """The record is sound except for the signature, so only the machine of the table refuses it."""
    runner, table, world = sit()
    machine, liar = table.machine, world.known.peers[LIAR - 1]
    runner._catching_up.machines[machine.chain.table] = machine
    machine.start()
    entry = sign_entry(identities(3)[0], machine.chain, LIAR, "shuffle", None, bytes(16))
    runner.receive(liar, RECORD.make(entry.record))
    assert [peer for _, peer in world.dropped] == [liar]


@pytest.mark.call(
    "p2p.seat.runner:Runner._record -> self._of_no_table",
    "p2p.seat.runner:Runner._of_no_table -> self._surplus.hold",
)
def test_what_nobody_signed_for_a_game_to_come_costs_the_link() -> None:
    """While the table is being signed its game may have begun elsewhere: what a seat has signed
    for that is held, and nothing else."""
    runner, table, world = sit(signed=False)
    chain, liar = table.machine.chain, world.known.peers[LIAR - 1]
    signed, forged = (
        sign_entry(identities(3)[who], chain, LIAR, "shuffle", None, bytes(16)).record
        for who in (LIAR, 0)
    )
    runner.receive(liar, RECORD.make(signed))
    assert (world.dropped, runner._surplus.held()) == ([], [(liar, signed)])
    runner.receive(liar, RECORD.make(forged))
    assert [peer for _, peer in world.dropped] == [liar]
