"""Where a seat can be dialled, as it says itself: a short list under its own signature.

Those who pass a list on can withhold it but cannot change it.  A list is for one table, and of two
lists of a seat the one with the higher number is the newer.  The signature says nothing about who
answers there: a seat may name somebody else's machine, so there is a limit to how often such an
address is dialled (`p2p.net.places`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2p import checks
from p2p.errors import PeerError
from p2p.identity.keys import SIGNATURE_BYTES, Identity, verify
from p2p.net.addresses import AddressError
from p2p.net.reach_address import AnyAddress, ReachAddress, parse_any
from p2p.protocol import wire
from p2p.version import label

PURPOSE: Final = label("addresses")
ADDRESSES_MAX: Final = 12
"""Twice as many as fit into an invite, and as many as are dialled for an announcement."""
NUMBER_MAX: Final = 2**53
_LIST_MAX: Final = 1024
"""Bytes of a list: eleven addresses of IPv6 and one of iroh, all of the longest, have 770."""


@dataclass(frozen=True, slots=True)
class SignedAddresses:
    """One list of one seat, its signature checked; `data` is what is sent."""

    number: int
    addresses: tuple[AnyAddress, ...]
    data: bytes


Lists = Mapping[bytes, SignedAddresses]
"""By identity key."""


def sign_addresses(
    identity: Identity, token: bytes, number: int, addresses: Iterable[AnyAddress]
) -> SignedAddresses:
    """Our own list for the table of `token`: the first few allowed ones of `addresses`."""
    chosen = _allowed(addresses)[:ADDRESSES_MAX]
    body = wire.pack([number, [str(address) for address in chosen]])
    data = body + identity.sign(PURPOSE, token + identity.public + body)
    return SignedAddresses(number, tuple(chosen), data)


def read_addresses(token: bytes, owner: bytes, data: bytes) -> SignedAddresses:
    """Read a list that somebody passed on; PeerError `malformed` unless `owner` signed it.

    The fault is only the sender's: `owner` has not signed this.
    """
    fits = SIGNATURE_BYTES < len(data) <= _LIST_MAX
    checks.require("addresses.length", fits, "malformed", "a list of addresses is too long")
    body, signature = data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]
    try:
        verify(owner, PURPOSE, token + owner + body, signature)
    except PeerError as error:
        raise PeerError(
            "malformed", "a list of addresses is not signed by the player whom it leads to"
        ) from error
    said = wire.exactly(wire.unpack(body), list, "a list of addresses")
    checks.require("addresses.pair", len(said) == 2, "malformed", "a list of addresses is garbled")
    number = wire.exactly(said[0], int, "the number of a list")
    counted = 0 <= number <= NUMBER_MAX
    checks.require("addresses.number", counted, "malformed", "a list has an impossible number")
    return SignedAddresses(number, _decode(wire.exactly(said[1], list, "addresses")), data)


def _decode(texts: list[Any]) -> tuple[AnyAddress, ...]:
    few = len(texts) <= ADDRESSES_MAX
    checks.require("addresses.few", few, "malformed", "too many addresses")
    try:
        named = [parse_any(wire.exactly(text, str, "an address")) for text in texts]
    except AddressError as error:
        raise PeerError("malformed", "an address is garbled") from error
    allowed = named == _allowed(named)
    checks.require("addresses.hosts", allowed, "malformed", "an address that no list may hold")
    return tuple(named)


def _allowed(addresses: Iterable[AnyAddress]) -> list[AnyAddress]:
    """Each machine once, by its IP address: a name may lead to any number of machines."""
    machines: dict[object, AnyAddress] = {}
    for address in addresses:
        if isinstance(address, ReachAddress):
            machines.setdefault("reach", address)
        elif address.ip is not None:
            # ::ffff:10.0.0.1 is 10.0.0.1 again
            machines.setdefault(getattr(address.ip, "ipv4_mapped", None) or address.ip, address)
    return list(machines.values())


def encode_lists(lists: Lists) -> list[object]:
    """The lists of several seats, for a frame."""
    return [[owner, one.data] for owner, one in lists.items()]


def decode_lists(value: list[Any], token: bytes, seats: Iterable[bytes]) -> Lists:
    """The lists that a frame holds, each signed by its owner for the table of `token`.

    At most one of each of the `seats`, and none of anybody else; PeerError `malformed`.
    """
    left, found = set(seats), {}
    for pair in value:
        two = isinstance(pair, list) and len(pair) == 2
        checks.require("addresses.book", two, "malformed", "an address book is garbled")
        owner = wire.exactly(pair[0], bytes, "an identity key")
        checks.require("addresses.owner", owner in left, "malformed", "a list of no seat, or twice")
        left.remove(owner)
        found[owner] = read_addresses(token, owner, wire.exactly(pair[1], bytes, "a signed list"))
    return found
