"""A table that is announced on the local network, in words.  Pure."""

from __future__ import annotations

from engine.games import load
from p2p.net.lan import LanTable
from p2p.text.names import called


def line_of(table: LanTable) -> str:
    """A table in one line, with the words of its key: anybody may take any name."""
    title = load(table.game).title
    running = ", being played" if table.running else ""
    return f"{title}, {table.seats} seats, at {called(table.name)}'s ({table.fingerprint}){running}"
