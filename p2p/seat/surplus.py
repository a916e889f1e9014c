"""What a neighbour sends and the game does not need: bounded, so that it holds nobody up.

Records of steps that are over, or far ahead, may be evidence, or may come before they are
asked for; some of them are therefore looked at, and the rest goes unread.  A seat that signs
such records without end is named to people and read slowly.  It is not convicted: by the rules
nothing is wrong with them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from p2p import checks
from p2p.net.limits import TokenBucket
from p2p.player.events import Flooding
from p2p.protocol.entry import Unread
from p2p.protocol.held import AHEAD
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.seat.desk import Desk

SURPLUS_RATE: Final = 32.0
"""Records that are looked at without need, per second from each neighbour; and at once.

An honest seat passes on none of a step that it has left itself, so it sends far fewer."""
EARLY_MAX: Final = 32
"""Records of one seat for a game that has not begun here yet, held until it does."""


class Surplus:
    """One seat's measure of what its neighbours send in vain."""

    def __init__(self, desk: Desk, proposal: Proposal) -> None:
        self._desk: Final = desk
        self._proposal: Final = proposal
        self._buckets: Final[dict[bytes, TokenBucket]] = {}
        self._named: Final[set[bytes]] = set()
        self._early: defaultdict[int, list[tuple[bytes, bytes]]] = defaultdict(list)

    def receive(self, peer: bytes, record: Unread, machine: Machine) -> None:
        """Give `machine` a record, unless there is too much that it does not need.

        PeerError as from `Machine.receive`.
        """
        now = machine.chain.step
        late = 0 <= record.step < now
        if late and record.record in machine.records[record.step]:
            return
        if now <= record.step <= now + AHEAD or self._has_room(peer):
            machine.take(record)
        elif late and self._is_of(peer, record):
            self._slow(peer)

    def _has_room(self, peer: bytes) -> bool:
        time = self._desk.now()
        bucket = self._buckets.setdefault(peer, TokenBucket(SURPLUS_RATE, time))
        return bucket.take(time) == 0.0

    def _is_of(self, peer: bytes, record: Unread) -> bool:
        """Whether it claims to be the neighbour's own; nobody is to blame for those of others."""
        keys = self._proposal.identities
        return peer in keys and keys.index(peer) == record.seat

    def _slow(self, peer: bytes) -> None:
        """Slow and name the peer at its first unread record: those before it were signed."""
        self._desk.read_slowly(peer)
        if peer not in self._named:
            self._named.add(peer)
            seat = self._proposal.identities.index(peer)
            self._desk.tell(Flooding(seat, self._proposal.names[seat]))

    def hold(self, peer: bytes, record: Unread) -> None:
        """Keep a record for a game that may begin soon.  PeerError unless a seat signed it."""
        keys = self._proposal.identities
        seated = record.seat in range(len(keys))
        checks.require("surplus.seat", seated, "malformed", "an entry of nobody at this table")
        held = self._early[record.seat]
        if len(held) < EARLY_MAX:
            record.check_signature(keys[record.seat])
            held.append((peer, record.record))

    def held(self) -> list[tuple[bytes, bytes]]:
        """What was held, and from whom it came; it is held no longer."""
        found = [pair for _, pairs in sorted(self._early.items()) for pair in pairs]
        self._early.clear()
        return found
