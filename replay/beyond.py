"""What seats signed beyond a log: all that can be checked before the first proof (protocol
section 8, "Evidence").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.absence.vote import decode_vote, said_round
from p2p.protocol.entry import Entry, check_origin, decode_entry, signed_twice, unread


class Place(NamedTuple):
    """Where a seat signs once: the entry of a step, or the vote of a round about a step."""

    step: int
    seat: Seat
    number: int | None = None
    """The round of a vote."""


Said = dict[Place, bytes]
"""The record of a seat at a place."""


def place_of(entry: Entry) -> Place:
    """Where an entry or a vote belongs; the shape of a vote need not be known to be right."""
    if entry.kind != step_kinds.VOTE:
        return Place(entry.step, entry.seat)
    return Place(entry.step, entry.seat, said_round(entry.payload))


def signed(table: bytes, identities: Sequence[bytes], records: Iterable[bytes]) -> list[Entry]:
    """The entries and votes of these records, each once.

    PeerError, in which nobody is blamed, for one that no seat of this table signed, and for a vote
    of another shape.
    """
    entries = []
    for record in dict.fromkeys(records):
        entry = decode_entry(record)
        check_origin(entry, table, identities)
        if entry.kind == step_kinds.VOTE:
            decode_vote(record, identities)
        entries.append(entry)
    return entries


def said_in(log: Iterable[bytes], entries: Iterable[Entry]) -> Said:
    """What the seats of these entries said in the log, at the same places."""
    places = {place_of(entry) for entry in entries}
    steps = {(place.step, place.seat) for place in places}
    origins = (unread(record) for record in log) if places else ()
    near = [one.read() for one in origins if (one.step, one.seat) in steps]
    return {place_of(one): one.record for one in near if place_of(one) in places}


def refuse_two(entries: Iterable[Entry], said: Said) -> None:
    """PeerError for a seat that signed two entries for one step, or two votes of one round.

    At a table two entries are seen at once, while proofs take their time: so this comes before
    any proof.
    """
    known = dict(said)
    for entry in entries:
        if known.setdefault(place_of(entry), entry.record) != entry.record:
            raise signed_twice(entry.seat, entry.step, vote=entry.kind == step_kinds.VOTE)


def is_closed(log: Iterable[bytes], count: int, seats: int) -> bool:
    """Whether the entries of a log, so many, end with a close step that all have signed."""
    last = [decode_entry(record) for record in islice(log, max(0, count - seats), count)]
    closes = [entry for entry in last if entry.kind == step_kinds.CLOSE]
    return len(closes) == seats and len({entry.step for entry in closes}) == 1
