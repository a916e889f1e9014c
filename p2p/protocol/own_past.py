"""What a seat that was started anew is known to have signed before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from p2p.protocol.entry import Chain, Entry, decode_entry


class OwnPast(NamedTuple):
    """The own entries of one chain, from before.

    `written` are those on this seat's disk, by step.  The last step that the seat may have
    signed is `until`, whether or not that entry is there: up to it nothing is signed anew.
    """

    written: Mapping[int, Entry] = MappingProxyType({})
    until: int = -1

    def has(self, entry: Entry) -> bool:
        """Whether this very entry is on disk."""
        written = self.written.get(entry.step)
        return written is not None and written.record == entry.record


NOTHING: Final = OwnPast()
"""Of a seat that has signed nothing before."""


def own_past(chain: Chain, records: Iterable[bytes], until: int = -1) -> OwnPast:
    """What this seat signed on `chain`: of its own `records` the last one for a step counts."""
    entries = map(decode_entry, records)
    written = {entry.step: entry for entry in entries if entry.table == chain.table}
    return OwnPast(written, max([until, *written]))
