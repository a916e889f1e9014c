"""The spectators of a table, on the side of the seat that they came to with its invite.

They are sent the header and then each whole step, as it goes into the log, and nothing else.
Every seat is told who watches: the word of the seat that they came to, which alone knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from p2p import checks
from p2p.catching_up import RECORD
from p2p.names import NAMES, is_name
from p2p.net.mesh import Mesh
from p2p.protocol import wire
from p2p.protocol.genesis import Header
from p2p.version import PROTOCOL_VERSION

REFUSED: Final = 0x22
WATCH: Final = 0x24
HEADER: Final = 0x25
WATCHED: Final = 0x26
SPECTATORS_MAX: Final = 8
"""Each costs the host a copy of the game; half the strangers that a mesh takes."""

_WATCH: Final[dict[str, type | tuple[type, ...]]] = {"version": int, "token": bytes, "name": str}


def watch_frame(token: bytes, name: str) -> bytes:
    """The greeting of somebody who wants to watch."""
    fields = {"version": PROTOCOL_VERSION, "token": token, "name": name}
    return bytes([WATCH]) + wire.pack(fields)


def decode_watched(payload: bytes) -> tuple[str, ...]:
    """Who watches, as a seat says it; PeerError `malformed`."""
    said = wire.exactly(wire.unpack(payload), list, "the names of spectators")
    names = tuple(wire.exactly(name, str, "a name") for name in said)
    sound = len(names) <= SPECTATORS_MAX and all(map(is_name, names))
    checks.require("watch.names", sound, "malformed", "these are no names of spectators")
    return names


class Gallery:
    """Who watches; `on_change` is told their names."""

    def __init__(self, mesh: Mesh, token: bytes, seated: Callable[[bytes], bool]) -> None:
        self._mesh = mesh
        self._token = token
        self._seated = seated
        self._header: Header | None = None
        self._names: dict[bytes, str] = {}
        self.on_change: Callable[[tuple[str, ...]], None] = lambda names: None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names.values())

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Somebody wants to watch; PeerError for garbage."""
        fields = wire.take(wire.unpack(payload), _WATCH)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._mesh.send(peer, bytes([REFUSED]) + refusal.encode())
            return
        news = peer not in self._names
        self._names[peer] = fields["name"]
        if self._header is not None:
            self._mesh.send(peer, bytes([HEADER]) + self._header.encode())
        if news:
            self._announce()

    def _refusal(self, peer: bytes, fields: dict[str, Any]) -> str | None:
        if fields["version"] != PROTOCOL_VERSION:
            return f"the table speaks protocol version {PROTOCOL_VERSION}"
        if fields["token"] != self._token:
            return "the invite is for another table"
        if not is_name(fields["name"]):
            return NAMES
        if self._seated(peer):
            return "you sit at this table"
        if peer not in self._names and len(self._names) >= SPECTATORS_MAX:
            return "too many watch already"
        return None

    def open(self, header: Header) -> None:
        """The table begins, or goes on."""
        self._header = header
        for peer in self._names:
            self._mesh.send(peer, bytes([HEADER]) + header.encode())
        if self._names:
            self._announce()

    def step(self, records: Sequence[bytes]) -> None:
        """A step is complete."""
        for peer in self._names:
            for record in records:
                self._mesh.send(peer, bytes([RECORD]) + record)

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A spectator that is gone watches no more; a seat that comes back is told who does."""
        if not up and self._names.pop(peer, None) is not None:
            self._announce()
        elif up and self._names:
            self._mesh.send(peer, _watched(self.names))

    def _announce(self) -> None:
        self._mesh.flood(_watched(self.names))
        self.on_change(self.names)


def _watched(names: Iterable[str]) -> bytes:
    return bytes([WATCHED]) + wire.pack(list(names))
