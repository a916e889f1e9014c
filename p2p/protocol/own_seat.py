"""What makes a machine a player: its seat, its keys, and what it signed before a restart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.zone import Seat
from p2p.crypto.keys import TableSecret
from p2p.identity.keys import Identity
from p2p.protocol.entry import Chain, Entry, decode_entry, unread


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

    def has(self, entry: Entry) -> bool:
        """Whether this very entry is on disk."""
        written = self.written.get(entry.step)
        return written is not None and written.record == entry.record


NOTHING: Final = OwnPast()
"""The past of a seat that has signed nothing before."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat, its identity and its table secret.

    If the seat was restarted, `past` is what it signed before on the coming chain: that is sent
    again, no step of it is signed anew, and nothing is signed before the others were asked.
    """

    seat: Seat
    identity: Identity
    secret: TableSecret
    past: OwnPast | None = None


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
