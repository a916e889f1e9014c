"""Who sits at the table of a saved game, from the first record of its log."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.kit.marks import mark
from p2p.disk.outside import open_outside
from p2p.errors import PeerError
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import LOG_MAX, header_of
from p2p.text.names import called

LONGEST_HEADER: Final = 1 << 16
"""The most bytes that are read: a table of sixteen seats that can go on without some has fewer."""


def people_of(log: Path) -> str:
    """Everybody's name, bots marked; nothing if the log has no header that can be read."""
    try:
        with open_outside(log, LOG_MAX) as opened:
            begun = opened.read(LONGEST_HEADER)
        seats = decode_header(header_of(begun)).proposal.seats
    except (OSError, PeerError):
        return ""
    return ", ".join(called(one.name) + mark(bot=one.bot) for one in seats)
