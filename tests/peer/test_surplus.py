"""What neighbours send beyond what the game needs."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.player.events import Flooding
from p2p.protocol import wire
from p2p.protocol.entry import PURPOSE, Unread, unread
from p2p.protocol.genesis import decode_header
from p2p.protocol.held import AHEAD
from p2p.protocol.inline import run_inline
from p2p.protocol.logfile import split_log
from p2p.protocol.table import open_table
from p2p.seat.forwarding import EARLY_MAX, SURPLUS_RATE, Surplus
from tests.peer.desk_kit import World
from tests.protocol.kit import identities, seeded
from tests.replay.saved import log_of

SEATS = 3
BEGINNING = 60
"""Records of a game that goes on."""
FLOODER = 1


class Seat:
    """A seat of a game that is under way, and what it does with what comes."""

    def __init__(self) -> None:
        log = split_log(log_of("flip-over"))
        header = decode_header(log.header)
        self.machine = open_table(header, seeded("surplus")).machine
        self.machine.start()
        for record in log.records[:BEGINNING]:
            self.machine.receive(record)
            run_inline(self.machine)
        self.keys = header.proposal.identities
        self.world = World()
        self.surplus = Surplus(self.world.desk, header.proposal)
        self.free = next(
            step
            for step, records in enumerate(self.machine.records)
            if all(unread(record).seat != FLOODER for record in records)
        )

    def junk(self, step: int, number: int, seat: int = FLOODER, signer: int = FLOODER) -> Unread:
        fields = {"table": self.machine.chain.table, "step": step, "seat": seat, "kind": "play"}
        fields |= {"payload": number, "previous": bytes(32), "state": bytes(16)}
        body = wire.pack(fields)
        return unread(body + identities(SEATS)[signer].sign(PURPOSE, body))


@pytest.mark.slow
def test_a_flood_of_late_records_is_read_in_part_and_named_once() -> None:
    seat = Seat()
    peer = seat.keys[FLOODER]
    for number in range(int(SURPLUS_RATE)):
        seat.surplus.receive(peer, seat.junk(seat.free, number), seat.machine)
    assert (seat.world.told, seat.world.slowed) == ([], [])
    for number in range(5):
        seat.surplus.receive(peer, seat.junk(seat.free, 1000 + number), seat.machine)
    assert [type(event) for event in seat.world.told] == [Flooding]
    assert seat.world.slowed == 5 * [peer]
    seat.world.time.pass_(60)
    seat.surplus.receive(peer, seat.junk(seat.free, 2000), seat.machine)
    assert len(seat.world.slowed) == 5
    assert seat.machine.fault is None


def test_who_passes_on_or_sends_what_is_known_is_not_named() -> None:
    """An honest seat answers with a whole log, and passes on what others sign."""
    seat = Seat()
    peer = seat.keys[2]
    for _ in range(3):
        for records in seat.machine.records:
            for record in records:
                seat.surplus.receive(peer, unread(record), seat.machine)
    for number in range(2 * int(SURPLUS_RATE)):
        seat.surplus.receive(peer, seat.junk(seat.free, number), seat.machine)
        far = seat.machine.chain.step + AHEAD + 1 + number
        seat.surplus.receive(peer, seat.junk(far, number, seat=2, signer=2), seat.machine)
    assert (seat.world.told, seat.world.slowed) == ([], [])


@pytest.mark.check("surplus.seat")
@pytest.mark.call("p2p.seat.forwarding:Surplus.hold -> record.check_signature")
def test_what_is_held_for_a_game_is_signed_by_a_seat_and_bounded() -> None:
    """Somebody sends records of a game that has not begun here.

    Answer: records of no seat, and records that nobody signed, end the link; 32 of each seat are
    kept.
    """
    seat = Seat()
    peer = seat.keys[FLOODER]
    with pytest.raises(PeerError, match="nobody at this table"):
        seat.surplus.hold(peer, seat.junk(0, 0, seat=SEATS))
    with pytest.raises(PeerError, match="bad-signature"):
        seat.surplus.hold(peer, seat.junk(0, 0, signer=2))
    for number in range(2 * EARLY_MAX):
        seat.surplus.hold(peer, seat.junk(0, number))
    assert len(seat.surplus.held()) == EARLY_MAX
    assert seat.surplus.held() == []
