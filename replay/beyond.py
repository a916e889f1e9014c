"""What seats signed beyond a log: all that can be checked before the first proof (protocol
section 8, "Evidence").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.entry import Entry, check_origin, decode_entry, signed_twice, unread

Said = dict[tuple[int, Seat], bytes]
"""The record of a seat for a step."""


def signed(table: bytes, identities: Sequence[bytes], records: Iterable[bytes]) -> list[Entry]:
    """The entries of these records, each once.

    PeerError, in which nobody is blamed, for one that no seat of this table signed.
    """
    entries = []
    for record in dict.fromkeys(records):
        entry = decode_entry(record)
        check_origin(entry, table, identities)
        entries.append(entry)
    return entries


def said_in(log: Iterable[bytes], entries: Iterable[Entry]) -> Said:
    """What the seats of these entries said in the log, for the same steps."""
    places = {(entry.step, entry.seat) for entry in entries}
    origins = (unread(record) for record in log) if places else ()
    return {(one.step, one.seat): one.record for one in origins if (one.step, one.seat) in places}


def refuse_two(entries: Iterable[Entry], said: Said) -> None:
    """PeerError for a seat that signed two entries for one step.

    At a table two entries are seen at once, while proofs take their time: so this comes before
    any proof.
    """
    known = dict(said)
    for entry in entries:
        if known.setdefault((entry.step, entry.seat), entry.record) != entry.record:
            raise signed_twice(entry.seat, entry.step)


def is_closed(log: Iterable[bytes], count: int, seats: int) -> bool:
    """Whether the entries of a log, so many, end with a close step that all have signed."""
    last = [decode_entry(record) for record in islice(log, max(0, count - seats), count)]
    closes = [entry for entry in last if entry.kind == step_kinds.CLOSE]
    return len(closes) == seats and len({entry.step for entry in closes}) == 1
