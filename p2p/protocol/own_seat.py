"""What makes a machine a player: its seat, its keys, and what it signed before a restart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.zone import Seat
from p2p.checks import Entropy
from p2p.crypto.group import SCALAR_BYTES
from p2p.crypto.keys import TableSecret
from p2p.identity.keys import Identity
from p2p.protocol import wire
from p2p.protocol.entry import Chain, Entry, decode_entry, unread
from p2p.protocol.key_in_shares import KeyInShares


@dataclass(frozen=True, slots=True)
class OwnPast:
    """This seat's own earlier entries on one chain.

    `written` are those on this seat's disk, by step.  The last step that the seat may have
    signed is `until`, whether or not that entry is there: up to it nothing is signed anew.
    `kept` are the secrets behind its commitments, by step.  `votes` are its votes about seats that
    are gone.
    """

    written: Mapping[int, Entry] = field(default_factory=dict)
    until: int = -1
    kept: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    votes: tuple[bytes, ...] = ()

    def signed_next(self, chain: Chain) -> Entry | None:
        """The entry on this seat's disk for the step that comes next on this history."""
        written = self.written.get(chain.step)
        return written if written is not None and written.previous == chain.head else None

    def has(self, entry: Entry) -> bool:
        """Whether this very entry is on disk."""
        written = self.written.get(entry.step)
        return written is not None and written.record == entry.record


NOTHING: Final = OwnPast()
"""The past of a seat that has signed nothing before."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat, its identity and its table secret.

    With the policy carry-on, `in_shares` is what is behind the shares of its key, and `shares` are
    those that it has got once all have signed: by other seat j (never its own), f_j(seat + 1).

    If the seat was restarted, `past` is what it signed before on the coming chain: that is sent
    again, no step of it is signed anew, and nothing is signed before the others were asked.
    """

    seat: Seat
    identity: Identity
    secret: TableSecret
    past: OwnPast | None = None
    in_shares: KeyInShares | None = field(default=None, repr=False)
    shares: Mapping[Seat, TableSecret] = field(default_factory=dict, repr=False)

    def secrets(self) -> bytes:
        """What is secret about it before the table begins, for the seat file."""
        return self.secret.to_bytes() + (self.in_shares.to_bytes() if self.in_shares else b"")


def fresh_seat(seat: Seat, identity: Identity, least: int, seats: int, entropy: Entropy) -> OwnSeat:
    """A seat at a new table of this size, with secrets that are not on disk yet."""
    secret = TableSecret.generate(entropy)
    in_shares = KeyInShares.draw(secret, least, seats, entropy) if least else None
    return OwnSeat(seat, identity, secret, in_shares=in_shares)


def own_secrets(data: bytes, least: int) -> tuple[TableSecret, KeyInShares | None]:
    """What `OwnSeat.secrets` made, at a table with this `least`; PeerError `malformed` if it did
    not.
    """
    secret, more = TableSecret.from_bytes(data[:SCALAR_BYTES]), data[SCALAR_BYTES:]
    if least:
        return secret, KeyInShares.from_bytes(secret, more, least)
    wire.octets(more, 0, "what is beside a table secret")
    return secret, None


def own_past(
    chain: Chain,
    records: Iterable[bytes],
    until: int = -1,
    kept: Mapping[int, bytes] = NOTHING.kept,
    votes: Iterable[bytes] = (),
) -> OwnPast:
    """What this seat signed on `chain`: of its `records`, the last one for each step counts."""
    entries = map(decode_entry, records)
    written = {entry.step: entry for entry in entries if entry.table == chain.table}
    ours = tuple([record for record in votes if unread(record).table == chain.table])
    return OwnPast(written, max([until, *written]), kept, ours)
