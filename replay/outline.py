"""A saved game in outline: what was to be played, and its steps by kind, without their contents.

Nothing is verified here; the verdict is the audit's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from p2p.errors import PeerError
from p2p.protocol.ballot import is_ballot
from p2p.protocol.entry import SIGNATURE_BYTES, decode_entry
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.logfile import is_genesis_evidence, split_genesis_evidence, split_saved
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.text.names import quoted


@dataclass(frozen=True, slots=True)
class Outline:
    """`kinds` are the kinds of the steps in order; `header` is None if no table began.

    `beyond` is how many signed records an evidence file holds beyond its log.
    """

    proposal: Proposal
    header: Header | None
    kinds: tuple[str, ...]
    beyond: int = 0


def outline(data: bytes) -> Outline:
    """The outline of a log or an evidence file; PeerError if it cannot be read."""
    if is_genesis_evidence(data):
        proposed, records = split_genesis_evidence(data)
        return Outline(decode_proposal(proposed), None, tuple(_kinds(records)), len(records))
    log, beyond = split_saved(data)
    header = decode_header(log.header)
    return Outline(header.proposal, header, tuple(_kinds(log.records)), len(beyond))


def _kinds(records: Iterable[bytes]) -> Iterator[str]:
    """One for each step; whoever wrote the file chose the words."""
    for _, group in groupby(map(_look, records), key=lambda seen: seen[0]):
        yield " and ".join(dict.fromkeys(kind for _, kind in group))


def _look(record: bytes) -> tuple[int, str]:
    if len(record) <= SIGNATURE_BYTES:
        return -2, "unreadable"  # a file may consist of nothing else, and an exception takes time
    try:
        if is_ballot(record):
            return -1, "ballots"
        entry = decode_entry(record)
    except PeerError:
        return -2, "unreadable"
    return entry.step, quoted(entry.kind)


def runs(kinds: Iterable[str]) -> Iterator[str]:
    """The same in short.

    >>> list(runs(["shuffle", "shuffle", "deal"]))
    ['0-1 shuffle', '2 deal']
    """
    first = 0
    for kind, group in groupby(kinds):
        last = first + len(list(group)) - 1
        yield f"{first} {kind}" if first == last else f"{first}-{last} {kind}"
        first = last + 1
