"""A table as it stood on disk: what its seat file and its log make of a machine."""

from __future__ import annotations

from collections.abc import Sequence

from p2p.errors import PeerError
from p2p.files.seat_memory import SeatMemory
from p2p.identity.keys import Identity
from p2p.protocol.entry import unread
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnPast, OwnSeat, own_secrets


def own_seat(identity: Identity, memory: SeatMemory, past: OwnPast, least: int) -> OwnSeat:
    """The seat of a seat file, for the identity that it belongs to; `least` as proposed."""
    secret, in_shares = own_secrets(memory.secret, least)
    return OwnSeat(memory.seat, identity, secret, past, in_shares)


def reopen(
    machine: Machine, saved: Sequence[Sequence[bytes]], ballots: Sequence[bytes] = ()
) -> None:
    """Play a machine that has not started as far as the records go that were `saved`: its log, and
    what its own entries stand on.

    It may not sign yet; once it may, it resends what it signed beyond that.  PeerError for a
    seat that is caught by these records.
    """
    machine.start()
    run_inline(machine)
    for records in saved:
        _replay(machine, records)
    for ballot in ballots:
        machine.ballots.receive(ballot)
    if machine.fault is not None:
        raise machine.fault


def _replay(machine: Machine, records: Sequence[bytes]) -> None:
    """Take records up to the first that a crash has garbled: the others have what follows."""
    for record in records:
        try:
            entry = unread(record)
            if entry.step >= machine.chain.step:  # else it was in the log
                machine.take(entry)
        except PeerError:
            break
        run_inline(machine)
