"""The records of a log in their order: encoding, place, signature (protocol section 8, "Order").

Whoever holds a file can change it, so nobody is blamed for what is wrong here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from p2p import checks
from p2p.errors import PeerError
from p2p.protocol import step_kinds
from p2p.protocol.ballot import is_ballot
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.genesis import Header
from p2p.protocol.logfile import Log

T = TypeVar("T")
Chained = Generator[Entry, None, list[bytes]]
"""The entries in order; at the end the records after them, which are ballots."""


def chained(header: Header, log: Log) -> Chained:
    """The entries of a log one by one, signed and chained.

    PeerError for a gap, a repeat, another order, a foreign table, votes that do not say the same or
    have something beside them in their step, or a signature that fails.
    """
    chain = Chain(header.table)
    inside: list[Entry] = []
    records = iter(log.records)
    for record in records:
        if at_step(chain.step, lambda r=record: is_ballot(r)):  # type: ignore[misc]
            return [record, *records]
        entry = at_step(chain.step, lambda r=record: decode_entry(r))  # type: ignore[misc]
        if inside and entry.step == chain.step + 1:
            chain.advance([one.body for one in inside])
            inside = []
        last = inside[-1] if inside else None
        after = -1 if last is None else last.seat
        ordered = entry.step == chain.step and after < entry.seat < len(header.keys)
        _require("audit.sequence", ordered, "entries are out of order", chain.step)
        linked = entry.table == header.table and entry.previous == chain.head
        _require("audit.link", linked, "an entry does not follow from what is before", chain.step)
        alike = last is None or _alike(last, entry)
        _require("audit.votes", alike, "a step is all votes that agree, or none", chain.step)
        identity = header.proposal.identities[entry.seat]
        # Nobody is blamed: whoever holds the file can spoil a signature in it.
        at_step(entry.step, lambda e=entry, i=identity: e.check_signature(i))  # type: ignore[misc]
        inside.append(entry)
        yield entry
    return []


def _alike(last: Entry, entry: Entry) -> bool:
    """Whether both are entries, or votes that say the same."""
    if step_kinds.VOTE not in (last.kind, entry.kind):
        return True
    return last.kind == entry.kind and _same(last.payload, entry.payload)


def _same(one: Any, other: Any) -> bool:
    """Equal in kind as well, and in any order of keys: False equals 0 in Python, but not here."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


def _require(check: str, ok: bool, reason: str, step: int) -> None:
    at_step(step, lambda: checks.require(check, ok, "broken-chain", reason))


def at_step(step: int, act: Callable[[], T]) -> T:
    """The result of `act`; a PeerError in it is given this step."""
    try:
        return act()
    except PeerError as error:
        raise error.blame(step=step) from None
