"""Records between neighbours: to whom one is passed on and when, and what nobody needs.

A record is passed on at once if a link is missing, else after a grace.  Each peer tells its
neighbours with which seats it is linked.  A neighbour that is linked with the signer gets the
record from there; we pass it on to that neighbour all the same, but only after a grace, and not if
it has sent us the very same record by then.  In this way every pair of neighbours compares every
record (a seat that says two things is found, a lost record arrives), and nobody waits for that.  A
neighbour that lies about its links is served late, but nobody else is.  Why that is enough:
docs/explanation/decisions, "Deferred forwarding".

Records of steps that are over, or far ahead, may be evidence, or may come before they are
asked for; some of them are therefore looked at, and the rest goes unread, so that it holds nobody
up.  A seat that signs such records without end is named to people and read slowly.  It is not
convicted: by the rules nothing is wrong with them.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.net.limits import TokenBucket
from p2p.net.seat_links import NO_SEATS
from p2p.player.events import Flooding
from p2p.protocol import wire
from p2p.protocol.entry import Entry, Unread
from p2p.protocol.frame_kinds import LINKED, RECORD
from p2p.protocol.held import AHEAD
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.protocol.step_kinds import Asked, asks
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer

GRACE_SECONDS: Final = 0.25
"""Longer than a record takes between any two peers, and than a round of steps, so that almost
no records cross while others compute; short enough if somebody cheats or a link has just
broken, the only cases in which anybody waits for it."""
SECOND_GRACE: Final = 1.5
"""Of two neighbours, the one in the higher seat waits this many times as long: by then it has
what the other one passed on, and each record crosses between them once."""
SOON_SECONDS: Final = GRACE_SECONDS / 4
"""Records that are due within this time go along with the one that is due now."""
REMEMBERED: Final = 1024
"""How many taken records, and deferred ones for each neighbour, are kept; no more are deferred."""
SURPLUS_RATE: Final = 32.0
"""Records that are looked at without need, per second from each neighbour; and at once.

An honest seat passes on none of a step that it has left itself, so it sends far fewer."""
EARLY_MAX: Final = 32
"""Records of one seat for a game that has not begun here yet, held until it does."""


class _Deferred(NamedTuple):
    due: float
    signer: Seat
    record: bytes


class Forwarding:
    """Passes on the records that one seat takes, over its links.

    `proposal` is the id of what was agreed to: seats have other numbers at the next table.
    """

    def __init__(
        self, desk: Desk, proposal: bytes, identities: Sequence[bytes], seat: Seat
    ) -> None:
        self._desk = desk
        self._proposal = proposal
        self._identities = tuple(identities)
        self._seat = seat
        self._others = {key: i for i, key in enumerate(identities) if i != seat}
        self.links_of: Final[dict[bytes, frozenset[Seat]]] = {}
        """The seats with which each neighbour says that it is linked."""
        self.elsewhere: Final[set[bytes]] = set()
        """Neighbours that speak of another table, the last one or the next."""
        self._announced: frozenset[Seat] | None = None
        self._taken: OrderedDict[bytes, None] = OrderedDict()
        self._deferred: dict[bytes, OrderedDict[bytes, _Deferred]] = {
            key: OrderedDict() for key in self._others
        }
        self._timer: Final = Timer(desk)

    # -- records ---------------------------------------------------------------------------

    def repeats(self, peer: bytes, record: bytes) -> bool:
        """Note that `peer` has this record; whether it was passed on from here before."""
        name = _name(record)
        if peer in self._deferred:
            self._deferred[peer].pop(name, None)
        return name in self._taken

    def pass_on(self, entry: Entry, source: bytes | None) -> None:
        """Pass on to all other seats a record that was taken from `source`."""
        name = _name(entry.record)
        self._taken[name] = None
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        for peer in self._others:
            if peer != source and not self._defer(peer, name, entry):
                self._desk.post(peer, RECORD.make(entry.record))

    def _defer(self, peer: bytes, name: bytes, entry: Entry) -> bool:
        deferred = self._deferred[peer]
        if self._is_urgent(entry) or len(deferred) >= REMEMBERED:
            return False
        if not self._is_linked(peer, entry.seat):
            return False
        grace = GRACE_SECONDS * (1.0 if self._seat < self._others[peer] else SECOND_GRACE)
        due = self._desk.now() + grace
        deferred[name] = _Deferred(due, entry.seat, entry.record)
        self._wake_at(due)
        return True

    def _wake_at(self, due: float) -> None:
        if due < self._timer.due:
            self._timer.at(due, self._pass_on_what_is_due)

    def _is_urgent(self, entry: Entry) -> bool:
        """Whether a grace would help a cheat, as it does when a card is turned up.

        There may be a race for the card, and a seat that lacks a share sees it late.
        """
        return asks(entry.kind, Asked.PASSED_ON)

    def _is_linked(self, peer: bytes, signer: Seat) -> bool:
        """Whether `peer` said that it is linked with the signer, or is the signer."""
        return self._others[peer] == signer or signer in self.links_of.get(peer, ())

    def flush(self) -> None:
        """Pass on now whatever was deferred."""
        for peer in self._deferred:
            for _, _, record in self._deferred[peer].values():
                self._desk.post(peer, RECORD.make(record))
            self._deferred[peer].clear()

    def _first_due(self, peer: bytes) -> float:
        return next((deferred.due for deferred in self._deferred[peer].values()), math.inf)

    def _send_due(self, peer: bytes, until: float) -> None:
        while self._deferred[peer] and self._first_due(peer) <= until:
            _, (_, _, record) = self._deferred[peer].popitem(last=False)
            self._desk.post(peer, RECORD.make(record))

    def _pass_on_what_is_due(self) -> None:
        """Records due soon go with it: frames that leave together cost little more than one."""
        now = self._desk.now()
        for peer in self._deferred:
            if self._first_due(peer) <= now:
                self._send_due(peer, now + SOON_SECONDS)
        self._wake_at(min(map(self._first_due, self._deferred), default=math.inf))

    def lose(self, peer: bytes) -> None:
        """A seat has left for good: nothing is passed on to it, nor expected through it."""
        self._others.pop(peer, None)
        self._deferred.pop(peer, None)
        self.links_of.pop(peer, None)

    # -- links -----------------------------------------------------------------------------

    def link_changed(self, peer: bytes, up: bool) -> None:
        """Tell the neighbours; a new link begins with what each side says itself."""
        if not up:
            self.links_of.pop(peer, None)
            self.elsewhere.discard(peer)
        if not self.announce() and up:
            self._desk.post(peer, self._announcement())

    def announce(self) -> bool:
        """Tell all neighbours which seats this one is linked with, if that has changed."""
        linked = frozenset(s for key, s in self._others.items() if self._desk.links.is_linked(key))
        if linked == self._announced:
            return False
        self._announced = linked
        self._desk.flood(self._announcement())
        return True

    def _announcement(self) -> bytes:
        seats = sorted(self._announced or ())
        return LINKED.make({"proposal": self._proposal, "seats": seats})

    def hear_links(self, peer: bytes, payload: bytes) -> None:
        """A neighbour says with which seats it is linked; PeerError `malformed`."""
        fields = LINKED.read(payload)
        if fields["proposal"] != self._proposal:  # of the table before this one, or of the next
            self.elsewhere.update({peer} & self._others.keys())
            return
        said = fields["seats"]
        seats = frozenset(
            wire.exactly(seat, int, "a seat") for seat in said[: len(self._identities) - 1]
        )
        sound = len(seats) == len(said) and seats <= set(range(len(self._identities)))
        checks.require("links.seats", sound, "malformed", NO_SEATS)
        if peer not in self._others:
            return
        self.elsewhere.discard(peer)
        if peer not in self.links_of:
            self.link_changed(peer, up=True)  # it may have sat down after we told it
        self.links_of[peer] = seats
        for name, deferred in list(self._deferred[peer].items()):
            if not self._is_linked(peer, deferred.signer):
                del self._deferred[peer][name]
                self._desk.post(peer, RECORD.make(deferred.record))


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


def _name(record: bytes) -> bytes:
    return hashlib.sha256(record).digest()
