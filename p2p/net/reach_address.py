"""Where a peer can be reached by iroh: its endpoint's key, and one place to knock first.

The key names only the pipe.  Our own channel proves who is at the other end, over it as over TCP;
so it may be as wrong as any other address.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Final

from p2p.net.addresses import Address, AddressError

ENDPOINT_BYTES: Final = 32
RELAY_PORT: Final = 443
RELAY_NAME_MAX: Final = 64
"""Characters of a relay's host name; those of today's public ones are below 30."""
_TEXT: Final = re.compile(r"reach\+([a-z2-7]{52})@(.{1,80})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReachAddress:
    """An iroh endpoint (32 bytes) and where it is found: a relay's name, or a UDP address.

    The name comes with the port of HTTPS, the only one at which relays are spoken to.  AddressError
    for anything else.
    """

    endpoint: bytes
    at: Address

    def __post_init__(self) -> None:
        if len(self.endpoint) != ENDPOINT_BYTES:
            raise AddressError(f"The key of an endpoint has {ENDPOINT_BYTES} bytes.")
        relay = self.at.ip is None
        if relay and (self.at.port != RELAY_PORT or len(self.at.host) > RELAY_NAME_MAX):
            raise AddressError("A relay is a host name of at most 64 characters, at port 443.")

    @classmethod
    def parse(cls, text: str) -> ReachAddress:
        """`reach+ENDPOINT@HOST:PORT`, the key in base32; the opposite of `str()`."""
        found = _TEXT.fullmatch(text)
        if found is None:
            raise AddressError("This is not the address of an endpoint.")
        address = cls(_endpoint(found[1]), Address.parse(found[2]))
        if str(address) != text:  # each address has one text only
            raise AddressError("This is not the usual text of an endpoint's address.")
        return address

    @property
    def relay_url(self) -> str | None:
        """The relay at which the endpoint waits, as iroh writes it (a full stop ends the name)."""
        return f"https://{self.at.host}./" if self.at.ip is None else None

    @property
    def words(self) -> str:
        """The address for people: nobody reads a key of 52 letters."""
        return f"reach through {self.at.host}" if self.at.ip is None else f"reach at {self.at}"

    def __str__(self) -> str:
        return f"reach+{_letters(self.endpoint)}@{self.at}"


AnyAddress = Address | ReachAddress
"""What can be dialled."""


def parse_any(text: str) -> AnyAddress:
    """The address in a text, of either kind; AddressError."""
    return ReachAddress.parse(text) if text.startswith("reach+") else Address.parse(text)


def shown(address: AnyAddress) -> str:
    """An address for people."""
    return address.words if isinstance(address, ReachAddress) else str(address)


def _letters(endpoint: bytes) -> str:
    return base64.b32encode(endpoint).decode("ascii").rstrip("=").lower()


def _endpoint(letters: str) -> bytes:
    return base64.b32decode(letters.upper() + "=" * (-len(letters) % 8))
