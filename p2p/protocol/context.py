"""What every proof at a table is bound to, and the keys of its seats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.zone import Seat, Slot
from p2p.checks import Entropy
from p2p.crypto.group import Point, sub
from p2p.crypto.hedged import Hedged
from p2p.crypto.keys import TableSecret, joint_key
from p2p.crypto.sharing import Images, place
from p2p.crypto.transcript import Transcript
from p2p.protocol.entry import Chain
from p2p.version import PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class KeyShares:
    """What lets any `least` seats take a lost seat's key out of the cards.

    `promised` are the images of each seat's polynomial; `mine` are the shares of the others'
    secrets that this seat holds, by the seat that dealt them.
    """

    least: int
    promised: tuple[Images, ...]
    mine: Mapping[Seat, TableSecret] = field(default_factory=dict, repr=False)

    def place(self, owner: Seat, seat: Seat) -> int:
        """At which place of the owner's polynomial the share of a seat is."""
        return place(owner, seat, len(self.promised))

    def image(self, owner: Seat, seat: Seat) -> Point:
        """What a seat proves its partial shares against that it makes in the owner's place."""
        return self.promised[owner].image(self.place(owner, seat))


class Keys:
    """The table keys of all seats, and the secret of this seat if we play one.

    `public` are those of all who ever sat down; `joint` is the sum of those who have not left, and
    of those who are lost and whose key is still in the cards.  `shares` are there if seats can be
    lost.

    A seat draws whatever it needs from `entropy`, which is hedged by its secret.  `place` has to
    be different each time a program goes on with a table (see `Hedged`).
    """

    __slots__ = ("entropy", "joint", "me", "public", "seats", "secret", "shares")

    def __init__(
        self,
        public: Sequence[Point],
        entropy: Entropy,
        me: Seat | None = None,
        secret: TableSecret | None = None,
        place: bytes = b"",
        shares: KeyShares | None = None,
    ) -> None:
        self.public: Final = tuple(public)
        self.joint = joint_key(public)
        self.seats: tuple[Seat, ...] = tuple(range(len(public)))
        """The seats that have not left, in order."""
        self.entropy: Final = entropy if secret is None else _hedged(entropy, place, secret)
        self.me: Final = me
        self.secret: Final = secret
        self.shares: Final = shares

    def without(self, seat: Seat) -> Point:
        """The joint key of all others that have not left."""
        return sub(self.joint, self.public[seat])

    def miss(self, absent: Collection[Seat]) -> None:
        """The others go on without these, whose keys are still in the cards."""
        self.seats = tuple([seat for seat in self.seats if seat not in absent])

    def lose(self, seat: Seat) -> None:
        """The key of a seat that is gone is out of every hidden card."""
        self.joint = self.without(seat)

    @property
    def own(self) -> TableSecret:
        """This seat's secret; LookupError if no seat is played."""
        if self.secret is None:
            raise LookupError("an auditor holds no table secret")
        return self.secret

    @property
    def own_seat(self) -> Seat:
        """The seat that we play; LookupError if no seat is played."""
        if self.me is None:
            raise LookupError("an auditor has no seat")
        return self.me


def _hedged(entropy: Entropy, place: bytes, secret: TableSecret) -> Hedged:
    return Hedged(entropy, place, secret.to_bytes())


def bind(chain: Chain, keys: Keys, seat: Seat, operation: str, slots: Sequence[Slot]) -> Transcript:
    """A transcript bound to all that protocol section 4 lists.

    Protocol version, table id, hash of the previous step, step, seat, operation, slot
    handles and key set (the keys of the seats that have not left); the proofs add the generator
    label, their input and their output.
    """
    transcript = Transcript("nodealer proof")
    transcript.append("protocol", PROTOCOL_VERSION.to_bytes(4, "little"))
    transcript.append("table", chain.table)
    transcript.append("previous", chain.head)
    transcript.append("step", chain.step.to_bytes(8, "little"))
    transcript.append("seat", seat.to_bytes(2, "little"))
    transcript.append("operation", operation.encode())
    transcript.append("slots", *(slot.to_bytes(4, "little") for slot in slots))
    transcript.append("keys", *[keys.public[one] for one in keys.seats])
    return transcript
