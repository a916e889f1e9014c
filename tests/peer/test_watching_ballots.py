"""A spectator hears that a seat is gone at the end."""

from __future__ import annotations

import pytest

from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.frame_kinds import BALLOT, HEADER, RECORD
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.spectators.client import _Watcher
from tests.peer.kit import LOOPBACK, identity
from tests.protocol.kit import identities
from tests.replay.logs import match


@pytest.mark.call("p2p.spectators.client:_Watcher._ballot -> spectator.machine.ballots.receive")
async def test_the_ballots_of_all_others_close_a_watched_table() -> None:
    log = split_log(match())
    header = decode_header(log.header)
    host, token = header.proposal.identities[0], header.proposal.token
    invite = Invite((Address(LOOPBACK, 9),), host, token)
    watcher = _Watcher(identity("Eve"), invite, lambda event: None, None)
    assert isinstance(watcher._mesh, Mesh)
    await watcher.take(host, HEADER.make(log.header))
    for record in log.records[:-1]:
        await watcher.take(host, RECORD.make(record))
    spectator = watcher._spectator
    assert spectator is not None
    (gone,) = spectator.machine.missing()
    assert not spectator.closed_without
    for seat, signer in enumerate(identities(len(header.keys))):
        if seat != gone:
            vote = sign_ballot(signer, spectator.machine.chain, seat, gone)
            await watcher.take(host, BALLOT.make(vote.record))
    assert spectator.closed_without
