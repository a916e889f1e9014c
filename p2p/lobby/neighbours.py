"""The guests of a lobby link with each other before there is a table.

This way everybody can be told who reaches whom while there is still time to do something about
it, and at the table the links are already made and measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p.lobby.seats import Taken
from p2p.net.limits import TokenBucket
from p2p.net.signed_addresses import SignedAddresses, read_addresses
from p2p.seat.desk import Desk

LISTS: Final = 14
LISTS_SECONDS: Final = 60.0
"""`LISTS` lists are dialled at once, and one more after each such time: people come and go, and
somebody who can no longer be dialled may still dial us.  Keys cost nothing, and all could name
the machine of one stranger."""


class Neighbours:
    """One guest's links to the other guests who sit in the lobby of `host`."""

    def __init__(self, desk: Desk, token: bytes, own: bytes, host: bytes) -> None:
        self._desk: Final = desk
        self._token: Final = token
        self._reached: Final = own, host
        self._there: list[bytes] = []
        self._told: dict[bytes, SignedAddresses] = {}
        self._dialled: Final[dict[bytes, SignedAddresses]] = {}
        self._allowance: Final = TokenBucket(1.0 / LISTS_SECONDS, desk.now(), LISTS)

    def hear(self, seats: Sequence[Taken]) -> None:
        """Hear who is there now: dial the new ones, and forget those who have left.

        PeerError `malformed` for a list that its owner has not signed; then nobody is dialled.
        """
        self._told = {one.identity: self._read(one) for one in seats if one.addresses}
        there = [one.identity for one in seats if one.identity not in self._reached]
        before, self._there = self._there, there
        for key in before:
            if key not in there:
                self._dialled.pop(key, None)
                self._desk.forget(key)
        for key in there:
            if key not in before:
                self._desk.dial(key)
        self.dial()

    def _read(self, one: Taken) -> SignedAddresses:
        known = self._told.get(one.identity)
        if known is not None and known.data == one.addresses:
            return known  # checking a signature takes time
        return read_addresses(self._token, one.identity, one.addresses)

    def dial(self) -> None:
        """Dial the lists that were told but not dialled yet, as far as the allowance goes."""
        now = self._desk.now()
        for key in self._there:
            if self._is_news(key) and self._allowance.take_if_left(now):
                self._dialled[key] = self._told[key]
                self._desk.dial(key, self._told[key].addresses)

    def _is_news(self, key: bytes) -> bool:
        said, known = self._told.get(key), self._dialled.get(key)
        return said is not None and (known is None or said.number > known.number)

    def linked(self) -> frozenset[bytes]:
        """Which of them we are linked with."""
        return frozenset(key for key in self._there if self._desk.links.is_linked(key))
